/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of picture.h. */
#include "post/picture/picture.h"
#include "post/picture/album.h"
#include "post/picture/picture_heat.h"
#include "post/sample/cut.h"
#include "post/picture/sheet.h"
#include "common/base/vec.h"
#include "post/picture/views.h"
#include "common/draw/vtk_draw.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/three_digits.h"
#include "common/base/units.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARROWS = 140 };

/* Place the name of each opening a little outside of it. */
static int make_labels(album *a) {
    const lattice *l = a->in->l;
    a->label_mm = malloc((3 * (size_t)l->n_opening + 1) * sizeof *a->label_mm);
    a->label = malloc(((size_t)l->n_opening + 1) * sizeof *a->label);
    if (!a->label_mm || !a->label)
        return fail_memory("the names on the pictures", 32.0 * l->n_opening);
    for (int k = 0; k < l->n_opening; k++) {
        const lattice_opening *o = &l->opening[k];
        vec_add(o->centre_mm, 1.7 * o->radius_mm + 2 * l->spacing_mm, o->normal, a->label_mm + 3 * k);
        a->label[k] = o->name;
    }
    return OK;
}

/* ---------------------------------------------------------------------------------------------------- on the wall */

static int draw_wss(album *a) {
    vtk_draw_picture p = album_on_wall(a, a->in->wss_pa);
    picture_file *file = album_next(a, ALBUM_WSS);
    char note[128] = "", text[2][READOUTS_SHOWN];
    const double off = readouts_off_wss(a->in->r);
    double low, high, p99;
    int rc;
    TRY(album_range(a, a->in->wss_pa, &low, &high, &p99));
    picture_range(0, fmax(p99, 0), &p.low, &p.high, &p.intervals);
    p.above = 1;
    p.map = VTK_DRAW_INFERNO;
    p.bar_title = "Pa";
    p.title = a->in->osi ? "Wall shear stress, averaged over the cycle (TAWSS)" : "Wall shear stress";
    snprintf(note, sizeof note, "bar up to the 99th percentile; the highest value away from the openings is %s Pa",
             units_format(high, NAN, three_digits_limit(high, off * high), "", text[0], READOUTS_SHOWN));
    p.note = note;
    snprintf(
        file->caption, sizeof file->caption,
        "%s on the wall, in Pa. The colour scale ends at or above the 99th percentile (%s Pa); higher values, often "
        "at sharp edges and openings, are pink.",
        a->in->osi ? "Time-averaged wall shear stress (TAWSS)" : "Wall shear stress",
        units_format(p99, NAN, three_digits_limit(p99, off * p99), "", text[1], READOUTS_SHOWN));
    rc = album_draw(a, &p, file);
cleanup:
    return rc;
}

static int draw_osi(album *a) {
    if (!a->in->osi)
        return OK;
    vtk_draw_picture p = album_on_wall(a, a->in->osi);
    picture_file *file = album_next(a, ALBUM_OSI);
    double low, high, p99;
    const int rc = album_range(a, a->in->osi, &low, &high, &p99);
    if (rc != OK)
        return rc;
    /* the colour scale ends at the 99th percentile but not below 0.02, because OSI is below 0.1 in most of a vessel */
    picture_range(0, fmin(fmax(p99, 0.02), 0.5), &p.low, &p.high, &p.intervals);
    p.above = p.high < 0.5;
    p.map = VTK_DRAW_INFERNO;
    p.bar_title = "OSI (1)";
    p.title = "Oscillatory shear index";
    p.note = "0: the stress keeps its direction; 0.5: it only oscillates";
    snprintf(file->caption, sizeof file->caption,
             "Oscillatory shear index on the wall (no unit): 0 where the wall shear stress keeps its direction, 0.5 "
             "where it only oscillates. The colour scale ends at or above the 99th percentile, %.2g%s.",
             p99, p.above ? "; higher values are pink" : "");
    return album_draw(a, &p, file);
}

