/* SPDX-License-Identifier: Apache-2.0 */
/* Every format of surfaces, as VTK writes it, cut at many lengths, with a surplus and with wrong counts: the same
 * triangles or ERR_INPUT with a sentence, never fewer or other triangles. */
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vtkNew.h>
#include <vtkPLYWriter.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataWriter.h>
#include <vtkSMPTools.h>
#include <vtkSTLWriter.h>
#include <vtkSphereSource.h>
#include <vtkXMLPolyDataWriter.h>
extern "C" {
#include "tests/unit/temp.h"
#include <cmocka.h>
}

namespace {

struct format {
    const char *name, *file;
    std::function<void(vtkPolyData *, const char *)> write;
};

template <class Writer> auto plain(int type) {
    return [type](vtkPolyData *poly, const char *path) {
        vtkNew<Writer> w;
        w->SetInputData(poly);
        w->SetFileName(path);
        w->SetFileType(type);
        w->Write();
    };
}

auto xml(int mode, bool packed, bool encode) {
    return [=](vtkPolyData *poly, const char *path) {
        vtkNew<vtkXMLPolyDataWriter> w;
        w->SetInputData(poly);
        w->SetFileName(path);
        w->SetDataMode(mode);
        w->SetEncodeAppendedData(encode);
        if (!packed)
            w->SetCompressorTypeToNone();
        w->Write();
    };
}

auto legacy(int type, int version) {
    return [=](vtkPolyData *poly, const char *path) {
        vtkNew<vtkPolyDataWriter> w;
        w->SetInputData(poly);
        w->SetFileName(path);
        w->SetFileType(type);
        w->SetFileVersion(version);
        w->Write();
    };
}

const format formats[] = {
    {"STL binary", "b.stl", plain<vtkSTLWriter>(VTK_BINARY)},
    {"STL ASCII", "a.stl", plain<vtkSTLWriter>(VTK_ASCII)},
    {"PLY binary", "b.ply", plain<vtkPLYWriter>(VTK_BINARY)},
    {"PLY ASCII", "a.ply", plain<vtkPLYWriter>(VTK_ASCII)},
    {"VTP ASCII", "a.vtp", xml(vtkXMLWriter::Ascii, false, false)},
    {"VTP inline, packed", "p.vtp", xml(vtkXMLWriter::Binary, true, false)},
    {"VTP inline", "i.vtp", xml(vtkXMLWriter::Binary, false, false)},
    {"VTP appended, packed", "q.vtp", xml(vtkXMLWriter::Appended, true, true)},
    {"VTP appended, raw", "r.vtp", xml(vtkXMLWriter::Appended, false, false)},
    {"VTK 4 ASCII", "a4.vtk", legacy(VTK_ASCII, vtkPolyDataWriter::VTK_LEGACY_READER_VERSION_4_2)},
    {"VTK 4 binary", "b4.vtk", legacy(VTK_BINARY, vtkPolyDataWriter::VTK_LEGACY_READER_VERSION_4_2)},
    {"VTK 5 ASCII", "a5.vtk", legacy(VTK_ASCII, vtkPolyDataWriter::VTK_LEGACY_READER_VERSION_5_1)},
    {"VTK 5 binary", "b5.vtk", legacy(VTK_BINARY, vtkPolyDataWriter::VTK_LEGACY_READER_VERSION_5_1)},
};

std::string load(const char *path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void save(const char *path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/* Written as f says; returns its bytes, *area the area it has when whole. */
std::string whole(const format &f, int64_t *n_triangle, double *area) {
    vtkNew<vtkSphereSource> ball;
    ball->SetRadius(5);
    ball->Update();
    ball->GetOutput()->GetPointData()->Initialize(); /* normals: not part of the surface */
    f.write(ball->GetOutput(), temp_path(f.file));
    surface s;
    const int rc = surface_read(temp_path(f.file), 1, 0, &s);
    if (rc != OK)
        print_message("%s: %s\n", f.name, status_message());
    assert_int_equal(rc, OK);
    *n_triangle = s.n_triangle;
    *area = surface_area_mm2(&s);
    assert_int_equal(s.n_triangle, ball->GetOutput()->GetNumberOfPolys());
    surface_free(&s);
    return load(temp_path(f.file));
}

/* 1: refused with a sentence; 0: read as the same surface; -1: read as another one, or a wrong code. */
int refused(const char *path, int64_t n_triangle, double area) {
    surface s;
    status_clear();
    const int rc = surface_read(path, 1, 0, &s);
    const bool same = rc == OK && s.n_triangle == n_triangle && std::fabs(surface_area_mm2(&s) - area) < 1e-9 * area;
    const int result = rc == ERR_INPUT && std::strlen(status_message()) > 20 ? 1 : same ? 0 : -1;
    surface_free(&s);
    return result;
}

void cut_at_many_lengths(void **) {
    for (const format &f : formats) {
        int64_t n = 0;
        double area = 0;
        const std::string bytes = whole(f, &n, &area);
        int told = 0, tried = 0;
        for (size_t at = 1; at <= 24; at++) { /* 12 over the whole length, 12 near the end */
            const size_t k = at <= 12 ? bytes.size() * at / 13 : bytes.size() - (at - 12);
            save(temp_path(f.file), bytes.substr(0, k));
            const int is = refused(temp_path(f.file), n, area);
            if (is < 0)
                print_message("%s cut at %zu of %zu bytes: %s\n", f.name, k, bytes.size(), status_message());
            assert_true(is >= 0);
            told += is;
            tried++;
        }
        print_message("%-22s %d of %d cuts refused, the others are whole\n", f.name, told, tried);
        assert_true(told >= 12);
    }
}

void a_surplus(void **) {
    const std::string more[] = {"x", "0 0 0\n", std::string(50, '\0'), std::string(50, 'y'), std::string(3, '\xff')};
    for (const format &f : formats) {
        int64_t n = 0;
        double area = 0;
        const std::string bytes = whole(f, &n, &area);
        for (const std::string &tail : more) {
            save(temp_path(f.file), bytes + tail);
            const int is = refused(temp_path(f.file), n, area);
            if (is != 1)
                print_message("%s with a surplus of %zu bytes: not refused\n", f.name, tail.size());
            assert_int_equal(is, 1);
        }
    }
}

/* The first `word number` gets another number. */
std::string recount(std::string bytes, const std::string &word, const std::string &number) {
    const size_t at = bytes.find(word);
    assert_true(at != std::string::npos);
    const size_t from = at + word.size(), to = bytes.find_first_not_of("0123456789", from);
    return bytes.replace(from, to - from, number);
}

void wrong_counts(void **) {
    static const char *const numbers[] = {"48", "95", "98", "4000000000", "0", "-1"};
    for (const format &f : formats) {
        int64_t n = 0;
        double area = 0;
        const std::string bytes = whole(f, &n, &area);
        for (const char *number : numbers)
            for (const char *word : {"element vertex ", "element face ", "NumberOfPoints=\"", "NumberOfPolys=\"",
                                     "POINTS ", "POLYGONS "}) {
                if (bytes.find(word) == std::string::npos)
                    continue;
                save(temp_path(f.file), recount(bytes, word, number));
                const int is = refused(temp_path(f.file), n, area);
                if (is != 1)
                    print_message("%s with %s%s: not refused\n", f.name, word, number);
                assert_int_equal(is, 1);
            }
    }
    int64_t n = 0;
    double area = 0;
    std::string bytes = whole(formats[0], &n, &area);
    for (uint32_t count : {uint32_t(n / 2), uint32_t(n + 1), 4000000000U, 0U}) {
        std::memcpy(&bytes[80], &count, 4);
        save(temp_path("b.stl"), bytes);
        assert_int_equal(refused(temp_path("b.stl"), n, area), 1);
    }
}

/* A binary STL may call itself "solid", and its numbers may look like text. */
void binary_stl_named_solid(void **) {
    int64_t n = 0;
    double area = 0;
    std::string bytes = whole(formats[0], &n, &area);
    bytes.replace(0, 80, std::string("solid facet normal 0 0 1") + std::string(56, ' '));
    save(temp_path("b.stl"), bytes);
    assert_int_equal(refused(temp_path("b.stl"), n, area), 0);
}

/* A tetrahedron as text in three formats; `from` replaced by `to` is refused, or read as it is. */
void changed_text(const char *name, const std::string &text, const std::string &from, const std::string &to,
                  bool fine) {
    std::string bytes = text;
    const size_t at = bytes.find(from);
    assert_true(at != std::string::npos);
    save(temp_path(name), bytes.replace(at, from.size(), to));
    const int is = refused(temp_path(name), 4, 236.60254037844388); /* (3 + sqrt 3) / 2 * 10^2 */
    if (is != !fine)
        print_message("%s with '%s' in place of '%s': %d %s\n", name, to.c_str(), from.c_str(), is, status_message());
    assert_int_equal(is, !fine);
}

void texts(void **) {
    std::string stl = "solid t\n", ply, vtk, vtp;
    const char *const p[] = {"0 0 0", "10 0 0", "0 10 0", "0 0 10"};
    for (const char *t : {"021", "013", "032", "123"}) {
        stl += " facet normal 0 0 0\n  outer loop\n";
        for (int k = 0; k < 3; k++)
            stl += std::string("   vertex ") + p[t[k] - '0'] + "\n";
        stl += "  endloop\n endfacet\n";
    }
    stl += "endsolid t\n";
    const std::string points = "0 0 0\n10 0 0\n0 10 0\n0 0 10\n", faces = "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    ply = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face "
          "4\nproperty list uchar int vertex_indices\nend_header\n" +
          points + faces;
    vtk =
        "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n" + points + "POLYGONS 4 16\n" + faces;
    vtp =
        "<VTKFile type=\"PolyData\" version=\"0.1\"><PolyData><Piece NumberOfPoints=\"4\" NumberOfPolys=\"4\"><Points>"
        "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">" +
        points + "</DataArray></Points><Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">" +
        "0 2 1 0 1 3 0 3 2 1 2 3</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">3 6 9 12" +
        "</DataArray></Polys></Piece></PolyData></VTKFile>"; /* all in one line, and no end of it */
    changed_text("t.stl", stl, "10 0 0", "10 0 0", true);
    changed_text("t.stl", stl, "10 0 0", "1e1 0 0", true);
    for (const char *bad :
         {"10..5 0 0", "10 0 0 5", "10 0 0 5 5 5", "0xA 0 0", "10 0", "10,5 0 0", "1D1 0 0", "10 0 0x"})
        changed_text("t.stl", stl, "10 0 0", bad, false);
    save(temp_path("none.stl"), std::string(84, '\0')); /* binary, of no triangle */
    assert_int_equal(refused(temp_path("none.stl"), 4, 1), 1);
    changed_text("t.ply", ply, "ply\n", "plx\n", false);
    changed_text("t.ply", ply, "3 0 2 1", "3 0 2 1", true);
    changed_text("t.ply", ply, "3 0 2 1", "3 0 2.7 1", false);
    changed_text("t.ply", ply, "float x", "int x", true);
    changed_text("t.ply", ply, "float x\nproperty float y\nproperty float z\nelement face",
                 "int x\nproperty int y\nproperty int z\nelement face", true);
    save(temp_path("t.ply"), ply);
    changed_text("t.ply", std::string(ply).replace(ply.find("float x"), 7, "int x"), "10 0 0", "10.5 0 0", false);
    changed_text("t.vtk", vtk, "3 0 2 1", "3 0 2 1", true);
    changed_text("t.vtk", vtk, "POLYGONS 4 16\n", "POLYGONS 4 16\n" + faces + "POLYGONS 4 16\n", false);
    changed_text("t.vtk", vtk, "POINTS 4 float\n", "POINTS 4 float\n" + points + "POINTS 4 float\n", false);
    changed_text("t.vtk", vtk, "3 0 2 1\n3 0 1 3\n", "4 0 2 1 3\n2 0 1\n", false);
    changed_text("t.vtp", vtp, "</VTKFile>", "</VTKFile>", true);
    changed_text("t.vtp", vtp, "3 6 9 12", "4 6 9 12", false);
}

/* A ball, every third triangle of which is wound the other way: the volume is that of the ball. */
void wound_alike(void **) {
    int64_t n = 0;
    double area = 0;
    std::string bytes = whole(formats[0], &n, &area);
    surface s;
    assert_int_equal(surface_read(temp_path("b.stl"), 1, 0, &s), OK);
    const double volume = surface_volume_mm3(&s);
    surface_free(&s);
    for (int64_t t = 0; t < n; t += 3) {
        char corner[12];
        char *at = &bytes[static_cast<size_t>(84 + 50 * t + 12)];
        std::memcpy(corner, at, 12);
        std::memcpy(at, at + 12, 12);
        std::memcpy(at + 12, corner, 12);
    }
    save(temp_path("w.stl"), bytes);
    assert_int_equal(surface_read(temp_path("w.stl"), 1, 0, &s), OK);
    assert_true(volume > 400 && std::fabs(surface_volume_mm3(&s) - volume) < 1e-6 * volume);
    surface_free(&s);
}

} // namespace

int main() {
    /* The reader is a fork. A thread of VTK that allocates at that time would leave AddressSanitizer's lock closed. */
    vtkSMPTools::SetBackend("Sequential");
    const CMUnitTest tests[] = {
        cmocka_unit_test(cut_at_many_lengths),    cmocka_unit_test(a_surplus), cmocka_unit_test(wrong_counts),
        cmocka_unit_test(binary_stl_named_solid), cmocka_unit_test(texts),     cmocka_unit_test(wound_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
