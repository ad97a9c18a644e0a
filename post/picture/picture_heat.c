/* SPDX-License-Identifier: Apache-2.0 */
#include "post/picture/picture_heat.h"
#include "common/base/status.h"
#include "post/picture/cut_lines.h"
#include "post/picture/views.h"
#include <math.h>
#include <stdio.h>

static const double LINES_ACROSS = 40; /* number of streamlines that would fit across the largest extent of the cut;
                                        * sets their distance */

/* Sample the temperature at the points of the cut, and find its range. */
static void sample_temperature(const album *a, const surface *cut, double *value, double *lowest, double *highest) {
    double low = INFINITY, high = -INFINITY;
#pragma omp parallel for schedule(dynamic, 256) reduction(min : low) reduction(max : high)
    for (int64_t k = 0; k < cut->n_point; k++) {
        sampler_stencil st;
        const int found = sampler_find_value(a->in->s, SAMPLER_FLOW, cut->point_mm + 3 * k, NULL, &st);
        value[k] = found ? sampler_apply(&st, a->in->f->temperature_c, 1, 0) : NAN;
        low = found ? fmin(low, value[k]) : low;
        high = found ? fmax(high, value[k]) : high;
    }
    *lowest = low;
    *highest = high;
}

int picture_heat_cut(album *a, const cut_frame *frame, const surface *cut, double *value) {
    if (!a->in->f->temperature_c)
        return OK;
    vtk_draw_picture p = album_on_wall(a, value);
    picture_file *file = album_next(a, ALBUM_TEMPERATURE);
    cut_lines lines = {0};
    double low, high, bottom[3], top[3], extent = 0;
    int rc;
    sample_temperature(a, cut, value, &low, &high);
    surface_bounds(cut, bottom, top);
    for (int k = 0; k < 3; k++)
        extent = fmax(extent, top[k] - bottom[k]);
    TRY(cut_lines_make(a->in->s, a->in->f, frame, cut, fmax(extent / LINES_ACROSS, 2 * a->in->l->spacing_mm), &lines));
    p.shape = cut;
    p.shell = &a->in->w->shape;
    p.n_view = 1;
    views_of_cut(frame->axis[2], &p.view[0]);
    p.n_line = lines.n;
    p.line_first = lines.first;
    p.line_mm = lines.point_mm;
    p.line_lift_mm = a->in->l->spacing_mm;
    picture_range(low, high, &p.low, &p.high, &p.intervals);
    p.map = VTK_DRAW_INFERNO;
    p.bar_title = "degC";
    p.title = "Temperature and streamlines in a cut";
    p.note = "white: along the velocity in the cut; the spacing of the lines does not show the speed";
    snprintf(file->caption, sizeof file->caption,
             "Temperature in degC in the same cut as the speed, from %.4g to %.4g. White: evenly spaced streamlines of "
             "the velocity component in the cut, where it exceeds %g of its largest value.",
             low, high, CUT_LINES_STILL);
    rc = album_draw(a, &p, file);
cleanup:
    cut_lines_free(&lines);
    return rc;
}

static int draw_temperature(album *a) {
    const double *value = a->in->r->heat->temperature_c;
    vtk_draw_picture p = album_on_wall(a, value);
    picture_file *file = album_next(a, ALBUM_TEMPERATURE_WALL);
    double low, high, p99;
    const int rc = album_range(a, value, &low, &high, &p99);
    if (rc != OK)
        return rc;
    /* the colour scale covers the temperatures of the whole fluid, not only those at the wall */
    const wall_heat *heat = a->in->r->heat;
    picture_range(fmin(low, heat->lowest_c), fmax(high, heat->highest_c), &p.low, &p.high, &p.intervals);
    p.map = VTK_DRAW_INFERNO;
    p.bar_title = "degC";
    p.title = "Temperature on the wall";
    p.note = "fluid temperature there, from the neighbouring lattice cells";
    snprintf(
        file->caption, sizeof file->caption,
        "Temperature of the fluid at the wall in degC, from %.4g to %.4g, by a fit through the neighbouring "
        "lattice cells. Where the wall temperature is given, the fit deviates from it if the thermal layer is thin; "
        "without heat flux it follows from the flow.",
        low, high);
    return album_draw(a, &p, file);
}

static int draw_nusselt(album *a) {
    const wall_heat *heat = a->in->r->heat;
    vtk_draw_picture p = album_on_wall(a, heat->nusselt);
    picture_file *file = album_next(a, ALBUM_NUSSELT);
    double low, high, p99;
    const int rc = album_range(a, heat->nusselt, &low, &high, &p99);
    if (rc != OK)
        return rc;
    picture_range(low, high, &p.low, &p.high, &p.intervals);
    p.map = VTK_DRAW_VIRIDIS;
    p.bar_title = "Nu (1)";
    p.title = "Local Nusselt number";
    p.note = "positive for heat into the fluid";
    snprintf(file->caption, sizeof file->caption,
             "Heat through the wall relative to conduction over %.3g mm by %.3g K (local Nusselt number), positive "
             "into the fluid, from %.3g to %.3g.",
             heat->length_mm, heat->difference_k, low, high);
    return album_draw(a, &p, file);
}

int picture_heat_wall(album *a) {
    int rc = OK;
    if (!a->in->r->heat)
        return OK;
    TRY(draw_temperature(a));
    TRY(draw_nusselt(a));
cleanup:
    return rc;
}
