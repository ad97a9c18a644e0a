/* SPDX-License-Identifier: Apache-2.0 */
#include "post/readouts/instants.h"
#include "common/base/vec.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distance in time, periodic if the length of the cycle is known. */
static double time_apart_s(const solution *run, double a, double b) {
    double d = fabs(a - b), period = run->cycle_period_s;
    return isfinite(period) ? fmin(d, fabs(period - d)) : d;
}

static int nearest_instant(const solution *run, double time_s) {
    int best = 0;
    for (int k = 1; k < run->n_instant; k++)
        if (time_apart_s(run, run->instant[k].time_s, time_s) < time_apart_s(run, run->instant[best].time_s, time_s))
            best = k;
    return best;
}

static int set_openings(const lattice *l, const solution *run, const monitors *m, instants_one *one) {
    size_t n = (size_t)l->n_opening + 1;
    one->at = *run;
    one->at.n_instant = 0;
    one->at.instant = NULL;
    one->at.flow_ml_s = malloc(n * sizeof *one->at.flow_ml_s);
    one->at.pressure_pa = malloc(n * sizeof *one->at.pressure_pa);
    if (!one->at.flow_ml_s || !one->at.pressure_pa)
        return fail_memory("an instant", 16.0 * (double)n);
    for (int k = 0; k < l->n_opening; k++)
        one->at.flow_ml_s[k] = one->at.pressure_pa[k] = NAN;
    if (m->n > 0 && isfinite(run->cycle_period_s))
        monitors_at(m, run->cycle_period_s - one->time_s, one->at.flow_ml_s, one->at.pressure_pa);
    return OK;
}

static int choose_one(double asked_s, const lattice *l, const solution *run, const monitors *m, instants *to) {
    double period = run->cycle_period_s;
    if (isfinite(period) && asked_s > period * (1 + 1e-9))
        return fail(ERR_INPUT,
                    "the instant %.6g s of the case (post.instants) is later than the end of the cycle, %.6g s; give "
                    "an earlier time",
                    asked_s, period);
    int stored = nearest_instant(run, asked_s);
    double time_s = run->instant[stored].time_s;
    for (int k = 0; k < to->n; k++)
        if (to->one[k].stored == stored) {
            message_warn("the instant %.6g s of the case has the same nearest stored instant, %.6g s, as an earlier "
                         "one; raise solve.stores to separate them",
                         asked_s, time_s);
            return OK;
        }
    if (time_apart_s(run, time_s, asked_s) > 1e-6)
        message_info("instant %.6g s: the nearest stored instant is %.6g s", asked_s, time_s);
    to->one[to->n] = (instants_one){.stored = stored, .time_s = time_s};
    return set_openings(l, run, m, &to->one[to->n++]);
}

int instants_choose(const case_file *c, const lattice *l, const solution *run, const monitors *m, instants *to) {
    int rc = OK;
    memset(to, 0, sizeof *to);
    if (c->post.n_instant == 0 || !run->pulsatile)
        return OK;
    to->one = calloc((size_t)c->post.n_instant, sizeof *to->one);
    if (!to->one)
        return fail_memory("the instants", sizeof *to->one);
    for (int k = 0; k < c->post.n_instant; k++)
        TRY(choose_one(c->post.instant_s[k], l, run, m, to));
cleanup:
    if (rc != OK)
        instants_free(to);
    return rc;
}

/* Errors by the stored instants below this part of the pressure range, or of the largest flow, do not count */
static const double SAMPLED_LEAST = 0.02;

int instants_take_sampling_error(const solution *run, const monitors *m, readouts *r) {
    const int n = r->n_opening;
    double low = 0, high = 0, flow = 0, largest = 0;
    if (!run->pulsatile || run->n_instant == 0 || m->n == 0 || r->n_section == 0)
        return OK;
    double *sum = calloc(4 * (size_t)n + 1, sizeof *sum), *at = sum + 2 * n;
    if (!sum)
        return fail_memory("the stored instants", 32.0 * n);
    for (int i = 0; i < run->n_instant; i++) {
        monitors_at(m, run->cycle_period_s - run->instant[i].time_s, at, at + n);
        for (int k = 0; k < 2 * n; k++)
            sum[k] += at[k] / run->n_instant;
    }
    for (int k = 0; k < n; k++) { /* fmin and fmax ignore NaN */
        low = fmin(low, sum[n + k] - run->pressure_pa[k]);
        high = fmax(high, sum[n + k] - run->pressure_pa[k]);
        flow = fmax(flow, fabs(sum[k] - run->flow_ml_s[k]));
        largest = fmax(largest, fabs(run->flow_ml_s[k]));
    }
    free(sum);
    r->sampled_pa = high - low > SAMPLED_LEAST * readouts_pressure_range_pa(r) ? high - low : 0;
    r->sampled_ml_s = flow > SAMPLED_LEAST * largest ? flow : 0;
    if (r->sampled_pa > 0 || r->sampled_ml_s > 0)
        message_warn_serious("means in sections are means over %d stored instants: pressures may be %.2g Pa off, flows "
                             "%.2g mL/s; raise solve.stores",
                             run->n_instant, r->sampled_pa, r->sampled_ml_s);
    return OK;
}

void instants_free(instants *i) {
    for (int k = 0; k < i->n; k++) {
        instants_one *one = &i->one[k];
        free(one->at.flow_ml_s);
        free(one->at.pressure_pa);
        fields_free(&one->f);
        free(one->wss);
        free(one->shear);
        free(one->pressure);
    }
    free(i->one);
    memset(i, 0, sizeof *i);
}

static int keep_wall(const wall *w, const double *wss_pa, const double *pressure_pa, instants_one *one) {
    size_t n = (size_t)w->shape.n_point;
    one->wss = malloc((3 * n + 1) * sizeof *one->wss);
    one->shear = malloc((n + 1) * sizeof *one->shear);
    one->pressure = malloc((n + 1) * sizeof *one->pressure);
    if (!one->wss || !one->shear || !one->pressure)
        return fail_memory("the wall values of one instant", 40.0 * (double)n);
    memcpy(one->wss, wss_pa, 3 * n * sizeof *wss_pa);
    memcpy(one->pressure, pressure_pa, n * sizeof *pressure_pa);
    for (size_t k = 0; k < n; k++)
        one->shear[k] = vec_length(wss_pa + 3 * k);
    return OK;
}

int instants_take(instants *i, int stored, const case_file *c, const sampler *s, const wall *w, fields *f,
                  const double *wss_pa, const double *pressure_pa, double highest_m_s, readouts *r) {
    int rc = OK, k = 0;
    while (k < i->n && i->one[k].stored != stored)
        k++;
    if (k == i->n)
        return OK;
    instants_one *one = &i->one[k];
    readouts *to = &r->instant[k];
    TRY(readouts_form_instant(c, s, f, r, &one->at, one->time_s, to));
    TRY(keep_wall(w, wss_pa, pressure_pa, one));
    TRY(readouts_add_wss(w, s->lattice->spacing_mm, one->shear, to));
    to->velocity_max_m_s = highest_m_s;
    one->f = (fields){.n_cell = f->n_cell, .time_s = f->time_s, .velocity_m_s = f->velocity_m_s};
    f->velocity_m_s = NULL;
cleanup:
    return rc;
}
