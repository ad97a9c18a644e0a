/* SPDX-License-Identifier: Apache-2.0 */
/* Averages an unsteady flow until the standard errors are small. */
#include "common/base/status.h"
#include "solve/run/run_acceleration.h"
#include "solve/run/run_average.h"
#include "solve/statistics/settling.h"
#include <math.h>
#include <stdio.h>

/* ERROR_LIMIT: upper limit of the standard error of a mean. STILL_LIMIT: a flow with a smaller standard deviation
 * counts as steady. Both are relative to the largest pressure difference or to the total inflow. */
static const double ERROR_LIMIT = 0.01, STILL_LIMIT = 5e-4;
/* Upper limit of the residual at which a flow without openings may be averaged */
static const double CLOSED_LIMIT = 1e-5;
/* Shortest averaging window: the longer of WINDOW times passages_s (the time of ten passages of blood through the
 * vessel) and OF_RUN times the duration of the run after the ramp. CALMS: the flow is settling if log(residual) falls
 * by CALMS or more over a window. CHANCE: a trend below this many standard errors may be due to chance. */
static const double WINDOW = 0.2, OF_RUN = 1.0 / 3, CALMS = 0.2, CHANCE = 2;
/* Upper limits of the remaining transient of a nearly steady flow, relative: of the velocity (L2 norm), and of each
 * pressure and flow */
static const double VELOCITY_LEFT = 1e-2, OPENING_LEFT = 1e-3;
/* Upper limit of the number of steps of a coarse level whose flow is about to settle, as a multiple of share_steps. */
static const double SHARES_MOST = 4;
/* A flow is still developing, and its mean is no result, if two conditions hold. First, during the average a pressure
 * changes by more than ON_ITS_WAY times the largest pressure difference, or a flow by more than ON_ITS_WAY times the
 * total inflow. Second, this change exceeds chance (CHANCE). SHARES_SPENT: upper limit of the number of steps of a run
 * without a result, as a multiple of share_steps. */
static const double ON_ITS_WAY = 0.05, SHARES_SPENT = 8;
enum { FIELD_SAMPLES = 400, PASSAGE_FIELDS = 16, CROSSINGS = 4, SHARE_SAMPLES = 16 };

/* Finds the largest pressure difference of the means and the total inflow: the scales of errors and fluctuations. */
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

/* Largest relative standard error (error true) or standard deviation over the pressures and flows of all openings. */
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

/* Time in which blood passes through the vessel ten times at the largest velocity, s. */
static double passages_s(const run_settings *r) {
    return 10 * r->length_cells / fmax(r->s->velocity, 1e-9) * r->s->dt_s;
}

/* True if the pressure or flow with the largest variation oscillates about its mean with an amplitude above the limit
 * of a steady flow. */
static bool oscillates(const run_loop *l) {
    const fluctuation *f = &l->result->statistics;
    double density, flow, most = 0;
    int worst = 0;
    unsteady_scale(l, &density, &flow);
    for (int what = 0; what < 2 * f->n_opening; what++) {
        const double part = fluctuation_of(f, what, -1).deviation / (what % 2 ? density : flow);
        worst = part > most ? what : worst;
        most = fmax(most, part);
    }
    return most > STILL_LIMIT && fluctuation_crossings(f, worst) >= CROSSINGS;
}

/* Trends of pressures and flows within the window. DRIFTS: at least one of them changes by more than the allowed error
 * and by more than chance. STAYS: none of them does. OPEN: the window is too short to decide. */
enum course { DRIFTS, STAYS, OPEN };
static enum course course_of(const run_loop *l) {
    const fluctuation *f = &l->result->statistics;
    enum course found = STAYS;
    double density, flow;
    unsteady_scale(l, &density, &flow);
    for (int what = 0; what < 2 * f->n_opening; what++) {
        const fluctuation_trend t = fluctuation_trend_of(f, what);
        const double limit = ERROR_LIMIT * (what % 2 ? density : flow);
        if (fabs(t.change) > fmax(limit, CHANCE * t.error))
            return DRIFTS;
        if (!(t.error < 2 * limit))
            found = OPEN;
    }
    return found;
}

/* Change of a mean that is still to come. found: change of the mean within the window W. The slowest mode decays as
 * exp(-t / T) with the viscous time constant T; its mean over W differs from its value at the end of W by W / (2 T) of
 * that value or more. */
static double remaining_change(const run_loop *l, double found) {
    const double viscous_s = run_viscous_steps(l->r) * l->r->s->dt_s;
    return found * fmax(1, 2 * viscous_s / (l->p->time_s - l->p->begin_s));
}

