/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a view of a vessel: coloured surface, shell, isolines, camera. Part of the VTK shim (vtk_draw.h). */
#ifndef PORTAFLOW_VTK_SCENE_H
#define PORTAFLOW_VTK_SCENE_H
#include "common/draw/vtk_draw.h"
#include <vtkActor.h>
#include <vtkSmartPointer.h>

class vtkCamera;
class vtkLookupTable;

vtkSmartPointer<vtkActor> vtk_scene_coloured(const surface *shape, const double *value, vtkLookupTable *table);
vtkSmartPointer<vtkActor> vtk_scene_shell(const surface *shell);
/* Isolines at the ends of `intervals` equal parts of low..high, moved by lift_mm towards the viewer, opposite to
 * `direction`. */
vtkSmartPointer<vtkActor> vtk_scene_lines(const surface *shape, const double *value, double low, double high,
                                          int intervals, const double direction[3], double lift_mm);

/* Polylines: line k has the points first[k] .. first[k + 1] - 1. They are moved by lift_mm towards the viewer, opposite
 * to `direction`, as in vtk_scene_lines. width: in pixels. */
vtkSmartPointer<vtkActor> vtk_scene_polylines(int n, const int32_t *first, const double *point_mm,
                                              const double direction[3], double lift_mm, float width, double grey);

/* Extent of points in a view: centre in world coordinates; half extents to the right, up and along the view, mm. */
struct vtk_scene_extent {
    double middle[3] = {0, 0, 0}, half[3] = {0, 0, 0};
};
/* Extent of the surfaces (shell may be nullptr) and n_label points. */
vtk_scene_extent vtk_scene_measure(const surface *shape, const surface *shell, int n_label, const double *label_mm,
                                   const vtk_draw_view &v);
/* Sets a parallel projection; `scale`: half of the view's height, mm. */
void vtk_scene_aim(vtkCamera *camera, const vtk_draw_view &v, const vtk_scene_extent &e, double scale);
#endif
