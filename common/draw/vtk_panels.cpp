/* SPDX-License-Identifier: Apache-2.0 */
// See vtk_draw.h: several small views on a page.
#include "common/base/guard.h"
#include "common/draw/vtk_parts.h"
#include "common/draw/vtk_scene.h"
#include "common/draw/vtk_draw.h"
#include "common/draw/vtk_window.h"
#include <algorithm>
#include <cmath>
#include <exception>
#include <vector>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkRenderer.h>

namespace {
/* layout in pixels; LOWEST and HIGHEST are limits of the height of the page */
enum { WIDTH = 1800, HEAD = 110, FOOT = 20, NAMES = 40, BAR = 250, ROW_NAMES = 130, LOWEST = 720, HIGHEST = 1500 };
struct page {
    int rows = 0, columns = 0, height = 0;
    double left = 0, width = 0;            /* pixels: left edge of the first panel, width of each panel */
    std::vector<double> row_height, scale; /* [row] row_height: pixels, without the line of panel names;
                                            * scale: half of this height in mm of the scene */
};

vtk_scene_extent measure_panel(const vtk_draw_panel &p) {
    return vtk_scene_measure(p.shape, p.shell, 0, nullptr, p.view);
}

/* Maximum half width and half height, mm, of panels `first .. first + n - 1`; 0 if all are empty. */
void largest_extent(const vtk_draw_panels *p, int first, int n, double half[2]) {
    half[0] = half[1] = 0;
    for (int k = first; k < first + n; k++)
        if (p->panel[k].shape) {
            const vtk_scene_extent e = measure_panel(p->panel[k]);
            half[0] = std::max(half[0], e.half[0]);
            half[1] = std::max(half[1], e.half[1]);
        }
}

/* Chooses the number of rows. A single row of panels is wrapped into several rows if this enlarges the panels on a page
 * of normal size. */
void wrap_row(const vtk_draw_panels *p, page *to) {
    const int n = p->n_column;
    double half[2], best = 0;
    to->rows = p->n_row;
    to->columns = n;
    if (p->n_row != 1)
        return;
    largest_extent(p, 0, n, half);
    for (int rows = 1; rows <= n; rows++) {
        const int columns = (n + rows - 1) / rows;
        const double wide = static_cast<double>(WIDTH - BAR) / columns / std::max(half[0], 1e-3);
        const double high = ((HIGHEST + LOWEST) / 2.0 - HEAD - FOOT) / rows / std::max(half[1], 1e-3);
        if (std::min(wide, high) > 1.001 * best) {
            best = std::min(wide, high);
            to->rows = rows;
            to->columns = columns;
        }
    }
}

void lay_out(const vtk_draw_panels *p, page *to) {
    wrap_row(p, to);
    to->left = p->row_name ? ROW_NAMES : 0;
    to->width = (WIDTH - BAR - to->left) / to->columns;
    const int n = p->n_row * p->n_column;
    double sum = 0;
    const double room = HIGHEST - HEAD - FOOT - to->rows * NAMES;
    for (int row = 0; row < to->rows; row++) {
        const int first = row * to->columns;
        double half[2];
        largest_extent(p, first, std::min(to->columns, n - first), half);
        const double wanted = half[0] > 0 ? to->width * half[1] / half[0] : 0.5 * to->width;
        to->row_height.push_back(std::min(wanted, room / to->rows));
        const double high = to->row_height[row] - 2 * p->room, wide = to->width - 2 * p->room;
        const double mm_per_half = std::max({half[1] / std::max(high, 1.0), half[0] / std::max(wide, 1.0), 1e-6});
        to->scale.push_back(mm_per_half * to->row_height[row]);
        sum += to->row_height[row] + NAMES;
    }
    to->height = std::max(static_cast<int>(LOWEST), static_cast<int>(sum) + HEAD + FOOT);
}

void add_panel(vtkGenericOpenGLRenderWindow *window, const vtk_draw_panels *p, const vtk_draw_panel &panel,
               vtkLookupTable *table, const page &g, int row, int column, double bottom) {
    const double left = g.left + column * g.width;
    double viewport[4] = {left / WIDTH, bottom / g.height, (left + g.width) / WIDTH,
                          (bottom + g.row_height[row]) / g.height};
    const vtk_scene_extent e = measure_panel(panel);
    const int pixels[2] = {static_cast<int>(g.width), static_cast<int>(g.row_height[row])};
    const double *along = panel.view.direction;
    vtkNew<vtkRenderer> renderer;
    renderer->SetViewport(viewport);
    renderer->SetBackground(1, 1, 1);
    renderer->AddActor(vtk_scene_coloured(panel.shape, panel.value, table));
    if (panel.shell)
        renderer->AddActor(vtk_scene_shell(panel.shell));
    if (p->lines)
        renderer->AddActor(vtk_scene_lines(panel.shape, panel.value, p->low, p->high, 2 * p->intervals, along,
                                           0.002 * (e.half[0] + e.half[1])));
    vtk_scene_aim(renderer->GetActiveCamera(), panel.view, e, g.scale[row]);
    window->AddRenderer(renderer);
    if (column == 0) {
        vtk_parts_scale_bar(renderer, 2 * g.scale[row] / pixels[1], pixels, true);
        vtk_parts_letters(renderer, panel.view, pixels);
    }
}

int draw_panels(const char *path, const vtk_draw_panels *p) {
    const char *reason;
    page g;
    lay_out(p, &g);
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> window = vtk_window_create(WIDTH, g.height, &reason);
    if (!window)
        return fail(ERR_RESOURCE, "no pictures: %s", reason);
    vtkSmartPointer<vtkLookupTable> table = vtk_parts_colours(p->map, p->low, p->high, p->above != 0);
    vtkNew<vtkRenderer> back;
    back->SetBackground(1, 1, 1);
    window->AddRenderer(back);
    vtk_parts_text(back, p->title, 0.02, 1 - 35.0 / g.height, 36, true);
    if (p->note)
        vtk_parts_text(back, p->note, 0.02, 1 - 80.0 / g.height, 24, false);
    vtk_parts_colour_bar(back, table, p->bar_title, p->intervals, p->above != 0);
    double bottom = g.height - HEAD;
    for (int row = 0; row < g.rows; row++) {
        bottom -= NAMES + g.row_height[row];
        const double above = (bottom + g.row_height[row] + NAMES / 2.0) / g.height;
        if (p->row_name)
            vtk_parts_text(back, p->row_name[row], 0.008, (bottom + g.row_height[row] / 2) / g.height, 24, true);
        for (int column = 0; column < g.columns; column++) {
            const int k = row * g.columns + column;
            if (k >= p->n_row * p->n_column || !p->panel[k].shape)
                continue;
            if (p->panel[k].name)
                vtk_parts_centred(back, p->panel[k].name, (g.left + (column + 0.5) * g.width) / WIDTH, above, 24,
                                  false);
            add_panel(window, p, p->panel[k], table, g, row, column, bottom);
        }
    }
    return vtk_window_write(window, path);
}
} // namespace

int vtk_draw_write_panels(const char *path, const vtk_draw_panels *p) {
    return guard_call("drawing a picture", 0, [&]() { return draw_panels(path, p); });
}