/* True when two conditions hold: the mean velocity over two or more passages through the vessel is close to the present
 * velocity (`apart`: their relative difference), and no pressure or flow drifts. */
static bool is_quiet(const run_loop *l, double apart) {
    const fluctuation *f = &l->result->statistics;
    double density, flow;
    unsteady_scale(l, &density, &flow);
    for (int what = 0; what < 2 * f->n_opening; what++) {
        const fluctuation_trend t = fluctuation_trend_of(f, what);
        const double limit = OPENING_LEFT * (what % 2 ? density : flow);
        if (!(t.error < limit && remaining_change(l, fabs(t.change)) < 2 * limit))
            return false;
    }
    return f->n_opening > 0 && remaining_change(l, apart) < VELOCITY_LEFT &&
           l->p->time_s - l->p->begin_s >= WINDOW * passages_s(l->r);
}

/* True when the residual falls over the last n monitors, or over all monitors if there are fewer than n. */
static bool residual_falls(const run_loop *l, long n) {
    const fluctuation *f = &l->result->statistics;
    const fluctuation_trend t = fluctuation_trend_of_change(f, n < f->n_change ? n : f->n_change);
    return t.change < -fmax(CALMS, CHANCE * t.error);
}

/* Time in s after which the slowest mode of a steady flow would show as a falling residual. A residual that decays with
 * the viscous time constant falls by exp(1/2) from quarter to quarter of its history after two time constants
 * (fluctuation_residual_constant). */
static double average_due_s(const run_loop *l) {
    const run_settings *r = l->r;
    const double after_s = l->p->plain_s > 0 ? l->p->plain_s + 0.5 * passages_s(r) : 0;
    const double change = fluctuation_recent_residual(&l->result->statistics);
    return fmax(r->ramp_s + settling_due_s(run_viscous_steps(r) * r->s->dt_s, passages_s(r), change), after_s);
}

/* True when averaging may start early: the flow is known to be unsteady, one passage is over, and the residual does not
 * fall over the second half of its history. restart_average decides later whether the means are valid. */
static bool is_known_unsteady(const run_loop *l) {
    const run_settings *r = l->r;
    const bool known = l->p->acceleration_off || l->acceleration.waits_for_fall;
    const double since_s = l->p->plain_s > 0 ? l->p->plain_s : r->ramp_s;
    return known && r->g->n > 0 && l->p->time_s > since_s + 0.1 * passages_s(r) &&
           !residual_falls(l, l->result->statistics.n_change / 2);
}

bool run_average_share_used(const run_loop *l) {
    const run_settings *r = l->r;
    const fluctuation *f = &l->result->statistics;
    if (r->share_steps == 0 || l->p->step < r->share_steps || r->g->n == 0)
        return false;
    const double left = settling_monitors(f->n_change, f->log_change, r->tolerance) * r->monitor_every;
    return l->p->share_used || !((double)l->p->step + left < SHARES_MOST * (double)r->share_steps);
}

bool run_average_due(const run_loop *l) {
    if (run_acceleration_on(l) || l->r->heat)
        return false;
    return is_known_unsteady(l) ||
           (l->p->time_s > average_due_s(l) && fluctuation_residual_constant(&l->result->statistics) &&
            (l->r->g->n > 0 || l->p->change < CLOSED_LIMIT));
}

/* True when the window covers two passages of blood through the vessel, and a third of the run after the ramp. A drift
 * from the start then shows in the window. */
static bool long_enough(const run_loop *l) {
    const double since_s = l->p->time_s - l->p->begin_s;
    return since_s >= fmax(WINDOW * passages_s(l->r), OF_RUN * (l->p->time_s - l->r->ramp_s));
}

/* Starts or restarts the window of the average. */
static void begin_average(run_loop *l) {
    const run_settings *r = l->r;
    l->error = NAN;
    l->p->begin_s = l->p->time_s;
    l->p->field_gap = (long)fmax(1, 0.1 * passages_s(r) / (PASSAGE_FIELDS * r->monitor_every * r->s->dt_s));
    l->result->statistics.n_sample = l->result->statistics.n_field = 0;
    l->p->quiet = false;
}

static bool is_on_its_way(const run_loop *l) {
    const fluctuation *f = &l->result->statistics;
    double density, flow;
    unsteady_scale(l, &density, &flow);
    for (int what = 0; what < 2 * f->n_opening; what++) {
        const fluctuation_trend t = fluctuation_trend_of_few(f, what);
        if (fabs(t.change) > fmax(ON_ITS_WAY * (what % 2 ? density : flow), CHANCE * t.error))
            return true;
    }
    return false;
}