static int draw_pressure(album *a) {
    vtk_draw_picture p = album_on_wall(a, a->in->pressure_pa);
    picture_file *file = album_next(a, ALBUM_PRESSURE);
    char note[320], pa[2][READOUTS_SHOWN], mmhg[2][READOUTS_SHOWN];
    const double off = readouts_off_pressure(a->in->r);
    double low, high, p99;
    int rc;
    TRY(album_range(a, a->in->pressure_pa, &low, &high, &p99));
    picture_range(low, high, &p.low, &p.high, &p.intervals);
    p.map = VTK_DRAW_VIRIDIS;
    p.bar_title = "Pa";
    p.title = a->in->osi ? "Pressure on the wall, averaged over the cycle" : "Pressure on the wall";
    for (int k = 0; k < 2; k++) { /* more than three digits if both ends would become equal */
        const double end = k ? high : low, apart = (high - low) / 2;
        const double limit = fmin(three_digits_limit(end, off), apart);
        const double limit_mmhg =
            fmin(three_digits_limit(units_pa_to_mmhg(end), units_pa_to_mmhg(off)), units_pa_to_mmhg(apart));
        units_format(end, NAN, limit, "", pa[k], READOUTS_SHOWN);
        units_format(units_pa_to_mmhg(end), NAN, limit_mmhg, "", mmhg[k], READOUTS_SHOWN);
    }
    snprintf(note, sizeof note, "static, relative to the zero of the case; %s to %s Pa = %s to %s mmHg", pa[0], pa[1],
             mmhg[0], mmhg[1]);
    p.note = note;
    snprintf(file->caption, sizeof file->caption,
             "Static pressure on the wall in Pa relative to the zero of the case, from %s Pa (%s mmHg) to %s Pa (%s "
             "mmHg). It is a pressure within the model, not a blood pressure.",
             pa[0], mmhg[0], pa[1], mmhg[1]);
    rc = album_draw(a, &p, file);
cleanup:
    return rc;
}

/* --------------------------------------------------------------------------------------------------------- the cut */

/* Adds arrows of the velocity in the cut, lifted towards the viewer. The arrow of the highest speed has the length
 * longest_mm. */
static int add_arrows(const surface *cut, const double *speed, const double *velocity, double highest, double lift_mm,
                      const vtk_draw_view *v, vtk_draw_picture *p, double **storage) {
    int32_t index[ARROWS];
    int n = sheet_pick(cut, ARROWS, index), kept = 0;
    double longest_mm = 1.1 * sqrt(surface_area_mm2(cut) / (n > 0 ? n : 1));
    double *foot = malloc((6 * (size_t)n + 1) * sizeof *foot);
    if (!foot)
        return fail_memory("the arrows", 48.0 * n);
    double *arrow = foot + 3 * n;
    for (int k = 0; k < n; k++) {
        int64_t at = index[k];
        if (!(speed[at] > 0.03 * highest))
            continue;
        vec_add(cut->point_mm + 3 * at, -lift_mm, v->direction, foot + 3 * kept);
        for (int a = 0; a < 3; a++)
            arrow[3 * kept + a] = velocity[3 * at + a] / highest * longest_mm;
        kept++;
    }
    *storage = foot;
    p->n_arrow = kept;
    p->arrow_mm = foot;
    p->arrow = arrow;
    return OK;
}

/* True if buoyancy acts; the cut then contains the direction of gravity. */
static bool is_upright(const album *a) {
    return a->in->r->heat && vec_length(a->in->r->heat->gravity_m_s2) > 0;
}

