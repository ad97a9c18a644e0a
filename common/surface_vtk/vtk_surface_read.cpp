/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_surface.h: reading surface files. */
#include "common/base/file.h"
#include "common/base/guard.h"
#include "common/base/status.h"
#include "common/image/isolate.h"
#include "common/surface/surface_mend.h"
#include "common/surface_vtk/surface_whole.h"
#include "common/surface_vtk/vtk_surface.h"
#include "common/surface_vtk/vtk_surface_tools.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkDataArray.h>
#include <vtkErrorCode.h>
#include <vtkGenericDataObjectReader.h>
#include <vtkNew.h>
#include <vtkPLYReader.h>
#include <vtkPointData.h>
#include <vtkPolyDataNormals.h>
#include <vtkSTLReader.h>
#include <vtkTriangleFilter.h>

using namespace vtk_surface_tools;

namespace {

template <class Reader> vtkSmartPointer<vtkPolyData> read_with(const char *path) {
    vtkNew<Reader> reader;
    reader->SetFileName(path);
    reader->Update();
    if (reader->GetErrorCode() != vtkErrorCode::NoError)
        return nullptr;
    return vtkPolyData::SafeDownCast(reader->GetOutputDataObject(0));
}

/* Triangles of a binary STL. VTK would guess the format from the bytes; here the size of the file identifies it. */
vtkSmartPointer<vtkPolyData> binary_stl(const char *bytes, int64_t n_triangle) {
    auto poly = vtkSmartPointer<vtkPolyData>::New();
    vtkNew<vtkPoints> points;
    vtkNew<vtkCellArray> cells;
    points->SetNumberOfPoints(3 * n_triangle);
    cells->AllocateExact(n_triangle, 3 * n_triangle);
    for (vtkIdType t = 0; t < n_triangle; t++) {
        float corner[9];
        /* corners follow the normal; numbers are little-endian */
        std::memcpy(corner, bytes + 84 + 50 * t + 12, sizeof corner);
        for (int k = 0; k < 3; k++)
            points->SetPoint(3 * t + k, corner + 3 * k);
        const vtkIdType id[3] = {3 * t, 3 * t + 1, 3 * t + 2};
        cells->InsertNextCell(3, id);
    }
    poly->SetPoints(points);
    poly->SetPolys(cells);
    return poly;
}

vtkSmartPointer<vtkPolyData> text_stl(const char *path) {
    vtkNew<vtkSTLReader> reader;
    reader->SetFileName(path);
    reader->MergingOff(); /* every triangle is kept, because their number is checked */
    reader->Update();
    return reader->GetErrorCode() == vtkErrorCode::NoError ? reader->GetOutput() : nullptr;
}

vtkSmartPointer<vtkPolyData> read_by_ending(const char *path, const std::string &ending) {
    if (ending == ".stl")
        return text_stl(path);
    if (ending == ".vtp")
        return read_xml(path);
    if (ending == ".ply")
        return read_with<vtkPLYReader>(path);
    return read_with<vtkGenericDataObjectReader>(path);
}

/* True if every polygon has three or more corners, all among the points. Other indices crash VTK's filters, and the
 * filters drop polygons with fewer corners. */
bool corners_are_valid(vtkCellArray *cells, vtkIdType n_point) {
    auto it = vtk::TakeSmartPointer(cells->NewIterator());
    for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
        vtkIdType n = 0;
        const vtkIdType *corner = nullptr;
        it->GetCurrentCell(n, corner);
        if (n < 3)
            return false;
        for (vtkIdType k = 0; k < n; k++)
            if (corner[k] < 0 || corner[k] >= n_point)
                return false;
    }
    return true;
}

/* Upper limit of a coordinate in the unit of the file (mm, cm, m or um); no vessel has a larger one */
constexpr double FARTHEST = 1e6;

