/* SPDX-License-Identifier: Apache-2.0 */
/* Writing surfaces, and surfaces from level sets. Only the vtk_surface*.cpp files use VTK. */
#include "common/surface_vtk/vtk_surface.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface_tools.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>
#include <vtkXMLPolyDataWriter.h>
#include <vtkZLibDataCompressor.h>

using namespace vtk_surface_tools;

namespace {

void append_float(std::string *bytes, double value) {
    const float f = static_cast<float>(value);
    bytes->append(reinterpret_cast<const char *>(&f),
                  4); /* numbers are little-endian in STL and PLY, and on all supported machines */
}

std::string stl_bytes(const surface *s) {
    std::string bytes = "portaflow surface, SPACE=LPS, UNIT=mm";
    bytes.resize(80, ' ');
    const uint32_t n = static_cast<uint32_t>(s->n_triangle);
    bytes.append(reinterpret_cast<const char *>(&n), 4);
    bytes.reserve(84 + 50 * static_cast<size_t>(n));
    for (int64_t t = 0; t < s->n_triangle; t++) {
        double normal[3];
        const double length = 2 * surface_triangle_mm2(s, t, normal);
        for (double component : normal)
            append_float(&bytes, length > 0 ? component / length : 0);
        for (int corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++)
                append_float(&bytes, s->point_mm[3 * static_cast<int64_t>(s->triangle[3 * t + corner]) + k]);
        bytes.append(2, '\0');
    }
    return bytes;
}

void add_text_field(vtkPolyData *poly, const char *name, const char *value) {
    vtkNew<vtkStringArray> array;
    array->SetName(name);
    array->InsertNextValue(value);
    poly->GetFieldData()->AddArray(array);
}

int vtp_bytes(const surface *s, int n_array, const surface_array *array, std::string *bytes) {
    auto poly = to_polydata(s);
    add_text_field(poly, "frame", "LPS");
    add_text_field(poly, "SPACE", "LPS"); /* 3D Slicer reads the frame under this name */
    add_text_field(poly, "unit", "mm");
    for (int a = 0; a < n_array; a++) {
        vtkNew<vtkDoubleArray> values;
        values->SetName(array[a].name);
        values->SetNumberOfComponents(array[a].components);
        values->SetNumberOfTuples(s->n_point);
        std::copy_n(array[a].value, s->n_point * array[a].components, values->GetPointer(0));
        poly->GetPointData()->AddArray(values);
    }
    vtkNew<vtkXMLPolyDataWriter> writer;
    writer->SetInputData(poly);
    writer->SetDataModeToBinary(); /* base64: VTK 9.1 with Expat 2.6 (Ubuntu 24.04) reads no raw bytes in XML */
    writer->WriteToOutputStringOn();
    vtkNew<vtkZLibDataCompressor> compressor;
    compressor->SetCompressionLevel(1); /* the lowest level takes a third of the time of the default level and gives a
                                         * few percent more bytes */
    writer->SetCompressor(compressor);
    if (writer->Write() != 1)
        return fail(
            ERR_INTERNAL,
            "VTK could not write a surface of %lld points as VTP: memory ran out, or this is an error in the program",
            static_cast<long long>(s->n_point));
    *bytes = writer->GetOutputString();
    return OK;
}

std::string ply_bytes(const surface *s) {
    std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment SPACE=LPS UNIT=mm\nelement vertex " +
                        std::to_string(s->n_point) +
                        "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                        std::to_string(s->n_triangle) + "\nproperty list uchar int vertex_indices\nend_header\n";
    for (int64_t i = 0; i < 3 * s->n_point; i++)
        append_float(&bytes, s->point_mm[i]);
    for (int64_t t = 0; t < s->n_triangle; t++) {
        bytes.push_back(3);
        bytes.append(reinterpret_cast<const char *>(s->triangle + 3 * t), 3 * sizeof(int32_t));
    }
    return bytes;
}

/* phi with an additional outer layer of positive values, which closes a lumen at the border. */
vtkSmartPointer<vtkImageData> padded_image(const volume *phi) {
    auto image = vtkSmartPointer<vtkImageData>::New();
    const int nx = phi->dims[0] + 2, ny = phi->dims[1] + 2, nz = phi->dims[2] + 2;
    image->SetExtent(-1, nx - 2, -1, ny - 2, -1, nz - 2);
    image->AllocateScalars(VTK_FLOAT, 1);
    float *value = static_cast<float *>(image->GetScalarPointer());
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                const int i = std::clamp(x - 1, 0, nx - 3), j = std::clamp(y - 1, 0, ny - 3);
                const int k = std::clamp(z - 1, 0, nz - 3);
                const float inner = phi->value[volume_index(phi, i, j, k)];
                const bool outside = i != x - 1 || j != y - 1 || k != z - 1;
                value[(static_cast<size_t>(z) * ny + y) * nx + x] = outside ? std::max(std::fabs(inner), 1e-6f) : inner;
            }
    return image;
}

} // namespace

int surface_write(const char *path, const surface *s, int n_array, const surface_array *array) {
    return run_quietly("writing a surface", [&]() {
        const std::string ending = ending_of(path);
        if (ending != ".stl" && ending != ".vtp" && ending != ".ply")
            return fail(ERR_OUTPUT, "cannot write '%s': the file name must end in .stl, .vtp or .ply", path);
        if (n_array > 0 && ending != ".vtp")
            return fail(ERR_OUTPUT, "cannot write '%s': only .vtp can hold values at the points", path);
        std::string bytes;
        int rc = OK;
        if (ending == ".stl")
            bytes = stl_bytes(s);
        else if (ending == ".ply")
            bytes = ply_bytes(s);
        else
            rc = vtp_bytes(s, n_array, array, &bytes);
        return rc == OK ? file_write(path, bytes.data(), bytes.size()) : rc;
    });
}

int surface_from_phi(const volume *phi_mm, surface *out) {
    std::memset(out, 0, sizeof *out);
    const int rc = run_quietly("computing the surface of a level set", [&]() {
        vtkNew<vtkFlyingEdges3D> contour;
        contour->SetInputData(padded_image(phi_mm));
        contour->SetValue(0, 0.0);
        contour->ComputeNormalsOff();
        contour->ComputeGradientsOff();
        contour->ComputeScalarsOff();
        contour->Update();
        return from_polydata(merge_points(contour->GetOutput(), 0), out);
    });
    if (rc != OK)
        return rc;
    for (int64_t i = 0; i < out->n_point; i++) {
        const double index[3] = {out->point_mm[3 * i], out->point_mm[3 * i + 1], out->point_mm[3 * i + 2]};
        volume_to_lps(phi_mm, index, out->point_mm + 3 * i);
    }
    turn_outward(out);
    return OK;
}
