/* SPDX-License-Identifier: Apache-2.0 */
// See vtk_draw.h.
#include "common/draw/vtk_draw.h"
#include "common/base/guard.h"
#include "common/draw/label_separate.h"
#include "common/draw/vtk_parts.h"
#include "common/draw/vtk_scene.h"
#include "common/draw/vtk_window.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <vector>
#include <vtkActor.h>
#include <vtkArrowSource.h>
#include <vtkCamera.h>
#include <vtkDoubleArray.h>
#include <vtkGlyph3D.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

namespace {
enum { WIDTH = 1800, HEIGHT = 1200 };
/* Fractions of the window width and height that the views fill; the colour bar and the title are in the rest */
const double VIEWS_RIGHT = 0.86, VIEWS_TOP = 0.90;

vtkSmartPointer<vtkActor> arrow_actor(const vtk_draw_picture *p) {
    vtkNew<vtkPoints> points;
    vtkNew<vtkDoubleArray> vectors;
    vectors->SetNumberOfComponents(3);
    for (int k = 0; k < p->n_arrow; k++) {
        points->InsertNextPoint(p->arrow_mm + 3 * k);
        vectors->InsertNextTuple(p->arrow + 3 * k);
    }
    vtkNew<vtkPolyData> feet;
    feet->SetPoints(points);
    feet->GetPointData()->SetVectors(vectors);
    vtkNew<vtkArrowSource> arrow;
    arrow->SetTipLength(0.4);
    arrow->SetTipRadius(0.14);
    arrow->SetShaftRadius(0.045);
    vtkNew<vtkGlyph3D> glyph;
    glyph->SetInputData(feet);
    glyph->SetSourceConnection(arrow->GetOutputPort());
    glyph->SetVectorModeToUseVector();
    glyph->SetScaleModeToScaleByVector();
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputConnection(glyph->GetOutputPort());
    mapper->ScalarVisibilityOff();
    vtkSmartPointer<vtkActor> actor = vtkSmartPointer<vtkActor>::New();
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(0, 0, 0);
    actor->GetProperty()->SetAmbient(1);
    actor->GetProperty()->SetDiffuse(0);
    return actor;
}

vtk_scene_extent measure_view(const vtk_draw_picture *p, const vtk_draw_view &v) {
    return vtk_scene_measure(p->shape, p->shell, p->n_label, p->label_mm, v);
}

/* Half height of a view that shows the extent, mm, with a margin for the scale bar and the labels. */
double fitting_scale(const vtk_scene_extent &e, double aspect) {
    return 1.14 * std::max(e.half[1], e.half[0] / aspect);
}

/* Places the labels near their points and moves them apart where they overlap. */
void add_names(vtkRenderer *renderer, const vtk_draw_picture *p, const vtk_draw_view &v, const vtk_scene_extent &e,
               double mm_per_pixel, const int pixels[2]) {
    const double page[2] = {static_cast<double>(pixels[0]), static_cast<double>(pixels[1])};
    double axis[2][3];
    const int fixed = vtk_parts_edges + 1; /* the letters at the edges and the scale bar do not move */
    std::vector<std::array<double, 2>> given(fixed + p->n_label), half(fixed + p->n_label, {20, 20});
    vtk_parts_edge_places(pixels, given[0].data());
    vtk_parts_scale_place(mm_per_pixel, pixels, given[vtk_parts_edges].data(), half[vtk_parts_edges].data());
    vtk_parts_right(v, axis[0]);
    std::copy(v.up, v.up + 3, axis[1]);
    for (int j = 0; j < p->n_label; j++) {
        auto &middle = given[fixed + j];
        for (int d = 0; d < 2; d++) {
            middle[d] = page[d] / 2;
            for (int a = 0; a < 3; a++)
                middle[d] += axis[d][a] * (p->label_mm[3 * j + a] - e.middle[a]) / mm_per_pixel;
        }
        vtk_parts_label_size(p->label[j], half[fixed + j].data());
    }
    auto place = given;
    label_separate(static_cast<int>(place.size()), fixed, reinterpret_cast<double(*)[2]>(place.data()),
                   reinterpret_cast<const double(*)[2]>(half.data()), page);
    for (int j = 0; j < p->n_label; j++) {
        const int n = fixed + j;
        double at[3];
        for (int a = 0; a < 3; a++)
            at[a] = p->label_mm[3 * j + a] + mm_per_pixel * (axis[0][a] * (place[n][0] - given[n][0]) +
                                                             axis[1][a] * (place[n][1] - given[n][1]));
        vtk_parts_label(renderer, at, p->label[j]);
    }
}

void add_view(vtkGenericOpenGLRenderWindow *window, const vtk_draw_picture *p, vtkLookupTable *table, int k,
              double scale) {
    const vtk_draw_view &v = p->view[k];
    double width = VIEWS_RIGHT / p->n_view;
    double viewport[4] = {k * width, 0, (k + 1) * width, VIEWS_TOP};
    vtkNew<vtkRenderer> renderer;
    renderer->SetViewport(viewport);
    renderer->SetBackground(1, 1, 1);
    renderer->AddActor(vtk_scene_coloured(p->shape, p->value, table));
    if (p->shell)
        renderer->AddActor(vtk_scene_shell(p->shell));
    if (p->n_arrow > 0)
        renderer->AddActor(arrow_actor(p));
    if (p->n_line > 0) {
        const double lift = p->line_lift_mm;
        renderer->AddActor(vtk_scene_polylines(p->n_line, p->line_first, p->line_mm, v.direction, lift, 5, 0.1));
        renderer->AddActor(vtk_scene_polylines(p->n_line, p->line_first, p->line_mm, v.direction, 2 * lift, 2.5F, 1));
    }
    const vtk_scene_extent e = measure_view(p, v);
    vtk_scene_aim(renderer->GetActiveCamera(), v, e, scale);
    window->AddRenderer(renderer);
    int pixels[2] = {static_cast<int>(width * WIDTH), static_cast<int>(VIEWS_TOP * HEIGHT)};
    vtk_parts_scale_bar(renderer, 2 * scale / pixels[1], pixels);
    vtk_parts_directions(renderer, v, pixels);
    add_names(renderer, p, v, e, 2 * scale / pixels[1], pixels);
    double corner[4] = {viewport[0], 0.0, viewport[0] + 0.30 * width, 0.22};
    vtk_parts_triad(window, v, corner);
}

int draw_picture(const char *path, const vtk_draw_picture *p) {
    const char *reason;
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> window = vtk_window_create(WIDTH, HEIGHT, &reason);
    if (!window)
        return fail(ERR_RESOURCE, "no pictures: %s", reason);
    vtkSmartPointer<vtkLookupTable> table = vtk_parts_colours(p->map, p->low, p->high, p->above != 0);
    double aspect = VIEWS_RIGHT / p->n_view * WIDTH / (VIEWS_TOP * HEIGHT), scale = 0;
    for (int k = 0; k < p->n_view; k++) /* one scale for all views */
        scale = std::max(scale, fitting_scale(measure_view(p, p->view[k]), aspect));
    vtkNew<vtkRenderer> page;
    page->SetBackground(1, 1, 1);
    window->AddRenderer(page);
    vtk_parts_text(page, p->title, 0.02, 0.965, 38, true);
    if (p->note)
        vtk_parts_text(page, p->note, 0.02, 0.925, 24, false);
    vtk_parts_colour_bar(page, table, p->bar_title, p->intervals, p->above != 0);
    for (int k = 0; k < p->n_view; k++)
        add_view(window, p, table, k, scale);
    return vtk_window_write(window, path);
}
} // namespace

int vtk_draw_available(const char **reason) {
    try {
        return vtk_window_create(16, 16, reason) != nullptr;
    } catch (...) {
        *reason = "the renderer of pictures (VTK) failed to start";
        return 0;
    }
}

int vtk_draw_write_picture(const char *path, const vtk_draw_picture *p) {
    return guard_call("drawing a picture", 0, [&]() { return draw_picture(path, p); });
}
