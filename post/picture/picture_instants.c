/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of picture.h: pages with instants of the cycle next to each other. */
#include "post/sample/cut.h"
#include "post/picture/picture.h"
#include "post/picture/sheet.h"
#include "common/base/vec.h"
#include "post/picture/views.h"
#include "common/draw/vtk_draw.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/three_digits.h"
#include "common/base/units.h"
#include <stdio.h>
#include <stdlib.h>

enum { FRONT, BACK, ALONG, ACROSS, PAGES, NAME = 48, ROWS = 8 };
static const char *const FILES[PAGES] = {"wss_instants_front.png", "wss_instants_back.png", "velocity_instants.png",
                                         "sections_instants.png"};
static const char *const UNDER = "Above each: time in the cycle and flow into the vessels. One colour scale.";

typedef struct {
    const picture_input *in;
    const char *folder;
    picture_file *files;
    int *n;
    char (*name)[NAME]; /* [instants] captions such as "0.124 s, 6.67 mL/s" */
} instant_pages;

void picture_remove_instants(const char *folder) {
    for (int k = 0; k < PAGES; k++) {
        char *path = file_join(folder, FILES[k]);
        if (path)
            file_discard(path);
        free(path);
    }
}

static void name_instants(instant_pages *b) {
    for (int k = 0; k < b->in->shown->n; k++) {
        const readouts *at = &b->in->r->instant[k];
        double inflow = 0;
        for (int o = 0; o < at->n_opening; o++) {
            const place *p = &at->place[o];
            if (p->role != LATTICE_MOVING_WALL)
                inflow += fmax((p->role == LATTICE_INLET ? 1 : -1) * p->flow_ml_s, 0);
        }
        snprintf(b->name[k], NAME, "%.3f s, %.3g mL/s", at->time_s, inflow);
    }
}

static int draw_page(instant_pages *b, int which, const vtk_draw_panels *p, const char *caption) {
    picture_file *file = &b->files[*b->n];
    char *path = file_join(b->folder, FILES[which]), title[PICTURE_TITLE];
    vtk_draw_panels marked = *p;
    marked.title = picture_title(b->in, p->title, title);
    int rc = path ? vtk_draw_write_panels(path, &marked) : fail_memory("a path", 256);
    if (rc == OK) {
        snprintf(file->file, sizeof file->file, "%s", FILES[which]);
        snprintf(file->caption, sizeof file->caption, "%s", caption);
        ++*b->n;
    }
    free(path);
    return rc;
}

/* ---------------------------------------------------------------------------------------------------- on the wall */

static int draw_wss(instant_pages *b) {
    const int n = b->in->shown->n;
    vtk_draw_view view[VTK_DRAW_VIEWS];
    vtk_draw_panels p = {.n_row = 1, .n_column = n, .above = 1, .room = 14, .map = VTK_DRAW_INFERNO, .bar_title = "Pa"};
    vtk_draw_panel *panel = calloc((size_t)n, sizeof *panel);
    double p99 = 0;
    char title[96], caption[PICTURE_CAPTION], number[READOUTS_SHOWN];
    int rc = OK;
    if (!panel)
        return fail_memory("the instants on the wall", sizeof *panel * (double)n);
    views_of_wall(&b->in->w->shape, b->in->l, view);
    for (int k = 0; k < n; k++)
        p99 += b->in->r->instant[k].wss.p99 / n;
    picture_range(0, p99, &p.low, &p.high, &p.intervals);
    p.panel = panel;
    p.title = title;
    p.note = UNDER;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < n; k++)
            panel[k] = (vtk_draw_panel){
                .shape = &b->in->w->shape, .value = b->in->shown->one[k].shear, .view = view[side], .name = b->name[k]};
        snprintf(title, sizeof title, "Wall shear stress at instants, %s", view[side].label);
        snprintf(caption, sizeof caption,
                 "Wall shear stress at instants of the cycle, in Pa, %s. The colour scale ends at or above %s Pa, the "
                 "mean over the instants of their 99th percentiles; higher values are pink.",
                 view[side].label,
                 units_format(p99, NAN, three_digits_limit(p99, readouts_off_wss(b->in->r) * p99), "", number,
                              sizeof number));
        TRY(draw_page(b, side == 0 ? FRONT : BACK, &p, caption));
    }
