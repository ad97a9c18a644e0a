/* Surface files and surfaces from level sets; see vtk_surface.h. VTK stops here. */
#include "common/vtk_surface.h"
#include "common/file.h"
#include "common/isolate.h"
#include "common/status.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkCleanPolyData.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkFieldData.h>
#include <vtkFlyingEdges3D.h>
#include <vtkGenericDataObjectReader.h>
#include <vtkImageData.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkPLYReader.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataNormals.h>
#include <vtkSTLReader.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkTriangleFilter.h>
#include <vtkWindowedSincPolyDataFilter.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLPolyDataWriter.h>

namespace {

class quiet_window : public vtkOutputWindow {
  public:
    static quiet_window *New();
    vtkTypeMacro(quiet_window, vtkOutputWindow);
    void DisplayText(const char *) override {}
};
vtkStandardNewMacro(quiet_window);

/* VTK prints its own messages; here the sentence of fail() stands for them, from here to the end of the block. */
struct quiet_scope {
    vtkLogger::Verbosity before = vtkLogger::GetCurrentVerbosityCutoff();
    vtkSmartPointer<vtkOutputWindow> window_before = vtkOutputWindow::GetInstance();
    vtkNew<quiet_window> window;
    quiet_scope() {
        vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
        vtkOutputWindow::SetInstance(window);
    }
    ~quiet_scope() {
        vtkOutputWindow::SetInstance(window_before);
        vtkLogger::SetStderrVerbosity(before);
    }
    quiet_scope(const quiet_scope &) = delete;
    quiet_scope &operator=(const quiet_scope &) = delete;
};

std::string ending_of(const char *path) {
    const std::string text(path);
    const size_t dot = text.find_last_of("./");
    if (dot == std::string::npos || text[dot] == '/')
        return "";
    std::string ending = text.substr(dot);
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending;
}

/* Run `body` (which returns a status); what C++ throws becomes a status. */
template <class F> int guarded(const char *what, F body) {
    try {
        quiet_scope quiet;
        return body();
    } catch (const std::bad_alloc &) {
        return fail(ERR_RESOURCE, "not enough memory for %s; use a coarser image or surface", what);
    } catch (const std::exception &e) {
        return fail(ERR_INTERNAL, "%s: %s", what, e.what());
    }
}

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

/* Triangles with three different corners; points as they are. `turn`: swap two corners of each. */
int from_polydata(vtkPolyData *poly, bool turn, surface *out) {
    const vtkIdType n_point = poly->GetNumberOfPoints();
    std::vector<std::array<vtkIdType, 3>> kept;
    kept.reserve(static_cast<size_t>(poly->GetNumberOfPolys()));
    auto it = vtk::TakeSmartPointer(poly->GetPolys()->NewIterator());
    for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
        vtkIdType n = 0;
        const vtkIdType *c = nullptr;
        it->GetCurrentCell(n, c);
        if (n == 3 && c[0] != c[1] && c[1] != c[2] && c[0] != c[2])
            kept.push_back({c[0], c[turn ? 2 : 1], c[turn ? 1 : 2]});
    }
    const int rc = surface_create(out, n_point, static_cast<int64_t>(kept.size()));
    if (rc != OK)
        return rc;
    for (vtkIdType i = 0; i < n_point; i++)
        poly->GetPoint(i, out->point_mm + 3 * i);
    for (size_t t = 0; t < kept.size(); t++)
        for (int k = 0; k < 3; k++)
            out->triangle[3 * t + k] = static_cast<int32_t>(kept[t][k]);
    return OK;
}

vtkSmartPointer<vtkPolyData> to_polydata(const surface *s) {
    auto poly = vtkSmartPointer<vtkPolyData>::New();
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    points->SetNumberOfPoints(s->n_point);
    for (int64_t i = 0; i < s->n_point; i++)
        points->SetPoint(i, s->point_mm + 3 * i);
    vtkNew<vtkCellArray> cells;
    cells->AllocateExact(s->n_triangle, 3 * s->n_triangle);
    for (int64_t t = 0; t < s->n_triangle; t++) {
        const vtkIdType c[3] = {s->triangle[3 * t], s->triangle[3 * t + 1], s->triangle[3 * t + 2]};
        cells->InsertNextCell(3, c);
    }
    poly->SetPoints(points);
    poly->SetPolys(cells);
    return poly;
}

/* A file may be wound inside out: turn it when its volume is negative. */
void turn_outward(surface *s) {
    if (surface_volume_mm3(s) >= 0)
        return;
    for (int64_t t = 0; t < s->n_triangle; t++)
        std::swap(s->triangle[3 * t + 1], s->triangle[3 * t + 2]);
}