static int draw_speed(album *a, const cut_frame *frame, const surface *cut, const double *speed,
                      const double *velocity) {
    vtk_draw_picture p = album_on_wall(a, speed);
    picture_file *file = album_next(a, ALBUM_VELOCITY);
    double highest = 0, *storage = NULL;
    char text[READOUTS_SHOWN];
    int rc;
    for (int64_t k = 0; k < cut->n_point; k++)
        highest = isfinite(speed[k]) ? fmax(highest, speed[k]) : highest;
    p.shape = cut;
    p.shell = &a->in->w->shape;
    p.n_view = 1;
    views_of_cut(frame->axis[2], &p.view[0]);
    if (highest > 0)
        TRY(add_arrows(cut, speed, velocity, highest, a->in->l->spacing_mm, &p.view[0], &p, &storage));
    picture_range(0, highest, &p.low, &p.high, &p.intervals);
    p.map = VTK_DRAW_TURBO;
    p.bar_title = "cm/s";
    p.title = a->in->osi      ? "Speed of the mean velocity over the cycle, in a cut along the vessel"
              : is_upright(a) ? "Speed in a vertical cut"
                              : "Speed in a cut along the vessel";
    p.note = frame->n[0] > 0 ? "the cut bends gently with the vessels; arrows show the direction of the flow"
                             : "arrows show the direction of the flow";
    snprintf(file->caption, sizeof file->caption,
             "Speed in cm/s in %s%s; the highest in the cut is %s cm/s. The arrows show direction and size of the "
             "velocity.",
             is_upright(a) ? "the vertical plane through the middle that contains the shortest width"
                           : "a gently curved cut through the middle of the vessels",
             a->in->osi ? " (velocity averaged over the cycle)" : "",
             units_format(highest, NAN, three_digits_limit(highest, readouts_off_speed(a->in->r) * highest), "", text,
                          sizeof text));
    rc = album_draw(a, &p, file);
cleanup:
    free(storage);
    return rc;
}

/* For a flow with buoyancy: replaces the frame by the vertical plane through the middle of the lumen that contains the
 * direction in which the lumen is narrowest. */
static void set_upright_frame(const wall_heat *heat, cut_frame *f) {
    double normal[3], middle[3];
    vec_cross(heat->gravity_m_s2, f->axis[2], normal);
    const double size = vec_length(normal), lying = 0.1 * vec_length(heat->gravity_m_s2);
    /* if the axis is nearly vertical, every plane through the axis is vertical, so f->axis[0] is the normal */
    for (int k = 0; k < 3; k++) {
        normal[k] = size > lying ? normal[k] / size : f->axis[0][k];
        middle[k] = f->centre_mm[k];
    }
    cut_frame_free(f);
    cut_frame_plane(middle, normal, f);
}

static int draw_velocity(album *a) {
    cut_frame frame = {0};
    surface cut = {0};
    double *speed = NULL, *velocity = NULL;
    int rc, opening;
    TRY(sheet_fit(a->in->s, &frame));
    if (is_upright(a))
        set_upright_frame(a->in->r->heat, &frame);
    TRY(cut_make(a->in->s, &frame, a->in->l->spacing_mm / 2, false, 0, &cut, &opening));
    if (cut.n_triangle == 0)
        goto cleanup;
    speed = malloc((size_t)cut.n_point * sizeof *speed);
    velocity = malloc(3 * (size_t)cut.n_point * sizeof *velocity);
    if (!speed || !velocity) {
        rc = fail_memory("the cut", 32.0 * (double)cut.n_point);
        goto cleanup;
    }
    sheet_speed(a->in->s, a->in->f, &cut, speed, velocity);
    TRY(draw_speed(a, &frame, &cut, speed, velocity));
    TRY(picture_heat_cut(a, &frame, &cut, speed));
cleanup:
    free(speed);
    free(velocity);
    cut_frame_free(&frame);
    surface_free(&cut);
    return rc;
}

/* ----------------------------------------------------------------------------------------------- along the vessel */

/* smallest pressure rise that is explained, as a fraction of the pressure range of the chart */
static const double VISIBLE_RISE = 0.03;