cleanup:
    free(panel);
    return rc;
}

/* ------------------------------------------------------------------------------------------------ along the vessels */

/* Highest finite value of value [n]; 0 if no value is above 0. */
static double highest_value(int64_t n, const double *value) {
    double most = 0;
    for (int64_t k = 0; k < n; k++)
        most = isfinite(value[k]) ? fmax(most, value[k]) : most;
    return most;
}

static int draw_sheet(instant_pages *b, const surface *cut, const double *normal, double *speed, double *velocity,
                      vtk_draw_panel *panel) {
    const picture_input *in = b->in;
    const int n = in->shown->n;
    double most = 0;
    char caption[PICTURE_CAPTION], number[READOUTS_SHOWN];
    vtk_draw_panels p = {
        .n_row = 1, .n_column = n, .room = 14, .map = VTK_DRAW_TURBO, .bar_title = "cm/s", .panel = panel};
    for (int k = 0; k < n; k++) {
        double *at = speed + (int64_t)k * cut->n_point;
        sheet_speed(in->s, &in->shown->one[k].f, cut, at, velocity);
        most = fmax(most, highest_value(cut->n_point, at));
        panel[k] = (vtk_draw_panel){.shape = cut, .value = at, .shell = &in->w->shape, .name = b->name[k]};
        views_of_cut(normal, &panel[k].view);
    }
    picture_range(0, most, &p.low, &p.high, &p.intervals);
    p.title = "Speed at instants, in a cut along the vessel";
    p.note = UNDER;
    snprintf(
        caption, sizeof caption,
        "Speed in cm/s at instants of the cycle in the same gently curved cut through the middle of the vessels; "
        "the highest value is %s cm/s.",
        units_format(most, NAN, three_digits_limit(most, readouts_off_speed(in->r) * most), "", number, sizeof number));
    return draw_page(b, ALONG, &p, caption);
}

static int draw_along(instant_pages *b) {
    const size_t n = (size_t)b->in->shown->n;
    cut_frame frame = {0};
    surface cut = {0};
    double *speed = NULL, *velocity = NULL;
    vtk_draw_panel *panel = calloc(n, sizeof *panel);
    int rc, opening;
    TRY(sheet_fit(b->in->s, &frame));
    TRY(cut_make(b->in->s, &frame, b->in->l->spacing_mm / 2, false, 0, &cut, &opening));
    if (cut.n_triangle == 0)
        goto cleanup;
    speed = malloc(n * (size_t)cut.n_point * sizeof *speed);
    velocity = malloc(3 * (size_t)cut.n_point * sizeof *velocity);
    if (!speed || !velocity || !panel) {
        rc = fail_memory("the cut", (8.0 * (double)n + 24) * (double)cut.n_point);
        goto cleanup;
    }
    rc = draw_sheet(b, &cut, frame.axis[2], speed, velocity, panel);
cleanup:
    free(panel);
    free(speed);
    free(velocity);
    cut_frame_free(&frame);
    surface_free(&cut);
    return rc;
}

/* ------------------------------------------------------------------------------------------- through the sections */

typedef struct {
    int n; /* number of sections shown */
    const char *name[ROWS];
    surface cut[ROWS];
    double *through[ROWS]; /* [instants][n_point] velocity along the normal of each section, cm/s */
    vtk_draw_panel *panel; /* [n][instants] panels */
    double low, high;
} section_panels;

