/* See picture.h. */
#include "post/picture/picture.h"
#include "post/sample/cut.h"
#include "post/picture/sheet.h"
#include "common/base/vec.h"
#include "post/picture/views.h"
#include "post/picture/vtk_plot.h"
#include "post/picture/vtk_shim.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const FILES[] = {
    "wss.png", "osi.png", "pressure.png", "velocity.png", "pressure_along.png", "temperature.png", "nusselt.png"};
enum {
    FILE_WSS,
    FILE_OSI,
    FILE_PRESSURE,
    FILE_VELOCITY,
    FILE_COURSE,
    FILE_TEMPERATURE,
    FILE_NUSSELT,
    FILE_COUNT,
    ARROWS = 140
};

/* the list of what was drawn, and the names at the openings */
typedef struct {
    const picture_input *in;
    const char *folder;
    picture_file *files;
    int n;
    double *label_mm;
    const char **label;
    vtk_shim_view view[VTK_SHIM_VIEWS]; /* of the wall, front and back */
} album;

/* -------------------------------------------------------------------------------------------------------- the names */

/* the name of each opening, a little outside of it */
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

static picture_file *next_file(album *a, int which) {
    picture_file *f = &a->files[a->n];
    snprintf(f->file, sizeof f->file, "%s", FILES[which]);
    return f;
}

static int draw(album *a, const vtk_shim_picture *p, const picture_file *file) {
    char *path = file_join(a->folder, file->file);
    int rc = path ? vtk_shim_draw(path, p) : fail_memory("a path", 256);
    a->n += rc == OK;
    free(path);
    return rc;
}

/* ---------------------------------------------------------------------------------------------------- on the wall */

static vtk_shim_picture on_wall(const album *a, const double *value) {
    vtk_shim_picture p = {.shape = &a->in->w->shape, .value = value, .n_view = 2, .n_label = a->in->l->n_opening};
    p.label_mm = a->label_mm;
    p.label = a->label;
    memcpy(p.view, a->view, sizeof p.view);
    return p;
}

/* lowest and highest value and the 99th percentile, of the counted points (of all when none is counted) */
static int find_range(const album *a, const double *value, double *low, double *high, double *p99) {
    wall_statistics stats;
    int rc = wall_measure(a->in->w, value, &stats);
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t k = 0; k < a->in->w->shape.n_point; k++)
        if (isfinite(value[k]) && (a->in->w->counted[k] || !isfinite(stats.mean))) {
            *low = fmin(*low, value[k]);
            *high = fmax(*high, value[k]);
        }
    *p99 = isfinite(stats.p99) ? stats.p99 : *high;
    return rc;
}

static int draw_wss(album *a) {
    vtk_shim_picture p = on_wall(a, a->in->wss_pa);
    picture_file *file = next_file(a, FILE_WSS);
    char note[128] = "";
    double low, high, p99;
    int rc;
    TRY(find_range(a, a->in->wss_pa, &low, &high, &p99));
    picture_range(0, fmax(p99, 0), &p.low, &p.high, &p.intervals);
    p.above = 1;
    p.map = VTK_SHIM_INFERNO;
    p.bar_title = "Pa";
    p.title = a->in->osi ? "Wall shear stress, averaged over the cycle (TAWSS)" : "Wall shear stress";
    snprintf(note, sizeof note, "bar up to the 99th percentile; the highest value away from the openings is %.3g Pa",
             high);
    p.note = note;
    snprintf(
        file->caption, sizeof file->caption,
        "%s on the wall, in Pa. The colours end at the 99th percentile (%.3g Pa); higher values, often at sharp edges "
        "and openings, have the colour above the bar.",
        a->in->osi ? "Time-averaged wall shear stress (TAWSS)" : "Wall shear stress", p99);
    rc = draw(a, &p, file);
cleanup:
    return rc;
}

static int draw_osi(album *a) {
    if (!a->in->osi)
        return OK;
    vtk_shim_picture p = on_wall(a, a->in->osi);
    picture_file *file = next_file(a, FILE_OSI);
    double low, high, p99;
    const int rc = find_range(a, a->in->osi, &low, &high, &p99);
    if (rc != OK)
        return rc;
    picture_range(0, fmin(fmax(p99, 0.02), 0.5), &p.low, &p.high, &p.intervals); /* in most vessels all is below 0.1 */
    p.above = p.high < 0.5;
    p.map = VTK_SHIM_INFERNO;
    p.bar_title = "OSI (1)";
    p.title = "Oscillatory shear index";
    p.note = "0: the stress keeps its direction; 0.5: it only oscillates";
    snprintf(file->caption, sizeof file->caption,
             "Oscillatory shear index on the wall (no unit): 0 where the wall shear stress keeps its direction, 0.5 "
             "where it only oscillates. The colours end at the 99th percentile, %.2g.",
             p99);
    return draw(a, &p, file);
}