int check_input(const char *path, vtkPolyData *poly) {
    if (!poly || poly->GetNumberOfPoints() == 0)
        return fail(
            ERR_INPUT,
            "cannot read a surface from '%s': it is not a complete STL, VTP, PLY or VTK polydata file; export it again",
            path);
    const vtkIdType n = poly->GetNumberOfPoints();
    if (n > INT32_MAX / 4)
        return fail(ERR_INPUT, "'%s' has %lld points; the limit is %d; decimate the surface", path,
                    static_cast<long long>(n), INT32_MAX / 4);
    for (vtkIdType i = 0; i < n; i++) {
        double p[3];
        poly->GetPoint(i, p);
        if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
            return fail(ERR_INPUT, "'%s': point %lld is not a finite number; export it again", path,
                        static_cast<long long>(i));
        const double far = std::fmax(std::fabs(p[0]), std::fmax(std::fabs(p[1]), std::fabs(p[2])));
        if (far > FARTHEST) /* with such large coordinates, the merge tolerance (relative to the size) would merge
                             * all points of the vessel */
            return fail(ERR_INPUT, "'%s': point %lld has a coordinate of %g, above %g: it is damaged; export it again",
                        path, static_cast<long long>(i), far, FARTHEST);
    }
    if (!corners_are_valid(poly->GetPolys(), n) || !corners_are_valid(poly->GetStrips(), n))
        return fail(ERR_INPUT,
                    "'%s': a polygon refers to a point that is not in the file, or has fewer than three corners; "
                    "export it again",
                    path);
    return OK;
}

/* Reads a complete file with VTK and checks that it contains the stated numbers of points and polygons. */
int read_whole(const char *path, vtkSmartPointer<vtkPolyData> *out) {
    char *bytes = nullptr;
    size_t n = 0;
    surface_counts counts;
    const std::string ending = ending_of(path);
    int rc = file_read(path, SIZE_MAX / 2, &bytes, &n);
    if (rc == OK)
        rc = surface_check_whole(path, ending.c_str(), bytes, n, &counts);
    if (rc == OK)
        *out = counts.binary_stl ? binary_stl(bytes, counts.polygons) : read_by_ending(path, ending);
    free(bytes);
    if (rc != OK)
        return rc;
    vtkPolyData *poly = *out;
    const bool fewer = poly && ((counts.points >= 0 && poly->GetNumberOfPoints() != counts.points) ||
                                (counts.polygons >= 0 && poly->GetNumberOfPolys() != counts.polygons));
    if (!poly || reported_error() || fewer)
        return fail(ERR_INPUT,
                    "'%s' is damaged, cut short or too long: its contents do not match the counts in its header; "
                    "export it again",
                    path);
    return check_input(path, poly);
}

/* True if every edge is used equally often in both directions (at a border once more), for any number of triangles per
 * edge. All triangles are then oriented consistently. */
bool is_wound_alike(const surface *s) {
    /* for each edge its two points, the lower number first; the last bit is the direction of the edge */
    std::vector<uint64_t> side;
    side.reserve(3 * static_cast<size_t>(s->n_triangle));
    for (int64_t i = 0; i < 3 * s->n_triangle; i++) {
        const auto from = static_cast<uint64_t>(s->triangle[i]);
        const auto to = static_cast<uint64_t>(s->triangle[i % 3 == 2 ? i - 2 : i + 1]);
        side.push_back(std::min(from, to) << 32 | std::max(from, to) << 1 | (from < to));
    }
    std::sort(side.begin(), side.end());
    for (size_t k = 0; k < side.size();) {
        int64_t more = 0;
        const uint64_t edge = side[k] >> 1;
        for (; k < side.size() && side[k] >> 1 == edge; k++)
            more += (side[k] & 1) != 0 ? 1 : -1;
        if (more < -1 || more > 1)
            return false;
    }
    return true;
}

/* Reads the triangles, in the unit of the file. Must run in an isolated process: VTK's readers of PLY and legacy files
 * follow wild pointers in damaged files. */
