/* SPDX-License-Identifier: Apache-2.0 */
/* See opening_model.h. */
#include "solve/boundary/opening_model.h"
#include <math.h>
#include <string.h>

/* Fraction of a cycle over which a shift of a stored pressure is spread, because a jump would send a sound wave through
 * the lattice. */
static const double SHIFT_PART = 0.5;
/* Resistance, Pa s/m3, that is added to every port. Without it the flows of ports without any resistance would be
 * undetermined. */
static const double SMALLEST = 1e-6;

double opening_port_resistance(const opening_port *p) {
    return p->modelled ? p->proximal_pa_s_m3 + p->distal_pa_s_m3 : 0;
}

double opening_port_pressure(const opening_port *p, double flow_m3_s) {
    return p->behind_pa + opening_port_resistance(p) * flow_m3_s;
}

/* Finds the node pressure P for which the flows (P + c_k) / d_k sum to the supply, and sets these flows. */
static void share_supply(int n, const double *c, const double *d, double supply_m3_s, double *flow_m3_s) {
    double sum = 0, weight = 0;
    for (int k = 0; k < n; k++) {
        sum += c[k] / d[k];
        weight += 1 / d[k];
    }
    const double node = n > 0 ? (supply_m3_s - sum) / weight : 0;
    for (int k = 0; k < n; k++)
        flow_m3_s[k] = (node + c[k]) / d[k];
}

/* Pressure in the capacitance of a port in steady flow, Pa. */
static double steady_stored_pa(const opening_port *p, double flow_m3_s) {
    return p->behind_pa + p->distal_pa_s_m3 * flow_m3_s;
}

/* Loss of port k for measured flows and pressures, relative to port 0: a constant in all losses has no effect. */
static double loss_of(const opening_network *w, const double *flow_m3_s, const double *pressure_pa, int k) {
    return pressure_pa[0] + w->port[0].vessel_pa_s_m3 * flow_m3_s[0] - pressure_pa[k] -
           w->port[k].vessel_pa_s_m3 * flow_m3_s[k];
}

void opening_network_steady(const opening_network *w, double supply_m3_s, opening_state *s) {
    double c[OPENING_PORTS], d[OPENING_PORTS], flow[OPENING_PORTS];
    for (int k = 0; k < w->n; k++) {
        const opening_port *p = &w->port[k];
        c[k] = -p->behind_pa;
        d[k] = opening_port_resistance(p) + p->vessel_pa_s_m3 + SMALLEST;
    }
    share_supply(w->n, c, d, supply_m3_s, flow);
    opening_network_start(w, flow, s);
    for (int k = 0; k < w->n; k++)
        s->loss_pa[k] = 0;
}

void opening_network_start(const opening_network *w, const double *flow_m3_s, opening_state *s) {
    memset(s, 0, sizeof *s);
    for (int k = 0; k < w->n; k++) {
        const opening_port *p = &w->port[k];
        s->flow_m3_s[k] = flow_m3_s[k];
        s->pressure_pa[k] = opening_port_pressure(p, flow_m3_s[k]);
        s->stored_pa[k] = s->begin_pa[k] = steady_stored_pa(p, flow_m3_s[k]);
        s->loss_pa[k] = loss_of(w, flow_m3_s, s->pressure_pa, k);
    }
    s->set = 1;
}

void opening_network_start_changed(const opening_network *w, const double *flow_m3_s, const double *pressure_pa,
                                   opening_state *s) {
    double c[OPENING_PORTS], d[OPENING_PORTS], flow[OPENING_PORTS], supply_m3_s = 0;
    for (int k = 0; k < w->n; k++) {
        const opening_port *p = &w->port[k];
        c[k] = -p->behind_pa - loss_of(w, flow_m3_s, pressure_pa, k);
        d[k] = opening_port_resistance(p) + p->vessel_pa_s_m3 + SMALLEST;
        supply_m3_s += flow_m3_s[k];
    }
    share_supply(w->n, c, d, supply_m3_s, flow);
    opening_network_start(w, flow, s);
    for (int k = 0; k < w->n; k++)
        s->loss_pa[k] = loss_of(w, flow_m3_s, pressure_pa, k);
}