static int draw_pressure(album *a) {
    vtk_shim_picture p = on_wall(a, a->in->pressure_pa);
    picture_file *file = next_file(a, FILE_PRESSURE);
    char note[160];
    double low, high, p99;
    int rc;
    TRY(find_range(a, a->in->pressure_pa, &low, &high, &p99));
    picture_range(low, high, &p.low, &p.high, &p.intervals);
    p.map = VTK_SHIM_VIRIDIS;
    p.bar_title = "Pa";
    p.title = a->in->osi ? "Pressure on the wall, averaged over the cycle" : "Pressure on the wall";
    snprintf(note, sizeof note, "static, above the case's zero; %.4g to %.4g Pa = %.3g to %.3g mmHg", low, high,
             units_mmhg(low), units_mmhg(high));
    p.note = note;
    snprintf(file->caption, sizeof file->caption,
             "Static pressure on the wall in Pa above the zero of the case, from %.4g Pa (%.3g mmHg) to %.4g Pa (%.3g "
             "mmHg). It is a pressure within the model, not a blood pressure.",
             low, units_mmhg(low), high, units_mmhg(high));
    rc = draw(a, &p, file);
cleanup:
    return rc;
}

/* --------------------------------------------------------------------------------------------------------- the cut */

/* arrows for the velocity in the cut, lifted towards the reader; length 1 for the highest speed `longest_mm` */
static int add_arrows(const surface *cut, const double *speed, const double *velocity, double highest, double lift_mm,
                      const vtk_shim_view *v, vtk_shim_picture *p, double **storage) {
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

static int draw_speed(album *a, const cut_frame *frame, const surface *cut, const double *speed,
                      const double *velocity) {
    vtk_shim_picture p = on_wall(a, speed);
    picture_file *file = next_file(a, FILE_VELOCITY);
    double highest = 0, *storage = NULL;
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
    p.map = VTK_SHIM_TURBO;
    p.bar_title = "cm/s";
    p.title =
        a->in->osi ? "Speed in a cut along the vessel, mean velocity of the cycle" : "Speed in a cut along the vessel";
    p.note = frame->n[0] > 0 ? "the cut bends gently with the vessels; arrows show the direction of the flow"
                             : "arrows show the direction of the flow";
    snprintf(file->caption, sizeof file->caption,
             "Speed in cm/s in a gently curved cut through the middle of the vessels%s; the highest in the cut is %.3g "
             "cm/s. "
             "The arrows show direction and size of the velocity.",
             a->in->osi ? " (velocity averaged over the cycle)" : "", highest);
    rc = draw(a, &p, file);
cleanup:
    free(storage);
    return rc;
}

/* In the same cut; `value` is overwritten. */
static int draw_temperature(album *a, const cut_frame *frame, const surface *cut, double *value) {
    if (!a->in->f->temperature_c)
        return OK;
    vtk_shim_picture p = on_wall(a, value);
    picture_file *file = next_file(a, FILE_TEMPERATURE);
    double low = INFINITY, high = -INFINITY;
#pragma omp parallel for schedule(dynamic, 256) reduction(min : low) reduction(max : high)
    for (int64_t k = 0; k < cut->n_point; k++) {
        sampler_stencil st;
        const int found = sampler_find(a->in->s, SAMPLER_FLOW, cut->point_mm + 3 * k, NULL, &st);
        value[k] = found ? sampler_apply(&st, a->in->f->temperature_c, 1, 0) : NAN;
        low = found ? fmin(low, value[k]) : low;
        high = found ? fmax(high, value[k]) : high;
    }
    p.shape = cut;
    p.shell = &a->in->w->shape;
    p.n_view = 1;
    views_of_cut(frame->axis[2], &p.view[0]);
    picture_range(low, high, &p.low, &p.high, &p.intervals);
    p.map = VTK_SHIM_INFERNO;
    p.bar_title = "degC";
    p.title = "Temperature in a cut";
    snprintf(file->caption, sizeof file->caption,
             "Temperature in degC in the same cut as the speed, from %.4g to %.4g.", low, high);
    return draw(a, &p, file);
}

static int draw_nusselt(album *a) {
    const heat_readouts *heat = a->in->r->heat;
    if (!heat)
        return OK;
    vtk_shim_picture p = on_wall(a, heat->nusselt);
    picture_file *file = next_file(a, FILE_NUSSELT);
    double low, high, p99;
    const int rc = find_range(a, heat->nusselt, &low, &high, &p99);
    if (rc != OK)
        return rc;
    picture_range(low, high, &p.low, &p.high, &p.intervals);
    p.map = VTK_SHIM_VIRIDIS;
    p.bar_title = "Nu (1)";
    p.title = "Local Nusselt number";
    p.note = "positive where heat goes into the fluid";
    snprintf(
        file->caption, sizeof file->caption,
        "Heat through the wall in units of conduction over %.3g mm by %.3g K (local Nusselt number), positive into "
        "the fluid, from %.3g to %.3g.",
        heat->length_mm, heat->difference_k, low, high);
    return draw(a, &p, file);
}

/* Where buoyancy drives the fluid: the plane through the middle that holds gravity and the shortest way across. */
static void upright(const heat_readouts *heat, cut_frame *f) {
    double normal[3], middle[3];
    if (!heat || !(vec_length(heat->gravity_m_s2) > 0))
        return;
    vec_cross(heat->gravity_m_s2, f->axis[2], normal);
    const double size = vec_length(normal), lying = 0.1 * vec_length(heat->gravity_m_s2);
    for (int k = 0; k < 3; k++) { /* lying: any plane with the axis will do */
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
    upright(a->in->r->heat, &frame);
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
    TRY(draw_temperature(a, &frame, &cut, speed));
cleanup:
    free(speed);
    free(velocity);
    cut_frame_free(&frame);
    surface_free(&cut);
    return rc;
}

/* ----------------------------------------------------------------------------------------------- along the vessel */

static int draw_courses(album *a) {
    static const vtk_plot_settings settings = {.title = "Pressure along the vessel",
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
    picture_file *file = next_file(a, FILE_COURSE);
    char(*name)[2 * LATTICE_NAME_MAX + 8] = malloc((size_t)n * sizeof *name), *path = file_join(a->folder, file->file);
    vtk_plot_curve *series = malloc((size_t)n * sizeof *series);
    double *x = malloc(2 * (size_t)total * sizeof *x);
    if (!name || !path || !series || !x) {
        rc = fail_memory("the chart", 16.0 * total);
        goto cleanup;
    }
    double *y = x + total;
    for (int k = 0, at = 0; k < n; k++) {
        const course *c = &a->in->course[k];
        if (c->n == 0)
            continue;
        snprintf(name[k], sizeof name[k], "%s to %s", a->in->l->opening[c->from].name, a->in->l->opening[c->to].name);
        series[drawn++] = (vtk_plot_curve){.name = name[k], .n = c->n, .x = x + at, .y = y + at};
        for (int j = 0; j < c->n; j++, at++) {
            x[at] = c->station[j].distance_mm;
            y[at] = c->station[j].pressure_pa;
        }
    }
    TRY(vtk_plot_write(path, &settings, drawn, series));
    snprintf(file->caption, sizeof file->caption,
             "Mean static pressure over the sections along the vessel%s; left axis in Pa, right axis in mmHg. The "
             "numbers are in profiles.csv.",
             a->in->osi ? ", averaged over the cycle" : "");
    a->n++;
cleanup:
    free(name);
    free(path);
    free(series);
    free(x);
    return rc;
}

static void remove_old(const char *folder) {
    for (int k = 0; k < FILE_COUNT; k++) {
        char *path = file_join(folder, FILES[k]);
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
    if (!vtk_shim_available(reason))
        return OK;
    views_of_wall(&in->w->shape, a.view);
    TRY(make_labels(&a));
    TRY(draw_wss(&a));
    TRY(draw_osi(&a));
    TRY(draw_pressure(&a));
    TRY(draw_velocity(&a));
    TRY(draw_nusselt(&a));
    TRY(draw_courses(&a));
    TRY(picture_draw_instants(in, folder, files, &a.n));
cleanup:
    *n = a.n;
    free(a.label_mm);
    free(a.label);
    return rc;
}