int read_triangles(const char *path, surface *out) {
    return run_quietly("reading a surface", [&]() {
        vtkSmartPointer<vtkPolyData> poly;
        const int bad = read_whole(path, &poly);
        if (bad != OK)
            return bad;
        vtkNew<vtkPolyData> bare; /* a copy without the file's arrays, which only cost time */
        bare->SetPoints(poly->GetPoints());
        bare->SetPolys(poly->GetPolys());
        bare->SetStrips(poly->GetStrips());
        vtkNew<vtkTriangleFilter> triangles;
        triangles->SetInputData(bare);
        triangles->PassLinesOff();
        triangles->PassVertsOff();
        triangles->Update();
        const vtkSmartPointer<vtkPolyData> joined = join_corners(triangles->GetOutput());
        remove_duplicates(joined);
        int rc = from_polydata(joined, out);
        if (rc == OK)
            rc = surface_mend(out);
        if (rc != OK || is_wound_alike(out))
            return rc;
        vtkNew<vtkPolyDataNormals> wound;
        wound->SetInputData(to_polydata(out));
        wound->ConsistencyOn();
        /* at an edge with four triangles, the filter cannot know which triangles belong together */
        wound->NonManifoldTraversalOff();
        wound->SplittingOff();
        wound->ComputePointNormalsOff();
        wound->ComputeCellNormalsOn(); /* without cell normals the filter does nothing */
        wound->Update();
        surface_free(out);
        return from_polydata(wound->GetOutput(), out);
    });
}

/* Copies one point array as doubles. */
int copy_array(const char *path, vtkPolyData *poly, const char *name, int components, std::vector<double> *value) {
    vtkDataArray *array = poly->GetPointData()->GetArray(name);
    if (!array || array->GetNumberOfComponents() != components ||
        array->GetNumberOfTuples() != poly->GetNumberOfPoints())
        return fail(ERR_INPUT, "'%s' has no point data '%s' with %d component%s; run post again", path, name,
                    components, components > 1 ? "s" : "");
    value->resize(static_cast<size_t>(components) * static_cast<size_t>(poly->GetNumberOfPoints()));
    for (vtkIdType i = 0; i < poly->GetNumberOfPoints(); i++)
        array->GetTuple(i, value->data() + components * i);
    return OK;
}

int read_stored(const char *path, const char *name, int components, surface *out, std::vector<double> *value) {
    return run_quietly("reading a surface", [&]() {
        vtkSmartPointer<vtkPolyData> poly;
        int rc = read_whole(path, &poly);
        if (rc == OK)
            rc = copy_array(path, poly, name, components, value);
        return rc == OK ? from_polydata(poly, out) : rc;
    });
}

/* Packs the surface for the other process as the bytes of a volume one voxel wide: counts, points, values,
 * triangles. */