/* Smooth step of boundary_values_rise. */
static double rise(double part) {
    return part < 1 ? part * part * part * (10.0 - part * (15.0 - 6.0 * part)) : 1;
}

/* Expresses the pressure at the end of a step as first + slope * flow (flow at the end of the step), by the trapezoidal
 * rule for the capacitance (OPENINGS.md, eq. 21). */
static void linear_pressure(const opening_port *p, double stored_pa, double flow_m3_s, double dt_s, double *first,
                            double *slope) {
    *first = p->behind_pa;
    *slope = opening_port_resistance(p);
    if (!(p->capacitance_m3_pa > 0))
        return;
    const double leak = dt_s / (2 * p->distal_pa_s_m3 * p->capacitance_m3_pa), gain = dt_s / p->capacitance_m3_pa;
    *first = (stored_pa * (1 - leak) + 0.5 * gain * flow_m3_s + 2 * leak * p->behind_pa) / (1 + leak);
    *slope = p->proximal_pa_s_m3 + 0.5 * gain / (1 + leak);
}

/* Weight of the end of a step in pulsatile flow, 1/2 to 1. stiffness: resistance times time step over inertance, the
 * largest of all ports. It is 1/2 (trapezoidal rule) for short steps and tends to 1 (implicit Euler) for long ones,
 * where the trapezoidal rule rings: 1 / (1 - exp(-s)) - 1 / s, exact for a constant pressure difference (Liniger and
 * Willoughby 1970). The difference to 1/2 is s / 12, so the step stays of second order. */
static double end_weight(double stiffness) {
    const double small = 1e-3;
    return stiffness < small ? 0.5 + stiffness / 12 : 1 / (1 - exp(-stiffness)) - 1 / stiffness;
}

void opening_network_step(const opening_network *w, double supply_m3_s, double dt_s, double cycle_before,
                          double cycle_part, opening_state *s) {
    double first[OPENING_PORTS], slope[OPENING_PORTS], c[OPENING_PORTS], d[OPENING_PORTS];
    double stiffness = 0;
    if (!(dt_s > 0))
        return;
    for (int k = 0; k < w->n; k++) {
        const opening_port *p = &w->port[k];
        if (w->pulsatile) {
            s->stored_pa[k] += s->pending_pa[k] * (rise(cycle_part / SHIFT_PART) - rise(cycle_before / SHIFT_PART));
            linear_pressure(p, s->stored_pa[k], s->flow_m3_s[k], dt_s, &first[k], &slope[k]);
        } else {
            first[k] = p->behind_pa;
            slope[k] = opening_port_resistance(p);
        }
        if (p->inertance_pa_s2_m3 > 0)
            stiffness = fmax(stiffness, (slope[k] + p->vessel_pa_s_m3) * dt_s / p->inertance_pa_s2_m3);
    }
    /* weight of the end of the step; steady flow: implicit Euler */
    const double now = w->pulsatile ? end_weight(stiffness) : 1;
    for (int k = 0; k < w->n; k++) {
        const opening_port *p = &w->port[k];
        const double inertia = p->inertance_pa_s2_m3 / dt_s;
        c[k] = inertia * s->flow_m3_s[k] - (1 - now) * (s->pressure_pa[k] + p->vessel_pa_s_m3 * s->flow_m3_s[k]) -
               now * first[k] - s->loss_pa[k];
        d[k] = inertia + now * (slope[k] + p->vessel_pa_s_m3) + SMALLEST;
    }
    share_supply(w->n, c, d, supply_m3_s + s->supply_m3_s, s->flow_m3_s);
    for (int k = 0; k < w->n; k++) {
        s->pressure_pa[k] = first[k] + slope[k] * s->flow_m3_s[k];
        s->stored_pa[k] = s->pressure_pa[k] - w->port[k].proximal_pa_s_m3 * s->flow_m3_s[k];
    }
}

