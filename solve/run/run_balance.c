/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/run/run_balance.h"
#include <math.h>

/* CORRECTION_PART, OUTFLOW_PART: under-relaxation factors. OUTFLOW_LIMIT: upper limit of the outflow correction, as a
 * fraction of the prescribed flow. */
static const double CORRECTION_PART = 0.5, OUTFLOW_PART = 0.5, OUTFLOW_LIMIT = 0.02;

/* Corrects prescribed outflows. The actual outflow is the total mass gain minus the flow at all other openings, both
 * from the monitors. The sum of all flows shows the same error only after sound waves and slow outlets have carried it
 * to another opening. A correction from this sum would therefore oscillate. */
static void balance_outflows(run_loop *l, const backend_monitor *m) {
    run_progress *p = l->p;
    const double n = l->r->monitor_every;
    double other_inflow = 0, prescribed = 0;
    for (int k = 0; k < l->r->g->n; k++) {
        const domain_opening *o = &l->r->d->opening[k];
        if (run_corrects_outflow(l, k))
            prescribed += m->flow[k] * (1 + p->outflow_correction);
        else if (o->kind == DOMAIN_PRESSURE || o->on_site)
            other_inflow += 0.5 * (m->flow[k] + p->passed_before[k] / l->r->s->flow_scale);
    }
    p->outflow_correction_before = p->outflow_correction;
    if (!(prescribed < 0))
        return;
    if (p->outflow_step < 0) { /* outflow_step < 0: the state was replaced, so passed_before is not its flow one monitor
                                * earlier */
        p->outflow_step = p->step;
        p->outflow_error = p->outflow_prescribed = 0;
        return;
    }
    p->outflow_error += m->entered - n * other_inflow;
    p->outflow_prescribed += n * prescribed;
    if (p->step - p->outflow_step < (l->acceleration.running ? l->acceleration.window : l->r->mass_correction_every))
        return;
    const double goal = 1 / (1 + p->outflow_error / p->outflow_prescribed) - 1;
    p->outflow_correction += OUTFLOW_PART * (fmax(-OUTFLOW_LIMIT, fmin(OUTFLOW_LIMIT, goal)) - p->outflow_correction);
    p->outflow_step = p->step;
    p->outflow_error = p->outflow_prescribed = 0;
}

/* Sets the mass correction of wall links from the mass lost since the last update. A run that starts near its steady
 * state gets the full correction at once, because a stepwise correction makes sound waves between the openings. */
static void balance_walls(run_loop *l, const backend_monitor *m) {
    run_progress *p = l->p;
    const long steps = p->step - p->mass_correction_step;
    const bool first = l->near && p->mass_correction_step == 0;
    p->mass_correction_before = p->mass_correction;
    p->entered += m->entered;
    if ((!first && steps < (l->acceleration.running ? l->acceleration.window : l->r->mass_correction_every)) ||
        !(l->wall_links > 0))
        return;
    p->mass_correction +=
        (first ? 1 : CORRECTION_PART) * (p->entered - (m->mass - p->kept)) / (double)steps / l->wall_links;
    l->r->table->set_mass_correction(l->r->b, p->mass_correction);
    p->mass_correction_step = p->step;
    p->kept = m->mass;
    p->entered = 0;
}

/* Does the task of balance_walls once per cycle: the mass correction moves smoothly to the value that the last cycle
 * needed. Jumps of the correction within a cycle would send sound waves through the lattice, which low velocities
 * hardly damp. */
static void balance_cycle(run_loop *l, const backend_monitor *m) {
    run_progress *p = l->p;
    const double every = l->r->s->steps_per_period;
    p->mass_correction_before = p->mass_correction;
    p->entered += m->entered;
    if (!(l->wall_links > 0))
        return;
    if ((double)(p->step - p->mass_correction_step) >= every) {
        p->mass_correction_from = p->mass_correction;
        p->mass_correction_goal = (p->entered - (m->mass - p->kept)) / every / l->wall_links;
        p->mass_correction_step = p->step;
        p->kept = m->mass;
        p->entered = 0;
    }
    p->mass_correction =
        p->mass_correction_from + (p->mass_correction_goal - p->mass_correction_from) *
                                      boundary_values_rise((double)(p->step - p->mass_correction_step) / every);
    l->r->table->set_mass_correction(l->r->b, p->mass_correction);
}

void run_balance(run_loop *l, const backend_monitor *m) {
    if (l->r->s->steps_per_period > 0) {
        balance_cycle(l, m);
        return;
    }
    balance_walls(l, m);
    balance_outflows(l, m);
}
