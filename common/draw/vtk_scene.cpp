/* SPDX-License-Identifier: Apache-2.0 */
#include "common/draw/vtk_scene.h"
#include "common/draw/vtk_parts.h"
#include <algorithm>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkContourFilter.h>
#include <vtkDoubleArray.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

static vtkSmartPointer<vtkPolyData> mesh_with(const surface *shape, const double *value) {
    vtkSmartPointer<vtkPolyData> mesh = vtk_parts_mesh(shape);
    vtkNew<vtkDoubleArray> array;
    array->SetNumberOfTuples(shape->n_point);
    for (vtkIdType k = 0; k < shape->n_point; k++)
        array->SetValue(k, value[k]);
    mesh->GetPointData()->SetScalars(array);
    return mesh;
}

vtkSmartPointer<vtkActor> vtk_scene_coloured(const surface *shape, const double *value, vtkLookupTable *table) {
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(mesh_with(shape, value));
    mapper->SetLookupTable(table);
    mapper->SetUseLookupTableScalarRange(true);
    mapper->InterpolateScalarsBeforeMappingOn(); /* interpolates values, not colours */
    vtkSmartPointer<vtkActor> actor = vtkSmartPointer<vtkActor>::New();
    actor->SetMapper(mapper);
    actor->GetProperty()->SetAmbient(0.8); /* little shading, since the colours must match the bar */
    actor->GetProperty()->SetDiffuse(0.22);
    actor->GetProperty()->SetSpecular(0);
    return actor;
}

vtkSmartPointer<vtkActor> vtk_scene_shell(const surface *shell) {
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(vtk_parts_mesh(shell));
    mapper->ScalarVisibilityOff();
    vtkSmartPointer<vtkActor> actor = vtkSmartPointer<vtkActor>::New();
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(0.86, 0.86, 0.88);
    actor->GetProperty()->FrontfaceCullingOn(); /* front faces are hidden, so that the inner side is visible */
    actor->GetProperty()->SetAmbient(0.5);
    actor->GetProperty()->SetDiffuse(0.5);
    return actor;
}

vtkSmartPointer<vtkActor> vtk_scene_lines(const surface *shape, const double *value, double low, double high,
                                          int intervals, const double direction[3], double lift_mm) {
    vtkNew<vtkContourFilter> lines;
    lines->SetInputData(mesh_with(shape, value));
    for (int k = 0; k <= intervals; k++)
        lines->SetValue(k, low + (high - low) * k / intervals);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputConnection(lines->GetOutputPort());
    mapper->ScalarVisibilityOff();
    vtkSmartPointer<vtkActor> actor = vtkSmartPointer<vtkActor>::New();
    actor->SetMapper(mapper);
    actor->SetPosition(-lift_mm * direction[0], -lift_mm * direction[1], -lift_mm * direction[2]);
    actor->GetProperty()->SetColor(0.1, 0.1, 0.1);
    actor->GetProperty()->SetLighting(false);
    actor->GetProperty()->SetLineWidth(1.2F);
    return actor;
}

vtkSmartPointer<vtkActor> vtk_scene_polylines(int n, const int32_t *first, const double *point_mm,
                                              const double direction[3], double lift_mm, float width, double grey) {
    vtkNew<vtkPoints> points;
    vtkNew<vtkCellArray> cells;
    for (int k = 0; k < first[n]; k++)
        points->InsertNextPoint(point_mm + 3 * k);
    for (int k = 0; k < n; k++) {
        cells->InsertNextCell(first[k + 1] - first[k]);
        for (int i = first[k]; i < first[k + 1]; i++)
            cells->InsertCellPoint(i);
    }
    vtkNew<vtkPolyData> lines;
    lines->SetPoints(points);
    lines->SetLines(cells);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(lines);
    mapper->ScalarVisibilityOff();
    vtkSmartPointer<vtkActor> actor = vtkSmartPointer<vtkActor>::New();
    actor->SetMapper(mapper);
    actor->SetPosition(-lift_mm * direction[0], -lift_mm * direction[1], -lift_mm * direction[2]);
    actor->GetProperty()->SetColor(grey, grey, grey);
    actor->GetProperty()->SetLighting(false);
    actor->GetProperty()->SetLineWidth(width);
    return actor;
}

static void widen_range(int64_t n, const double *point_mm, const double axis[3][3], double low[3], double high[3]) {
    for (int64_t k = 0; k < n; k++)
        for (int a = 0; a < 3; a++) {
            const double *q = point_mm + 3 * k;
            double t = q[0] * axis[a][0] + q[1] * axis[a][1] + q[2] * axis[a][2];
            low[a] = std::min(low[a], t);
            high[a] = std::max(high[a], t);
        }
}

vtk_scene_extent vtk_scene_measure(const surface *shape, const surface *shell, int n_label, const double *label_mm,
                                   const vtk_draw_view &v) {
    double axis[3][3], low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
    vtk_scene_extent e;
    vtk_parts_right(v, axis[0]);
    std::copy(v.up, v.up + 3, axis[1]);
    std::copy(v.direction, v.direction + 3, axis[2]);
    widen_range(shape->n_point, shape->point_mm, axis, low, high);
    if (shell)
        widen_range(shell->n_point, shell->point_mm, axis, low, high);
    widen_range(n_label, label_mm, axis, low, high);
    for (int a = 0; a < 3; a++) {
        e.half[a] = std::max((high[a] - low[a]) / 2, 1e-3);
        for (int k = 0; k < 3; k++)
            e.middle[k] += axis[a][k] * (high[a] + low[a]) / 2;
    }
    return e;
}

void vtk_scene_aim(vtkCamera *camera, const vtk_draw_view &v, const vtk_scene_extent &e, double scale) {
    double far = 4 * (e.half[0] + e.half[1] + e.half[2]) + 10, from[3];
    for (int a = 0; a < 3; a++)
        from[a] = e.middle[a] - far * v.direction[a];
    camera->SetFocalPoint(e.middle);
    camera->SetPosition(from);
    camera->SetViewUp(v.up);
    camera->ParallelProjectionOn();
    camera->SetParallelScale(scale);
    camera->SetClippingRange(far - 2 * e.half[2] - 20, far + 2 * e.half[2] + 20);
}