void opening_network_observe(const opening_network *w, const double *flow_m3_s, double dt_s, double observer_s,
                             opening_state *s) {
    const double rate = fmin(dt_s / observer_s, 0.5);
    double common = 0;
    if (!(dt_s > 0) || w->n == 0)
        return;
    for (int k = 0; k < w->n; k++)
        common += flow_m3_s[k] - s->flow_m3_s[k];
    if (!w->pulsatile) /* in steady flow the measured flows determine the supply */
        s->supply_m3_s += rate * common;
    for (int k = 0; k < w->n; k++) {
        const opening_port *p = &w->port[k];
        const double error = flow_m3_s[k] - s->flow_m3_s[k] - common / w->n;
        s->flow_m3_s[k] += rate * error;
        s->loss_pa[k] -= rate * (0.25 * rate * p->inertance_pa_s2_m3 / dt_s + p->vessel_pa_s_m3) * error;
    }
}

/* Two equal pressure shifts: one is spread over the first part of the cycle, the other is applied at its start. Returns
 * the ratio of their remainders at the end of the cycle, 1 or more, because a part added at time t decays for T - t
 * only. periods: time constant of the decay (R_d C of one Windkessel) over the period T. */
static double shift_weight(double periods) {
    enum { PARTS = 64 };
    const double most = 300; /* limit of the exponent: a shift of such a fast Windkessel is 0 */
    double sum = 0;
    for (int k = 0; k < PARTS; k++)
        sum += (rise((k + 1.0) / PARTS) - rise((double)k / PARTS)) *
               exp(fmin((k + 0.5) / PARTS * SHIFT_PART / periods, most));
    return sum;
}

double opening_network_cycle(const opening_network *w, double period_s, opening_state *s) {
    double charge = 0, capacitance = 0, conductance = 0, largest = 0;
    for (int k = 0; k < w->n; k++) {
        const opening_port *p = &w->port[k];
        const bool stores = p->capacitance_m3_pa > 0;
        s->pending_pa[k] = 0;
        capacitance += stores ? p->capacitance_m3_pa : 0;
        charge += stores ? p->capacitance_m3_pa * (s->stored_pa[k] - s->begin_pa[k]) : 0;
        conductance += 1 / (stores ? p->distal_pa_s_m3 : opening_port_resistance(p) + p->vessel_pa_s_m3 + SMALLEST);
    }
    if (!(capacitance > 0))
        return 0;
    /* All capacitances get the same shift, because the vessel equalizes their differences within a cycle. kept:
     * fraction of a common deviation that remains after one cycle. Periodic pressure: (end - kept begin) / (1 - kept),
     * where begin and end are the pressures of the last cycle. missing: periodic pressure minus end. */
    const double periods = capacitance / (conductance * period_s), kept = exp(-1 / periods),
                 mean = charge / capacitance;
    const double missing = mean * kept / (1 - kept);
    for (int k = 0; k < w->n; k++) {
        const opening_port *p = &w->port[k];
        if (!(p->capacitance_m3_pa > 0))
            continue;
        const double size = fabs(s->stored_pa[k] - p->behind_pa), change = s->stored_pa[k] - s->begin_pa[k];
        const double rest = fmax(fabs(missing), fabs(change - mean));
        s->pending_pa[k] = missing / shift_weight(periods);
        largest = size > 0 ? fmax(largest, rest / size) : largest;
        s->begin_pa[k] = s->stored_pa[k] + missing;
    }
    return largest;
}

double opening_network_error(const opening_network *w, const double *flow_m3_s, const opening_state *s) {
    double largest = 0, difference = 0;
    for (int k = 0; k < w->n; k++) {
        largest = fmax(largest, fabs(flow_m3_s[k]));
        difference = fmax(difference, fabs(flow_m3_s[k] - s->flow_m3_s[k]));
    }
    return largest > 0 ? difference / largest : 0;
}

void opening_state_combine(int n, const double *weight, const opening_state *state, opening_state *s) {
    double *sum = (double *)s;
    memset(s, 0, sizeof *s);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < OPENING_STATE && weight[k] != 0; i++)
            sum[i] += weight[k] * ((const double *)&state[k])[i];
    s->set = 1;
}
