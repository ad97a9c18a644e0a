/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface_vtk/vtk_surface_tools.h"
#include "common/base/guard.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkCleanPolyData.h>
#include <vtkLogger.h>
#include <vtkMath.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkPoints.h>
#include <vtkSMPTools.h>

namespace {

class quiet_window : public vtkOutputWindow {
  public:
    static quiet_window *New();
    vtkTypeMacro(quiet_window, vtkOutputWindow);
    void DisplayText(const char *) override {}
    void DisplayErrorText(const char *) override { n_error++; }
    static std::atomic<int> n_error;
};
std::atomic<int> quiet_window::n_error{0};
vtkStandardNewMacro(quiet_window);

/* Suppresses VTK's own messages in its scope; fail() reports the error instead. */
struct quiet_scope {
    vtkLogger::Verbosity before = vtkLogger::GetCurrentVerbosityCutoff();
    vtkSmartPointer<vtkOutputWindow> window_before = vtkOutputWindow::GetInstance();
    vtkNew<quiet_window> window;
    quiet_scope() {
        vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
        vtkOutputWindow::SetInstance(window);
        quiet_window::n_error = 0;
    }
    ~quiet_scope() {
        vtkOutputWindow::SetInstance(window_before);
        vtkLogger::SetStderrVerbosity(before);
    }
    quiet_scope(const quiet_scope &) = delete;
    quiet_scope &operator=(const quiet_scope &) = delete;
};

} // namespace

namespace vtk_surface_tools {

std::string ending_of(const char *path) {
    const std::string text(path);
    const size_t dot = text.find_last_of("./");
    if (dot == std::string::npos || text[dot] == '/')
        return "";
    std::string ending = text.substr(dot);
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending;
}

void use_one_thread() {
    vtkSMPTools::SetBackend("Sequential");
}

bool reported_error() {
    return quiet_window::n_error > 0;
}

int run_quietly(const char *what, const std::function<int()> &body) {
    return guard_call(what, 0, [&]() {
        quiet_scope quiet;
        return body();
    });
}

int from_polydata(vtkPolyData *poly, surface *out) {
    const vtkIdType n_point = poly->GetNumberOfPoints();
    std::vector<std::array<vtkIdType, 3>> kept;
    kept.reserve(static_cast<size_t>(poly->GetNumberOfPolys()));
    auto it = vtk::TakeSmartPointer(poly->GetPolys()->NewIterator());
    for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
        vtkIdType n = 0;
        const vtkIdType *c = nullptr;
        it->GetCurrentCell(n, c);
        if (n == 3 && c[0] != c[1] && c[1] != c[2] && c[0] != c[2])
            kept.push_back({c[0], c[1], c[2]});
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

vtkSmartPointer<vtkPolyData> merge_points(vtkPolyData *poly, double apart) {
    vtkNew<vtkCleanPolyData> clean;
    clean->SetInputData(poly);
    clean->PointMergingOn();
    clean->ToleranceIsAbsoluteOn();
    clean->SetAbsoluteTolerance(apart);
    clean->ConvertPolysToLinesOff();
    clean->ConvertLinesToPointsOff();
    clean->Update();
    return clean->GetOutput();
}

namespace {

/* Number of edges with an odd number of triangles; at an open end an edge has 1. */
size_t count_odd_edges(vtkPolyData *poly) {
    std::vector<std::array<vtkIdType, 2>> side;
    side.reserve(3 * static_cast<size_t>(poly->GetNumberOfPolys()));
    vtkIdType n = 0;
    const vtkIdType *corner = nullptr;
    auto it = vtk::TakeSmartPointer(poly->GetPolys()->NewIterator());
    for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
        it->GetCurrentCell(n, corner);
        for (vtkIdType k = 0; k < n; k++)
            side.push_back({std::min(corner[k], corner[(k + 1) % n]), std::max(corner[k], corner[(k + 1) % n])});
    }
    std::sort(side.begin(), side.end());
    size_t odd = 0;
    for (size_t k = 0, next = 0; k < side.size(); k = next) {
        while (next < side.size() && side[next] == side[k])
            next++;
        odd += (next - k) % 2;
    }
    return odd;
}

double median_edge(vtkPolyData *poly) {
    std::vector<double> square;
    vtkIdType n = 0;
    const vtkIdType *corner = nullptr;
    auto it = vtk::TakeSmartPointer(poly->GetPolys()->NewIterator());
    for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
        it->GetCurrentCell(n, corner);
        std::array<double, 3> a{}, b{};
        poly->GetPoint(corner[0], a.data());
        poly->GetPoint(corner[1], b.data());
        square.push_back(vtkMath::Distance2BetweenPoints(a.data(), b.data()));
    }
    if (square.empty())
        return 0;
    const auto middle = square.begin() + static_cast<std::ptrdiff_t>(square.size() / 2);
    std::nth_element(square.begin(), middle, square.end());
    return std::sqrt(*middle);
}

} // namespace

