/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of work.h: values on the wall, at one instant or over the cycle. */
#include "post/stage/work.h"
#include "post/wall/cycle.h"
#include "common/base/vec.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

static const double LOST_LIMIT = 0.01; /* a warning is given if more than this fraction of the wall area has no
                                        * values */

double wall_values_highest_speed(const sampler *s, const fields *f) {
    double highest = 0;
    for (int64_t c = 0; c < s->lattice->n_cell; c++) {
        const float *u = f->velocity_m_s + 3 * c;
        double v[3] = {(double)u[0], (double)u[1], (double)u[2]};
        if (s->active[c])
            highest = fmax(highest, vec_length(v));
    }
    return highest;
}

int wall_values_make(const case_file *c, const sampler *s, const surface *lumen, double spacing_mm, const fields *f,
                     wall *w, double **wss_pa, double **pressure_pa) {
    const lattice *l = s->lattice;
    double *strip_mm = malloc(((size_t)l->n_opening + 1) * sizeof *strip_mm), force_pa_m[3];
    if (!strip_mm)
        return fail_memory("the wall", 8.0 * l->n_opening);
    for (int k = 0; k < l->n_opening; k++) {
        const case_opening *given = case_find_opening(c, l->opening[k].name);
        strip_mm[k] = 2 * spacing_mm + (given ? fmax(given->extension_mm, 0) : 0);
        if (l->opening[k].role == LATTICE_MOVING_WALL)
            strip_mm[k] = 0;
    }
    for (int a = 0; a < 3; a++)
        force_pa_m[a] = c->blood.density_kg_m3 * c->solve.force_m_s2[a];
    const int rc = f ? wall_create_for_field(s, lumen, force_pa_m, strip_mm, f, w, wss_pa, pressure_pa)
                     : wall_create(s, lumen, force_pa_m, strip_mm, w);
    free(strip_mm);
    return rc;
}

void wall_values_warn(const lattice *l, const surface *lumen, const wall *w) {
    const double all = surface_area_mm2(lumen), away = w->left_out_mm2 - w->lost_mm2;
    const bool closed = l->n_opening == 0 && !l->periodic[0] && !l->periodic[1] && !l->periodic[2];
    if (w->lost_mm2 > LOST_LIMIT * surface_area_mm2(&w->shape))
        message_warn("%.1f of %.4g mm2 of the wall have no wall shear stress: at corners, or where the vessel is "
                     "narrower than the lattice can resolve; use a smaller spacing",
                     w->lost_mm2, all);
    if (closed && away > LOST_LIMIT * all) /* a closed chamber has no caps, so its whole surface should be wall */
        message_warn("%.1f of %.4g mm2 of the surface are not at the wall of the lattice and are excluded from all "
                     "wall values; use a slightly different spacing",
                     away, all);
}

/* Makes the wall. For a steady flow it also computes WSS and pressure, without storing the sampling weights. */
static int make_wall(post_work *p) {
    const fields *steady = p->run.pulsatile ? NULL : &p->f;
    int rc;
    TRY(wall_values_make(&p->c, &p->s, &p->lumen, p->coarsest_mm, steady, &p->w, &p->wss, &p->pressure));
    wall_values_warn(&p->l, &p->lumen, &p->w);
cleanup:
    return rc;
}

static int allocate_values(post_work *p) {
    size_t n = (size_t)p->w.shape.n_point + 1;
    double **arrays[] = {&p->wss_magnitude, &p->pressure, &p->tawss, &p->osi, &p->rrt};
    int good = 1;
    if (p->run.pulsatile)
        good = (p->wss = malloc(3 * n * sizeof *p->wss)) != NULL;
    for (int k = 0; k < (p->run.pulsatile ? 5 : 1); k++) {
        *arrays[k] = malloc(n * sizeof **arrays[k]);
        good = good && *arrays[k];
    }
    return good ? OK : fail_memory("the values of the wall", 64.0 * (double)n);
}

/* Adds one instant to the averages over the cycle. On return `pressure` holds the magnitudes of WSS, not the
 * pressure. */