/* Appends one sentence that explains the largest visible rise of the pressure; "" without such a rise. */
static void explain_rise(const album *a, double range_pa, char *caption) {
    course_rise most = {.rise_pa = VISIBLE_RISE * range_pa};
    const course *of = NULL;
    for (int k = 0; k < a->in->n_course; k++) {
        const course_rise r = course_find_rise(&a->in->course[k], a->in->density_kg_m3);
        if (!(r.rise_pa > most.rise_pa))
            continue;
        most = r;
        of = &a->in->course[k];
    }
    const size_t n = strlen(caption);
    if (of && n + 1 < PICTURE_CAPTION) {
        caption[n] = ' ';
        course_explain_rise(&most, a->in->l->opening[of->from].name, a->in->l->opening[of->to].name,
                            PICTURE_CAPTION - n - 1, caption + n + 1);
    }
}

static int draw_courses(album *a) {
    char title[PICTURE_TITLE];
    const vtk_plot_settings settings = {.title = picture_title(a->in, "Pressure along the vessel", title),
                                        .x_label = "distance along the vessel from the inlet (mm)",
                                        .y_label = "mean static pressure: left in Pa, right in mmHg",
                                        .width = 1200,
                                        .height = 720,
                                        .right_unit = UNITS_PA_PER_MMHG};
    int n = a->in->n_course, rc = OK, total = 0, drawn = 0;
    for (int k = 0; k < n; k++)
        total += a->in->course[k].n;
    if (total == 0)
        return OK;
    picture_file *file = album_next(a, ALBUM_COURSE);
    char(*name)[2 * LATTICE_NAME_MAX + 8] = malloc((size_t)n * sizeof *name), *path = file_join(a->folder, file->file);
    vtk_plot_curve *series = malloc((size_t)n * sizeof *series);
    double *x = malloc(2 * (size_t)total * sizeof *x);
    if (!name || !path || !series || !x) {
        rc = fail_memory("the chart", 16.0 * total);
        goto cleanup;
    }
    double *y = x + total, low = INFINITY, high = -INFINITY;
    for (int k = 0, at = 0; k < n; k++) {
        const course *c = &a->in->course[k];
        if (c->n == 0)
            continue;
        snprintf(name[k], sizeof name[k], "%s to %s", a->in->l->opening[c->from].name, a->in->l->opening[c->to].name);
        series[drawn++] = (vtk_plot_curve){.name = name[k], .n = c->n, .x = x + at, .y = y + at};
        for (int j = 0; j < c->n; j++, at++) {
            x[at] = c->station[j].distance_mm;
            y[at] = c->station[j].pressure_pa;
            low = fmin(low, y[at]);
            high = fmax(high, y[at]);
        }
    }
    TRY(vtk_plot_write(path, &settings, drawn, series));
    snprintf(file->caption, sizeof file->caption,
             "Mean static pressure over the sections along the vessel%s; left axis in Pa, right axis in mmHg. The "
             "values are in profiles.csv.",
             a->in->osi ? ", averaged over the cycle" : "");
    explain_rise(a, high - low, file->caption);
    a->n++;
cleanup:
    free(name);
    free(path);
    free(series);
    free(x);
    return rc;
}

static void remove_old(const char *folder) {
    for (int k = 0; k < ALBUM_COUNT; k++) {
        char *path = file_join(folder, album_name(k));
        if (path)
            file_discard(path);
        free(path);
    }
    picture_remove_instants(folder);
}

int picture_draw_all(const picture_input *in, const char *folder, picture_file *files, int *n, const char **reason) {
    album a = {.in = in, .folder = folder, .files = files};
    int rc = OK;
    *n = 0;
    *reason = NULL;
    remove_old(folder);
    if (!vtk_draw_available(reason))
        return OK;
    views_of_wall(&in->w->shape, in->l, a.view);
    TRY(make_labels(&a));
    TRY(draw_wss(&a));
    TRY(draw_osi(&a));
    TRY(draw_pressure(&a));
    TRY(draw_velocity(&a));
    TRY(picture_heat_wall(&a));
    TRY(draw_courses(&a));
    TRY(picture_draw_instants(in, folder, files, &a.n));
cleanup:
    *n = a.n;
    free(a.label_mm);
    free(a.label);
    return rc;
}