int pack_surface(const surface *s, const std::vector<double> &value, volume *out) {
    const int64_t counts[3] = {s->n_point, s->n_triangle, static_cast<int64_t>(value.size())};
    const size_t points = 3 * sizeof(double) * static_cast<size_t>(s->n_point);
    const size_t triangles = 3 * sizeof(int32_t) * static_cast<size_t>(s->n_triangle);
    const size_t values = sizeof(double) * value.size();
    const size_t words = (sizeof counts + points + values + triangles) / sizeof(float);
    if (words > INT32_MAX)
        return fail(ERR_RESOURCE, "a surface of %lld triangles takes more than 8 GiB; decimate it",
                    static_cast<long long>(s->n_triangle));
    const int dims[3] = {static_cast<int>(words), 1, 1};
    const double one[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
    const int rc = volume_create(out, dims, one, zero, nullptr);
    if (rc != OK)
        return rc;
    char *bytes = reinterpret_cast<char *>(out->value);
    std::memcpy(bytes, counts, sizeof counts);
    std::memcpy(bytes + sizeof counts, s->point_mm, points);
    if (values > 0)
        std::memcpy(bytes + sizeof counts + points, value.data(), values);
    std::memcpy(bytes + sizeof counts + points + values, s->triangle, triangles);
    return OK;
}

/* Unpacks a surface and its values; value NULL: no values. */
int unpack_surface(const volume *v, surface *out, double **value) {
    int64_t counts[3];
    const char *bytes = reinterpret_cast<const char *>(v->value);
    std::memcpy(counts, bytes, sizeof counts);
    const int rc = surface_create(out, counts[0], counts[1]);
    if (rc != OK)
        return rc;
    const size_t points = 3 * sizeof(double) * static_cast<size_t>(counts[0]);
    std::memcpy(out->point_mm, bytes + sizeof counts, points);
    const size_t values = sizeof(double) * static_cast<size_t>(counts[2]);
    std::memcpy(out->triangle, bytes + sizeof counts + points + values,
                3 * sizeof(int32_t) * static_cast<size_t>(counts[1]));
    if (!value)
        return OK;
    *value = static_cast<double *>(malloc(values));
    if (!*value) {
        surface_free(out);
        return fail_memory("the values of a surface", static_cast<double>(values));
    }
    std::memcpy(*value, bytes + sizeof counts + points, values);
    return OK;
}

struct request {
    const char *path, *array; /* array: name of a point array; NULL: read only the surface, as triangles */
    int components;
};

/* Reads and packs a surface; a reader for isolate_read. argument: a request. */
int read_and_pack(void *argument, char *, volume *out) {
    const request *r = static_cast<const request *>(argument);
    struct stat file;
    surface s = {}; /* not freed after an exception, because this process exits soon */
    std::vector<double> value;
    use_one_thread();
    if (stat(r->path, &file) == 0)
        isolate_limit_memory(5e8 + 100.0 * static_cast<double>(file.st_size));
    int rc = guard_call("reading a surface", 0, [&]() {
        return r->array ? read_stored(r->path, r->array, r->components, &s, &value) : read_triangles(r->path, &s);
    });
    /* An array length that is damaged in the file exceeds the memory limit set above; an intact file does not. */
    if (rc == ERR_RESOURCE || rc == ERR_INTERNAL) {
        status_clear();
        rc = fail(
            ERR_INPUT,
            "'%s' is damaged: reading it fails, or needs more memory than an intact file of this size; export it again",
            r->path);
    }
    if (rc == OK)
        rc = pack_surface(&s, value, out);
    surface_free(&s);
    return rc;
}

int check_file(const char *path) {
    struct stat file;
    if (access(path, R_OK) != 0 || stat(path, &file) != 0)
        return fail(ERR_INPUT, "cannot open '%s': %s", path, std::strerror(errno));
    if (!S_ISREG(file.st_mode))
        return fail(ERR_INPUT, "cannot read a surface from '%s': it is not a file; check the path", path);
    return OK;
}

int read_isolated(request *r, surface *out, double **value) {
    volume packed = {};
    int rc = isolate_read(r->path, read_and_pack, r, &packed);
    if (rc == OK)
        rc = unpack_surface(&packed, out, value);
    volume_free(&packed);
    if (rc == OK && out->n_triangle == 0) {
        surface_free(out);
        if (value)
            free(*value);
        return fail(ERR_INPUT, "'%s' holds no triangle; export it again", r->path);
    }
    return rc;
}

} // namespace

int surface_read(const char *path, double scale_to_mm, int ras, surface *out) {
    std::memset(out, 0, sizeof *out);
    request r = {path, nullptr, 0};
    int rc = guard_call("reading a surface", 0, [&]() {
        const std::string ending = ending_of(path);
        if (ending != ".stl" && ending != ".vtp" && ending != ".ply" && ending != ".vtk")
            return fail(ERR_INPUT, "'%s' is not a surface file: its name must end in .stl, .vtp, .ply or .vtk", path);
        return check_file(path);
    });
    if (rc == OK)
        rc = read_isolated(&r, out, nullptr);
    if (rc != OK)
        return rc;
    const double scale[3] = {ras ? -scale_to_mm : scale_to_mm, ras ? -scale_to_mm : scale_to_mm, scale_to_mm};
    for (int64_t i = 0; i < 3 * out->n_point; i++)
        out->point_mm[i] *= scale[i % 3];
    turn_outward(out);
    return OK;
}

int surface_read_array(const char *path, const char *name, int components, surface *out, double **value) {
    std::memset(out, 0, sizeof *out);
    *value = nullptr;
    request r = {path, name, components};
    const int rc = guard_call("reading a surface", 0, [&]() {
        if (ending_of(path) != ".vtp")
            return fail(ERR_INPUT, "'%s' does not end in .vtp: a surface with values, as `post` writes it, is needed",
                        path);
        return check_file(path);
    });
    return rc == OK ? read_isolated(&r, out, value) : rc;
}