static int add_instant(post_work *p, int instant, double weight, cycle *c, double *wss, double *pressure) {
    fields f = {0};
    char path[FILE_PATH_MAX];
    int rc;
    TRY(file_path(path, sizeof path, "%s/%s", p->solve_folder, p->run.instant[instant].file));
    TRY(field_file_read(path, &p->l, &f));
    wall_apply(&p->w, &f, wss, pressure);
    cycle_add(c, weight, wss);
    double highest = wall_values_highest_speed(&p->s, &f);
    p->r.velocity_max_m_s = fmax(p->r.velocity_max_m_s, highest);
    TRY(instants_take(&p->shown, instant, &p->c, &p->s, &p->w, &f, wss, pressure, highest, &p->r));
    for (int64_t k = 0; k < p->w.shape.n_point; k++)
        pressure[k] = vec_length(wss + 3 * k);
    TRY(wall_measure(&p->w, pressure, &p->instant[instant]));
cleanup:
    fields_free(&f);
    return rc;
}

static int average_cycle(post_work *p) {
    size_t n = (size_t)p->w.shape.n_point + 1;
    int n_instant = p->run.n_instant, rc;
    cycle c = {0};
    double *wss = malloc(3 * n * sizeof *wss), *pressure = malloc(n * sizeof *pressure);
    double *time_s = malloc((size_t)n_instant * sizeof *time_s), *weight = malloc((size_t)n_instant * sizeof *weight);
    p->instant = calloc((size_t)n_instant, sizeof *p->instant);
    p->r.instant = calloc((size_t)p->shown.n + 1, sizeof *p->r.instant);
    if (!wss || !pressure || !time_s || !weight || !p->instant || !p->r.instant)
        GIVE_UP(fail_memory("the averages over the cycle", 32.0 * (double)n));
    p->r.n_instant = p->shown.n;
    for (int k = 0; k < n_instant; k++)
        time_s[k] = p->run.instant[k].time_s;
    cycle_weights(n_instant, time_s, p->run.cycle_period_s, weight);
    TRY(cycle_create(&c, p->w.shape.n_point));
    progress_start("post", n_instant, "instants");
    for (int k = 0; k < n_instant; k++) {
        TRY(add_instant(p, k, weight[k], &c, wss, pressure));
        progress_set(k + 1, NULL);
    }
    progress_end();
    cycle_finish(&c, p->wss, p->tawss, p->osi, p->rrt);
cleanup:
    cycle_free(&c);
    free(wss);
    free(pressure);
    free(time_s);
    free(weight);
    return rc;
}

int wall_values_compute(post_work *p) {
    wall_statistics osi;
    int rc;
    TRY(make_wall(p));
    TRY(allocate_values(p));
    if (p->run.pulsatile)
        wall_apply(&p->w, &p->f, p->wss, p->pressure);
    p->r.velocity_max_m_s = wall_values_highest_speed(&p->s, &p->f);
    if (p->run.pulsatile)
        TRY(average_cycle(p));
    for (int64_t k = 0; k < p->w.shape.n_point; k++)
        p->wss_magnitude[k] = vec_length(p->wss + 3 * k);
    TRY(readouts_add_wss(&p->w, p->l.spacing_mm, p->tawss ? p->tawss : p->wss_magnitude, &p->r));
    TRY(wall_heat_form(&p->c, &p->s, &p->f, cJSON_GetObjectItemCaseSensitive(p->stage[REPORT_SOLVE], "result"), &p->w,
                       &p->r.heat));
    if (p->run.pulsatile) {
        TRY(wall_measure(&p->w, p->osi, &osi));
        p->r.tawss_mean_pa = p->r.wss.mean;
        p->r.osi_mean = osi.mean;
    }
    TRY(notes_add(
        &p->r.notes,
        "wall shear stress is evaluated on the wall more than two lattice cells%s away from the openings, and not on "
        "extensions",
        p->coarsest_mm > p->l.spacing_mm ? " (of the coarsest lattice)" : ""));
    if (p->w.porous_mm2 > 0)
        TRY(notes_add(
            &p->r.notes,
            "wall shear stress is not computed in porous regions and within three lattice cells of them (%.3g cm2 of "
            "the wall); means and maxima omit this wall",
            p->w.porous_mm2 / 100));
cleanup:
    return rc;
}