static int add_section(instant_pages *b, const flow_section *s, const char *name, section_panels *a) {
    const picture_input *in = b->in;
    const int row = a->n, n = in->shown->n;
    surface *cut = &a->cut[row];
    cut_frame frame;
    double *speed = NULL, *velocity = NULL;
    int rc, opening;
    cut_frame_plane(s->point_mm, s->normal, &frame);
    TRY(cut_make(in->s, &frame, in->l->spacing_mm / 4, true, fmax(2, 4 * in->l->spacing_mm), cut, &opening));
    a->n++;
    speed = malloc(((size_t)cut->n_point + 1) * sizeof *speed);
    velocity = malloc((3 * (size_t)cut->n_point + 1) * sizeof *velocity);
    a->through[row] = malloc(((size_t)n * (size_t)cut->n_point + 1) * sizeof *velocity);
    if (!speed || !velocity || !a->through[row]) {
        rc = fail_memory("a section", (32 + 8.0 * n) * (double)cut->n_point);
        goto cleanup;
    }
    a->name[row] = name;
    for (int k = 0; k < n; k++) {
        double *to = a->through[row] + (int64_t)k * cut->n_point;
        vtk_draw_panel *panel = &a->panel[row * n + k];
        sheet_speed(in->s, &in->shown->one[k].f, cut, speed, velocity);
        for (int64_t i = 0; i < cut->n_point; i++) {
            to[i] = vec_dot(velocity + 3 * i, s->normal);
            a->low = isfinite(to[i]) ? fmin(a->low, to[i]) : a->low;
            a->high = isfinite(to[i]) ? fmax(a->high, to[i]) : a->high;
        }
        *panel = (vtk_draw_panel){.shape = cut->n_triangle > 0 ? cut : NULL, .value = to};
        panel->name = row == 0 ? b->name[k] : NULL;
        views_of_cut(s->normal, &panel->view);
    }
cleanup:
    free(speed);
    free(velocity);
    return rc;
}

static int draw_across(instant_pages *b) {
    const readouts *r = b->in->r;
    const int n = b->in->shown->n;
    section_panels a = {.panel = calloc((size_t)n * ROWS, sizeof *a.panel)};
    vtk_draw_panels p = {.n_column = n, .map = VTK_DRAW_TURBO, .bar_title = "cm/s", .lines = 1, .room = 34};
    char caption[PICTURE_CAPTION], low[READOUTS_SHOWN], high[READOUTS_SHOWN];
    int rc = a.panel ? OK : fail_memory("the sections", 64.0 * n);
    for (int k = 0; k < r->n_section && a.n < ROWS && rc == OK; k++)
        if (isfinite(r->section[k].area_mm2))
            rc = add_section(b, &r->section[k], r->place[r->n_opening + k].name, &a);
    if (rc != OK || a.n == 0)
        goto cleanup;
    p.n_row = a.n;
    p.panel = a.panel;
    p.row_name = a.name;
    picture_range(a.low < -0.02 * a.high ? a.low : 0, a.high, &p.low, &p.high, &p.intervals);
    p.title = "Velocity through the sections at instants";
    p.note = "Positive along the normal of the section; lines at the numbers of the colour bar and half-way between. "
             "Above: time and inflow.";
    snprintf(
        caption, sizeof caption,
        "Velocity through the sections at instants of the cycle, in cm/s, positive along the normal of the "
        "section: %s to %s cm/s; one colour scale, one length scale per row. Lines are at the numbers of the "
        "colour bar and half-way between%s.",
        units_format(a.low, NAN, three_digits_limit(a.low, readouts_off_speed(r) * a.high), "", low, sizeof low),
        units_format(a.high, NAN, three_digits_limit(a.high, readouts_off_speed(r) * a.high), "", high, sizeof high),
        p.low < 0 ? "; the line at 0 encloses reverse flow" : "");
    rc = draw_page(b, ACROSS, &p, caption);
cleanup:
    for (int k = 0; k < ROWS; k++) {
        surface_free(&a.cut[k]);
        free(a.through[k]);
    }
    free(a.panel);
    return rc;
}

int picture_draw_instants(const picture_input *in, const char *folder, picture_file *files, int *n) {
    instant_pages b = {.in = in, .folder = folder, .files = files, .n = n};
    int rc = OK;
    if (in->shown->n == 0)
        return OK;
    b.name = calloc((size_t)in->shown->n, sizeof *b.name);
    if (!b.name)
        return fail_memory("the names of the instants", NAME * (double)in->shown->n);
    name_instants(&b);
    TRY(draw_wss(&b));
    TRY(draw_along(&b));
    TRY(draw_across(&b));
cleanup:
    free(b.name);
    return rc;
}