/* True when a run that has used up share_steps has been averaged over one passage through the vessel and SHARE_SAMPLES
 * samples. */
static bool share_averaged(const run_loop *l) {
    return l->p->share_used && l->p->time_s - l->p->begin_s >= 0.1 * passages_s(l->r) &&
           l->result->statistics.n_sample >= SHARE_SAMPLES;
}

bool run_average_spent(const run_loop *l) {
    return l->p->share_used && (double)l->p->step >= SHARES_SPENT * (double)l->r->share_steps;
}

/* Restarts the averaging window if its mean is no result. The window of a run that has used up share_steps restarts
 * while the flow is still developing. A window that began before average_due_s restarts if pressures or flows drift in
 * it, and averaging stops if the residual falls during such a window. */
static void restart_average(run_loop *l) {
    const bool early = l->p->begin_s <= average_due_s(l), due = l->p->time_s > average_due_s(l), whole = long_enough(l);
    if (share_averaged(l) && is_on_its_way(l))
        begin_average(l);
    if (!early || !(whole || due) || l->p->share_used)
        return;
    if (whole && residual_falls(l, l->result->statistics.n_sample))
        l->p->averaging = false;
    const enum course course = course_of(l);
    if (!l->p->averaging || (whole && course == DRIFTS) || (due && course == OPEN))
        begin_average(l);
}

int run_average_add(run_loop *l) {
    const run_settings *r = l->r;
    fluctuation *f = &l->result->statistics;
    state_fields now = {0};
    double apart;
    int rc = OK;
    if (!l->p->averaging) {
        l->p->averaging = true;
        begin_average(l);
        if (r->hooks.averaging)
            r->hooks.averaging(r->hooks.data, l->p);
    }
    TRY(fluctuation_sample(f, l->result->flow, l->result->density));
    if (f->n_sample % 16 == 0) {
        l->error = unsteady_worst(l, true);
        restart_average(l);
    }
    if (f->n_sample % l->p->field_gap == 0) {
        TRY(state_fields_create(&now, r->d->n_cell));
        TRY(r->table->moments(r->b, now.density, now.velocity, now.stress));
        TRY(fluctuation_fields(f, &now, r->d->n_cell));
        if (f->n_field % FIELD_SAMPLES == 0)
            l->p->field_gap *= 2;
        if (f->n_field % PASSAGE_FIELDS == 0) {
            TRY(fluctuation_relative_difference(f, &now, r->d->n_cell, &apart));
            l->p->quiet = is_quiet(l, apart);
        }
    }
cleanup:
    state_fields_free(&now);
    return rc;
}

/* Returns true when averaging is finished; if unsteady, flow and density of the result are means. */
bool run_average_done(run_loop *l) {
    const run_settings *r = l->r;
    run_result *out = l->result;
    const double passage_s = passages_s(r);
    const double since = l->p->time_s - l->p->begin_s;
    if (!l->p->averaging || (out->statistics.n_sample % 16 != 0 && !l->p->quiet))
        return false;
    const bool stays = course_of(l) == STAYS && !residual_falls(l, out->statistics.n_sample);
    const bool shown = stays && long_enough(l) && oscillates(l);
    const bool error = unsteady_worst(l, true) < ERROR_LIMIT;
    const bool late =
        since >= passage_s && (l->p->begin_s > average_due_s(l) || (stays && l->p->time_s > average_due_s(l)));
    if (!l->p->quiet && !share_averaged(l) && !(error && (shown || late)) && since < 20 * passage_s)
        return false;
    out->largest_swing = unsteady_worst(l, false);
    out->unsteady = out->largest_swing > STILL_LIMIT && !(l->p->quiet && residual_falls(l, out->statistics.n_sample));
    out->converged = !out->unsteady; /* an averaged flow without fluctuation is a steady flow */
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
        snprintf(error, sizeof error, ", standard error %.2g %% (target %.0f %%)", 100 * l->error, 100 * ERROR_LIMIT);
    snprintf(note, size, "step %ld, unsteady flow: averaged over %.3g s so far%s", l->p->step,
             l->p->time_s - l->p->begin_s, error);
}

double run_average_left_s(const run_loop *l, double settle_s) {
    const run_settings *r = l->r;
    const double now_s = l->p->time_s, passage_s = passages_s(r);
    if (l->p->averaging)
        return fmax(settling_average_left_s(now_s - l->p->begin_s, l->error, ERROR_LIMIT, passage_s),
                    average_due_s(l) - now_s);
    return settling_left_s(now_s, settle_s, average_due_s(l), passage_s);
}