void append_float(std::string *bytes, double value) {
    const float f = static_cast<float>(value);
    bytes->append(reinterpret_cast<const char *>(&f),
                  4); /* little-endian in STL and PLY, as every machine we build on */
}

std::string stl_bytes(const surface *s) {
    std::string bytes = "portaflow surface, SPACE=LPS, UNIT=mm";
    bytes.resize(80, ' ');
    const uint32_t n = static_cast<uint32_t>(s->n_triangle);
    bytes.append(reinterpret_cast<const char *>(&n), 4);
    bytes.reserve(84 + 50 * static_cast<size_t>(n));
    for (int64_t t = 0; t < s->n_triangle; t++) {
        const double *p[3];
        double u[3], v[3];
        for (int k = 0; k < 3; k++)
            p[k] = s->point_mm + 3 * static_cast<int64_t>(s->triangle[3 * t + k]);
        for (int k = 0; k < 3; k++) {
            u[k] = p[1][k] - p[0][k];
            v[k] = p[2][k] - p[0][k];
        }
        const double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        const double length = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (double component : normal)
            append_float(&bytes, length > 0 ? component / length : 0);
        for (const double *corner : p)
            for (int k = 0; k < 3; k++)
                append_float(&bytes, corner[k]);
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
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->WriteToOutputStringOn();
    if (writer->Write() != 1)
        return fail(ERR_INTERNAL, "VTK could not make the VTP text of a surface of %lld points",
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

/* phi with one more layer round it, positive there, so that a lumen at the border is closed on the border's faces. */
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

vtkSmartPointer<vtkPolyData> merged(vtkPolyData *poly) {
    vtkNew<vtkCleanPolyData> clean;
    clean->SetInputData(poly);
    clean->PointMergingOn();
    clean->ToleranceIsAbsoluteOn();
    clean->SetAbsoluteTolerance(0);
    clean->ConvertPolysToLinesOff();
    clean->ConvertLinesToPointsOff();
    clean->Update();
    return clean->GetOutput();
}

} // namespace

/* What the file holds, as triangles without scale: run in a process of its own, for VTK's readers of PLY and legacy
 * files follow wild pointers in damaged ones. */
static int read_triangles(const char *path, surface *out) {
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
        return from_polydata(wound->GetOutput(), false, out);
    });
}

/* The surface travels between the processes as the bytes of a volume one voxel wide: counts, points, triangles. */
static int pack(const surface *s, volume *out) {
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

static int unpack(const volume *v, surface *out) {
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
static int read_and_pack(void *argument, char *, volume *out) {
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

int surface_write(const char *path, const surface *s, int n_array, const surface_array *array) {
    const std::string ending = ending_of(path);
    if (ending != ".stl" && ending != ".vtp" && ending != ".ply")
        return fail(ERR_OUTPUT, "cannot write '%s': the ending must be .stl, .vtp or .ply", path);
    if (n_array > 0 && ending != ".vtp")
        return fail(ERR_OUTPUT, "cannot write '%s': only .vtp holds values at the points", path);
    return guarded("writing a surface", [&]() {
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
    const int rc = guarded("the surface of a level set", [&]() {
        vtkNew<vtkFlyingEdges3D> contour;
        contour->SetInputData(padded_image(phi_mm));
        contour->SetValue(0, 0.0);
        contour->ComputeNormalsOff();
        contour->ComputeGradientsOff();
        contour->ComputeScalarsOff();
        contour->Update();
        return from_polydata(merged(contour->GetOutput()), false, out);
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

int surface_smooth(surface *s, int iterations, double pass_band) {
    if (iterations <= 0)
        return OK;
    return guarded("smoothing a surface", [&]() {
        vtkNew<vtkWindowedSincPolyDataFilter> smooth;
        smooth->SetInputData(to_polydata(s));
        smooth->SetNumberOfIterations(iterations);
        smooth->SetPassBand(std::clamp(pass_band, 1e-6, 2.0));
        smooth->NormalizeCoordinatesOn();
        smooth->NonManifoldSmoothingOn();
        smooth->BoundarySmoothingOff();
        smooth->FeatureEdgeSmoothingOff();
        smooth->Update();
        vtkPolyData *poly = smooth->GetOutput();
        if (poly->GetNumberOfPoints() != s->n_point)
            return fail(ERR_INTERNAL, "smoothing changed the number of points of a surface");
        for (int64_t i = 0; i < s->n_point; i++)
            poly->GetPoint(i, s->point_mm + 3 * i);
        return static_cast<int>(OK);
    });
}
