/* SPDX-License-Identifier: Apache-2.0 */
/* See run_openings.h. */
#include "solve/run/run_openings.h"
#include <math.h>
#include <string.h>

/* Time constant in which the network follows the measured flows, in passages of sound along the vessel. In pulsatile
 * flow outlets reflect sound, which a fast answer would amplify. */
static const double OBSERVER_STEADY = 1, OBSERVER_PULSATILE = 8;
/* The opening models have settled below this error (opening_network_error) */
static const double SETTLED = 1e-6;

static const opening_network *network_of(const run_loop *l) {
    return &l->r->g->network;
}

/* Measured flows out of the fluid at the ports, m3/s. */
static void port_flows(const run_loop *l, double *flow_m3_s) {
    for (int i = 0; i < network_of(l)->n; i++)
        flow_m3_s[i] = -l->p->passed[network_of(l)->opening[i]];
}

/* Pressure of port i relative to the port `level`, Pa: the lattice prescribes this pressure. */
static double relative_pa(const opening_network *w, const double *pressure_pa, int i) {
    return pressure_pa[i] - pressure_pa[w->level];
}

void run_openings_start(run_loop *l, bool rest) {
    const opening_network *w = network_of(l);
    const double flow[OPENING_PORTS] = {0};
    if (w->n == 0 || (l->p->openings.set == 1 && !rest))
        return;
    if (rest && !w->pulsatile) {
        opening_network_start(w, flow, &l->p->openings);
        memset(l->p->openings.loss_pa, 0, sizeof l->p->openings.loss_pa);
    } else /* in pulsatile flow the capacitances start at the mean flow */
        l->p->openings = l->r->g->initial;
    memcpy(l->openings_before, l->p->openings.pressure_pa, sizeof l->openings_before);
}

void run_openings_step(run_loop *l, int n) {
    const run_settings *r = l->r;
    const opening_network *w = network_of(l);
    const double every = r->s->steps_per_period;
    prescribed_value given[BACKEND_GIVEN];
    if (w->n == 0)
        return;
    memcpy(l->openings_before, l->p->openings.pressure_pa, sizeof l->openings_before);
    boundary_values_at(r->g, r->s, r->ramp_s, run_loop_time(l, n), given);
    const double before = every > 0 ? (double)(l->p->step - l->p->cycle * (long)every) / every : 0;
    opening_network_step(w, boundary_values_supply_m3_s(r->g, r->s, given), n * r->s->dt_s, before,
                         every > 0 ? before + n / every : 0, &l->p->openings);
}

static void give(const run_loop *l, const double *relative, prescribed_value *given) {
    const opening_network *w = network_of(l);
    for (int i = 0; i < w->n; i++)
        given[w->opening[i]].pressure = relative[i] / l->r->s->pressure_scale;
}

void run_openings_give(run_loop *l, int ahead, int n, prescribed_value *given) {
    const opening_network *w = network_of(l);
    opening_state *s = &l->p->openings;
    const double part = (double)ahead / n;
    if (w->n == 0)
        return;
    const double rise = boundary_values_pressure_part(l->r->g, l->r->ramp_s, run_loop_time(l, ahead));
    for (int i = 0; i < w->n; i++)
        s->given_pa[i] =
            rise * ((1 - part) * relative_pa(w, l->openings_before, i) + part * relative_pa(w, s->pressure_pa, i));
    give(l, s->given_pa, given);
}

void run_openings_give_last(const run_loop *l, prescribed_value *given) {
    if (l->p->openings.set == 1)
        give(l, l->p->openings.given_pa, given);
}

void run_openings_observe(run_loop *l) {
    const run_settings *r = l->r;
    double flow[OPENING_PORTS];
    const long steps = l->p->step - l->observed_step;
    const double sound_s = sqrt(3.0) * r->length_cells * r->s->dt_s;
    l->observed_step = l->p->step;
    if (network_of(l)->n == 0 || steps <= 0)
        return;
    port_flows(l, flow);
    opening_network_observe(network_of(l), flow, (double)steps * r->s->dt_s,
                            sound_s * (network_of(l)->pulsatile ? OBSERVER_PULSATILE : OBSERVER_STEADY),
                            &l->p->openings);
}

bool run_openings_settled(const run_loop *l) {
    double flow[OPENING_PORTS];
    port_flows(l, flow);
    return opening_network_error(network_of(l), flow, &l->p->openings) <= SETTLED;
}

void run_openings_keep(run_loop *l, int place) {
    if (network_of(l)->n > 0)
        l->openings_kept[place] = l->p->openings;
}

void run_openings_combine(run_loop *l, const double *weight) {
    if (network_of(l)->n > 0)
        opening_state_combine(BACKEND_PLACES, weight, l->openings_kept, &l->p->openings);
}

void run_openings_end_cycle(run_loop *l) {
    const run_settings *r = l->r;
    l->p->openings_change =
        network_of(l)->n > 0
            ? opening_network_cycle(network_of(l), r->s->steps_per_period * r->s->dt_s, &l->p->openings)
            : 0;
}
