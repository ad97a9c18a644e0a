/* See run_balance.h: what walls take is given back, and what a given flow that leaves falls short of is asked for. */
#include "solve/run/run_balance.h"
#include <math.h>

static const double CORRECTION_PART = 0.5, LEAVE_PART = 0.5, LEAVE_MOST = 0.02; /* of the flow */

/* What has come in beside what openings give is what came in where nothing is given, and what given flows that leave
 * fell short of: the first is known from its flow at the monitors. (What the flows lack to balance would tell the same,
 * but later: what leaves less here comes out elsewhere once sound and the slow outlets have carried it there, and what
 * is asked for would swing to and fro.) */
static void balance_leaving(run_loop *l, const backend_monitor *m) {
    run_progress *p = l->p;
    const double n = l->r->monitor_every;
    double elsewhere = 0, asked = 0;
    for (int k = 0; k < l->r->g->n; k++) {
        const domain_opening *o = &l->r->d->opening[k];
        if (run_led_out(l, k))
            asked += m->flow[k] * (1 + p->leave);
        else if (o->kind == DOMAIN_PRESSURE || o->on_site)
            elsewhere += 0.5 * (m->flow[k] + p->passed_before[k] / l->r->s->flow_scale);
    }
    p->leave_before = p->leave;
    if (!(asked < 0))
        return;
    if (p->leave_step < 0) { /* passed_before is of another state */
        p->leave_step = p->step;
        p->missed = p->asked = 0;
        return;
    }
    p->missed += m->entered - n * elsewhere;
    p->asked += n * asked;
    if (p->step - p->leave_step < (l->mix.running ? l->mix.window : l->r->mass_correction_every))
        return;
    const double goal = 1 / (1 + p->missed / p->asked) - 1;
    p->leave += LEAVE_PART * (fmax(-LEAVE_MOST, fmin(LEAVE_MOST, goal)) - p->leave);
    p->leave_step = p->step;
    p->missed = p->asked = 0;
}

/* The mass that the walls took is given back from now on. Of a flow that begins near its end all of it and at once:
 * what walls take depends on how each lattice cuts them (-0.9, 0.4 and -1 % of the flow through a bend on three of
 * them), and a part of the flow that is found in steps swings to and fro between the openings as sound. */
static void balance_walls(run_loop *l, const backend_monitor *m) {
    run_progress *p = l->p;
    const long steps = p->step - p->mass_correction_step;
    const bool first = l->near && p->mass_correction_step == 0;
    p->mass_correction_before = p->mass_correction;
    p->entered += m->entered;
    if ((!first && steps < (l->mix.running ? l->mix.window : l->r->mass_correction_every)) || !(l->wall_links > 0))
        return;
    p->mass_correction +=
        (first ? 1 : CORRECTION_PART) * (p->entered - (m->mass - p->kept)) / (double)steps / l->wall_links;
    l->r->table->set_mass_correction(l->r->b, p->mass_correction);
    p->mass_correction_step = p->step;
    p->kept = m->mass;
    p->entered = 0;
}

/* The same of cycles: what walls took in one, the mass correction goes to in the next one, smoothly. A mass correction
 * that jumps, or follows within a cycle, makes sound, which slow blood hardly damps. */
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
    balance_leaving(l, m);
}
