/* Reading surface files; see vtk_surface.h. */
#include "common/isolate.h"
#include "common/status.h"
#include "common/vtk_surface.h"
#include "common/vtk_surface_tools.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkErrorCode.h>
#include <vtkGenericDataObjectReader.h>
#include <vtkNew.h>
#include <vtkPLYReader.h>
#include <vtkPolyDataNormals.h>
#include <vtkSTLReader.h>
#include <vtkTriangleFilter.h>
#include <vtkXMLPolyDataReader.h>

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

vtkSmartPointer<vtkPolyData> read_by_ending(const char *path, const std::string &ending) {
    if (ending == ".stl")
        return read_with<vtkSTLReader>(path);
    if (ending == ".vtp")
        return read_with<vtkXMLPolyDataReader>(path);
    if (ending == ".ply")
        return read_with<vtkPLYReader>(path);
    return read_with<vtkGenericDataObjectReader>(path);
}

/* A corner number outside the points would crash every filter behind. */
bool corners_are_valid(vtkCellArray *cells, vtkIdType n_point) {
    auto it = vtk::TakeSmartPointer(cells->NewIterator());
    for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
        vtkIdType n = 0;
        const vtkIdType *corner = nullptr;
        it->GetCurrentCell(n, corner);
        for (vtkIdType k = 0; k < n; k++)
            if (corner[k] < 0 || corner[k] >= n_point)
                return false;
    }
    return true;
}

int check_input(const char *path, vtkPolyData *poly) {
    if (!poly || poly->GetNumberOfPoints() == 0)
        return fail(ERR_INPUT, "cannot read a surface from '%s': not a whole STL, VTP, PLY or VTK polydata file", path);
    const vtkIdType n = poly->GetNumberOfPoints();
    if (n > INT32_MAX / 4)
        return fail(ERR_INPUT, "'%s' has %lld points, at most %d are possible; decimate the surface", path,
                    static_cast<long long>(n), INT32_MAX / 4);
    for (vtkIdType i = 0; i < n; i++) {
        double p[3];
        poly->GetPoint(i, p);
        if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
            return fail(ERR_INPUT, "'%s': point %lld is not a finite number", path, static_cast<long long>(i));
    }
    if (!corners_are_valid(poly->GetPolys(), n) || !corners_are_valid(poly->GetStrips(), n))
        return fail(ERR_INPUT, "'%s': a polygon refers to a point that is not in the file", path);
    return OK;
}

/* What the file holds, as triangles without scale: run in a process of its own, for VTK's readers of PLY and legacy
 * files follow wild pointers in damaged ones. */
int read_triangles(const char *path, surface *out) {
    return guarded("reading a surface", [&]() {
        auto poly = read_by_ending(path, ending_of(path));
        const int bad = check_input(path, poly);
        if (bad != OK)
            return bad;
        vtkNew<vtkPolyData> bare; /* without the file's arrays: they only cost time here */
        bare->SetPoints(poly->GetPoints());
        bare->SetPolys(poly->GetPolys());
        bare->SetStrips(poly->GetStrips());
        vtkNew<vtkTriangleFilter> triangles;
        triangles->SetInputData(bare);
        triangles->PassLinesOff();
        triangles->PassVertsOff();
        triangles->Update();
        vtkNew<vtkPolyDataNormals> wound;
        wound->SetInputData(merged(triangles->GetOutput()));
        wound->ConsistencyOn();
        wound->SplittingOff();
        wound->ComputePointNormalsOff();
        wound->Update();
        return from_polydata(wound->GetOutput(), out);
    });
}

/* The surface travels between the processes as the bytes of a volume one voxel wide: counts, points, triangles. */
int pack(const surface *s, volume *out) {
    const int64_t counts[2] = {s->n_point, s->n_triangle};
    const size_t points = 3 * sizeof(double) * static_cast<size_t>(s->n_point);
    const size_t triangles = 3 * sizeof(int32_t) * static_cast<size_t>(s->n_triangle);
    const size_t words = (sizeof counts + points + triangles) / sizeof(float);
    if (words > INT32_MAX)
        return fail(ERR_RESOURCE, "a surface of %lld triangles is too large; decimate it",
                    static_cast<long long>(s->n_triangle));
    const int dims[3] = {static_cast<int>(words), 1, 1};
    const double one[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
    const int rc = volume_create(out, dims, one, zero, nullptr);
    if (rc != OK)
        return rc;
    char *bytes = reinterpret_cast<char *>(out->value);
    std::memcpy(bytes, counts, sizeof counts);
    std::memcpy(bytes + sizeof counts, s->point_mm, points);
    std::memcpy(bytes + sizeof counts + points, s->triangle, triangles);
    return OK;
}

int unpack(const volume *v, surface *out) {
    int64_t counts[2];
    const char *bytes = reinterpret_cast<const char *>(v->value);
    std::memcpy(counts, bytes, sizeof counts);
    const int rc = surface_create(out, counts[0], counts[1]);
    if (rc != OK)
        return rc;
    const size_t points = 3 * sizeof(double) * static_cast<size_t>(counts[0]);
    std::memcpy(out->point_mm, bytes + sizeof counts, points);
    std::memcpy(out->triangle, bytes + sizeof counts + points, 3 * sizeof(int32_t) * static_cast<size_t>(counts[1]));
    return OK;
}

/* For isolate_read: argument is the path. */
int read_and_pack(void *argument, char *, volume *out) {
    const char *path = static_cast<const char *>(argument);
    struct stat file;
    surface s = {};
    if (stat(path, &file) == 0)
        isolate_limit_memory(5e8 + 100.0 * static_cast<double>(file.st_size));
    int rc = read_triangles(path, &s);
    if (rc == OK)
        rc = pack(&s, out);
    surface_free(&s);
    return rc;
}

} // namespace

int surface_read(const char *path, double scale_to_mm, int ras, surface *out) {
    std::memset(out, 0, sizeof *out);
    const std::string ending = ending_of(path);
    if (ending != ".stl" && ending != ".vtp" && ending != ".ply" && ending != ".vtk")
        return fail(ERR_INPUT, "'%s' is not a surface file: the ending must be .stl, .vtp, .ply or .vtk", path);
    struct stat file;
    if (access(path, R_OK) != 0 || stat(path, &file) != 0)
        return fail(ERR_INPUT, "cannot open '%s': %s", path, std::strerror(errno));
    if (!S_ISREG(file.st_mode))
        return fail(ERR_INPUT, "cannot read a surface from '%s': it is not a file", path);
    volume packed = {};
    std::string name(path);
    int rc = isolate_read(path, read_and_pack, name.data(), &packed);
    if (rc == OK)
        rc = unpack(&packed, out);
    volume_free(&packed);
    if (rc != OK)
        return rc;
    if (out->n_triangle == 0) {
        surface_free(out);
        return fail(ERR_INPUT, "'%s' holds no triangle", path);
    }
    const double scale[3] = {ras ? -scale_to_mm : scale_to_mm, ras ? -scale_to_mm : scale_to_mm, scale_to_mm};
    for (int64_t i = 0; i < 3 * out->n_point; i++)
        out->point_mm[i] *= scale[i % 3];
    turn_outward(out);
    return OK;
}