vtkSmartPointer<vtkPolyData> join_corners(vtkPolyData *triangles) {
    const double six_digits = 1e-6, many = 0.02, wider = 4, widest = 0.05, most = 0.5;
    double largest = 0;
    for (int k = 0; k < 6; k++)
        largest = std::max(largest, std::fabs(triangles->GetBounds()[k]));
    vtkSmartPointer<vtkPolyData> best = merge_points(triangles, six_digits * largest);
    const size_t first = count_odd_edges(best);
    if (static_cast<double>(first) < many * 3 * static_cast<double>(best->GetNumberOfPolys()))
        return best;
    const double limit = widest * median_edge(triangles);
    size_t open = first;
    double apart = wider * six_digits * largest;
    while (apart <= limit) {
        const vtkSmartPointer<vtkPolyData> next = merge_points(triangles, apart);
        const size_t left = count_odd_edges(next);
        if (static_cast<double>(left) < most * static_cast<double>(open)) {
            best = next;
            open = left;
        } else if (open < first)
            break;
        apart *= wider;
    }
    return best;
}

namespace {

/* All triangles without duplicates; either_way: triangles of opposite orientation are duplicates too. */
vtkSmartPointer<vtkCellArray> without_duplicates(vtkPolyData *poly, bool either_way) {
    /* for each triangle the numbers of the three corners, the lowest first, and the number of the triangle */
    std::vector<std::array<vtkIdType, 4>> all;
    all.reserve(static_cast<size_t>(poly->GetNumberOfPolys()));
    vtkIdType n = 0;
    const vtkIdType *corner = nullptr;
    auto it = vtk::TakeSmartPointer(poly->GetPolys()->NewIterator());
    for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
        it->GetCurrentCell(n, corner);
        const auto first = std::min_element(corner, corner + n) - corner;
        if (n != 3)
            continue;
        all.push_back({corner[first], corner[(first + 1) % 3], corner[(first + 2) % 3], it->GetCurrentCellId()});
        if (either_way && all.back()[1] > all.back()[2])
            std::swap(all.back()[1], all.back()[2]);
    }
    std::sort(all.begin(), all.end());
    std::vector<bool> wanted(static_cast<size_t>(poly->GetNumberOfPolys()));
    for (size_t k = 0; k < all.size(); k++)
        wanted[static_cast<size_t>(all[k][3])] = k == 0 || !std::equal(&all[k][0], &all[k][3], &all[k - 1][0]);
    auto kept = vtkSmartPointer<vtkCellArray>::New();
    for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
        it->GetCurrentCell(n, corner);
        if (wanted[static_cast<size_t>(it->GetCurrentCellId())])
            kept->InsertNextCell(3, corner);
    }
    return kept;
}

} // namespace

void remove_duplicates(vtkPolyData *poly) {
    poly->SetPolys(without_duplicates(poly, false));
    vtkNew<vtkPolyData> single;
    single->SetPoints(poly->GetPoints());
    single->SetPolys(without_duplicates(poly, true));
    if (single->GetNumberOfPolys() < poly->GetNumberOfPolys() && count_odd_edges(single) < count_odd_edges(poly))
        poly->SetPolys(single->GetPolys());
}

void turn_outward(surface *s) {
    if (surface_volume_mm3(s) >= 0)
        return;
    for (int64_t t = 0; t < s->n_triangle; t++)
        std::swap(s->triangle[3 * t + 1], s->triangle[3 * t + 2]);
}

} // namespace vtk_surface_tools
