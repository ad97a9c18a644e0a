/* See run_loop.h: means of a flow that does not become steady, until their errors are small. */
#include "common/base/status.h"
#include "solve/run/run_loop.h"
#include "solve/run/settling.h"
#include <math.h>
#include <stdio.h>

static const double ERROR_LIMIT = 0.01, STILL_LIMIT = 5e-4; /* of the largest pressure difference and of the inflow */
static const double CLOSED_LIMIT = 1e-5; /* a flow without openings, which show swings, is on its way above it */
enum { FIELD_SAMPLES = 400 };

/* Largest pressure difference of the means, and inflow: what errors and swings count against. */
static void unsteady_scale(const run_loop *l, double *density, double *flow) {
    const fluctuation *f = &l->result->statistics;
    double low = INFINITY, high = -INFINITY;
    *flow = 0;
    for (int k = 0; k < f->n_opening; k++) {
        const double rho = fluctuation_of(f, 2 * k + 1, -1).mean;
        low = fmin(low, rho);
        high = fmax(high, rho);
        *flow += fmax(fluctuation_of(f, 2 * k, -1).mean, 0.0);
    }
    *density = high - low;
}

/* Of the quantity of all openings that is worst: standard error (error) or deviation of its mean, relative. */
static double unsteady_worst(const run_loop *l, bool error) {
    const fluctuation *f = &l->result->statistics;
    double density, flow, worst = 0;
    unsteady_scale(l, &density, &flow);
    for (int k = 0; k < f->n_opening; k++)
        for (int what = 2 * k; what < 2 * k + 2; what++) {
            const fluctuation_value v = fluctuation_of(f, what, -1);
            const double part = (error ? v.error : v.deviation) / (what % 2 ? density : flow);
            worst = isfinite(part) ? fmax(worst, part) : INFINITY;
        }
    return worst;
}

/* Ten passages of the fastest blood through the vessel. */
static double passages_s(const run_settings *r) {
    return 10 * r->length_cells / fmax(r->s->velocity, 1e-9) * r->s->dt_s;
}

/* Has the flow had the time that its slowest ways to settle take? Changes that fall with the time constant of viscosity
 * fall from quarter to quarter by exp(1/2) after two of it: fluctuation_lasts sees that. */
static double due_s(const run_loop *l) {
    const run_settings *r = l->r;
    const double after_s = l->p->plain_s > 0 ? l->p->plain_s + 0.5 * passages_s(r) : 0;
    const double change = fluctuation_recent(&l->result->statistics);
    return fmax(r->ramp_s + settling_due_s(run_viscous_steps(r) * r->s->dt_s, passages_s(r), change), after_s);
}

bool run_average_due(const run_loop *l) {
    return !run_mix_on(l) && !l->r->heat && l->p->time_s > due_s(l) && (l->r->g->n > 0 || l->p->change < CLOSED_LIMIT);
}

int run_average_add(run_loop *l) {
    const run_settings *r = l->r;
    fluctuation *f = &l->result->statistics;
    state_fields now = {0};
    int rc = OK;
    if (!l->p->averaging) {
        l->p->averaging = true;
        l->error = NAN;
        l->p->begin_s = l->p->time_s;
        l->p->field_gap = 1;
        if (r->hooks.averaging)
            r->hooks.averaging(r->hooks.data, l->p);
    }
    TRY(fluctuation_sample(f, l->result->flow, l->result->density));
    if (f->n_sample % 16 == 0)
        l->error = unsteady_worst(l, true);
    if (f->n_sample % l->p->field_gap == 0) {
        TRY(state_fields_create(&now, r->d->n_cell));
        TRY(r->table->moments(r->b, now.density, now.velocity, now.stress));
        TRY(fluctuation_fields(f, &now, r->d->n_cell));
        if (f->n_field % FIELD_SAMPLES == 0)
            l->p->field_gap *= 2;
    }
cleanup:
    state_fields_free(&now);
    return rc;
}

/* Averaged for long enough? Then flow and density become means. */
bool run_average_done(run_loop *l) {
    const run_settings *r = l->r;
    run_result *out = l->result;
    const double passage_s = passages_s(r);
    const double since = l->p->time_s - l->p->begin_s;
    if (!l->p->averaging || since < passage_s || out->statistics.n_sample % 16 != 0)
        return false;
    if (!(unsteady_worst(l, true) < ERROR_LIMIT) && since < 20 * passage_s)
        return false;
    out->largest_swing = unsteady_worst(l, false);
    out->unsteady = out->largest_swing > STILL_LIMIT;
    out->converged = !out->unsteady; /* to rounding */
    out->unsteady_s = since;
    for (int k = 0; k < r->g->n && out->unsteady; k++) {
        out->flow[k] = fluctuation_of(&out->statistics, 2 * k, -1).mean;
        out->density[k] = fluctuation_of(&out->statistics, 2 * k + 1, -1).mean;
    }
    return true;
}

void run_average_note(const run_loop *l, char *note, size_t size) {
    char error[80] = "";
    if (isfinite(l->error))
        snprintf(error, sizeof error, ", standard error %.2g %% (ends at %.0f %%)", 100 * l->error, 100 * ERROR_LIMIT);
    snprintf(note, size, "step %ld, unsteady: mean of %.3g s so far%s", l->p->step, l->p->time_s - l->p->begin_s,
             error);
}

double run_average_left_s(const run_loop *l, double settle_s) {
    const run_settings *r = l->r;
    const double now_s = l->p->time_s, passage_s = passages_s(r);
    if (l->p->averaging)
        return settling_average_left_s(now_s - l->p->begin_s, l->error, ERROR_LIMIT, passage_s);
    return settling_left_s(now_s, settle_s, due_s(l), passage_s);
}
