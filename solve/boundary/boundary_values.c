/* SPDX-License-Identifier: Apache-2.0 */
/* See boundary_values.h. */
#include "solve/boundary/boundary_values.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "solve/core/domain_openings.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void boundary_values_free(boundary_values *g) {
    for (int k = 0; g->wave && k < g->n; k++)
        waveform_free(&g->wave[k]);
    for (int k = 0; g->pulse && k < g->n; k++) {
        opening_pulse_free(&g->pulse[k].profile);
        free(g->pulse[k].wave);
    }
    free(g->pulse);
    free((void *)g->from);
    free(g->condition);
    free(g->wave);
    free(g->mean_m3_s);
    free(g->largest_m3_s);
    free(g->setback_pa_s_m3);
    free(g->share);
    memset(g, 0, sizeof *g);
}

static int opening_match(const case_file *c, const lattice *l, int k, boundary_values *g) {
    g->from[k] = case_find_opening(c, l->opening[k].name);
    if (!g->from[k])
        return fail(ERR_INPUT, "the lattice has an opening '%s' that the case does not name; run mesh again",
                    l->opening[k].name);
    return OK;
}

/* Sets period_s, the length of a cycle: solve.period if the case gives it, otherwise the common period of all
 * waveforms. Fails unless a cycle holds whole periods of waveform k. */
static int wave_period(const case_file *c, int k, boundary_values *g) {
    const double period_s = g->wave[k].period_s, given_s = c->solve.period_s, times = round(given_s / period_s);
    if (isfinite(given_s) && (times < 1 || fabs(given_s - times * period_s) > 1e-6 * given_s))
        return fail(ERR_INPUT,
                    "waveform '%s' has a period of %.9g s; solve.period (%.9g s) is not a multiple of it: correct one "
                    "of the two",
                    g->from[k]->waveform, period_s, given_s);
    if (!isfinite(given_s) && g->period_s > 0 && fabs(period_s - g->period_s) > 1e-6 * g->period_s)
        return fail(
            ERR_INPUT,
            "waveform '%s' has a period of %.9g s, another waveform %.9g s; they must agree, or solve.period must "
            "be a multiple of both",
            g->from[k]->waveform, period_s, g->period_s);
    g->period_s = isfinite(given_s) ? given_s : period_s;
    g->beat_s = g->beat_s > 0 ? fmin(g->beat_s, period_s) : period_s;
    return OK;
}

static int wave_open(const case_file *c, int k, boundary_values *g) {
    const int rc = case_open_waveform(c, g->from[k], &g->wave[k]);
    /* mode steady uses the mean of the waveform, so its period is not checked */
    return rc != OK || c->solve.mode == MODE_STEADY ? rc : wave_period(c, k, g);
}

/* 1 for an inlet, -1 for an outlet: flow into the fluid = sign * flow in the direction of the opening's role. */
static double inward_sign(const case_opening *o) {
    return o->role == ROLE_OUTLET ? -1.0 : 1.0;
}

/* Number of the port of opening k in the network; -1: none. */
static int port_of(const boundary_values *g, int k) {
    for (int i = 0; i < g->network.n; i++)
        if (g->network.opening[i] == k)
            return i;
    return -1;
}

/* Pressure in Pa that opening k prescribes, or the pressure at the far end of its model. 0 for an outlet with developed
 * flow. */
static double pressure_of(const boundary_values *g, int k) {
    const case_opening *o = g->from[k];
    return case_opening_is_model(o) ? o->distal_pa : o->condition == CONDITION_PRESSURE ? o->pressure_pa : 0.0;
}

double boundary_values_pressure_pa(const boundary_values *g, int k) {
    const int port = port_of(g, k);
    return port >= 0 ? g->initial.pressure_pa[port] : pressure_of(g, k);
}

static int condition_set(const case_file *c, const lattice *l, int k, boundary_values *g) {
    const case_opening *o = g->from[k];
    domain_condition *d = &g->condition[k];
    int rc;
    d->profile = o->profile;
    d->on_site = c->solve.opening == OPENING_ZOU_HE && o->condition != CONDITION_VECTOR;
    TRY(case_flow_m3_s(c, (int)(o - c->opening), &l->opening[k], &g->largest_m3_s[k]));
    if (o->condition == CONDITION_VECTOR) {
        d->kind = DOMAIN_MOVING_WALL;
        memcpy(d->velocity, o->vector_m_s, sizeof d->velocity);
    } else
        d->kind = isnan(g->largest_m3_s[k]) ? DOMAIN_PRESSURE : DOMAIN_FLOW;
    g->mean_m3_s[k] = d->kind == DOMAIN_FLOW ? g->largest_m3_s[k] : 0;
    if (o->condition == CONDITION_WAVEFORM) {
        TRY(wave_open(c, k, g));
        g->mean_m3_s[k] = inward_sign(o) * waveform_mean_m3_s(&g->wave[k]);
    }
cleanup:
    return rc;
}

/* Upper bound of the velocity that prescribed pressure differences cause, the largest over all pairs of pressure
 * openings. For a pair it is the smallest of three velocities. 1: axis velocity in a tube with the radius of the widest
 * cross-section and the length between the openings (Hagen-Poiseuille). 2: sqrt(2 dp / rho) (Bernoulli). 3: twice the
 * mean velocity, in the smaller opening, of the flow that the resistances of the models allow. */
static double pressure_driven_m_s(const boundary_values *g, const case_file *c, const lattice *l, double radius_m) {
    double largest = 0;
    for (int a = 0; a < g->n; a++)
        for (int b = 0; b < a; b++) {
            if (g->condition[a].kind != DOMAIN_PRESSURE || g->condition[b].kind != DOMAIN_PRESSURE)
                continue;
            const double *p = l->opening[a].centre_mm, *q = l->opening[b].centre_mm;
            const double apart_m = 1e-3 * vec_distance(p, q);
            const double dp = fabs(pressure_of(g, a) - pressure_of(g, b));
            const double resistance = (case_opening_is_model(g->from[a]) ? g->from[a]->resistance_pa_s_m3 : 0) +
                                      (case_opening_is_model(g->from[b]) ? g->from[b]->resistance_pa_s_m3 : 0);
            const double area = 1e-6 * fmin(l->opening[a].area_mm2, l->opening[b].area_mm2);
            const double model = resistance > 0 ? 2 * dp / (resistance * area) : INFINITY;
            const double tube = dp * radius_m * radius_m / (4 * c->blood.viscosity_pa_s * fmax(apart_m, radius_m));
            largest = fmax(largest, fmin(model, fmin(tube, sqrt(2 * dp / c->blood.density_kg_m3))));
        }
    return largest;
}

static double fastest_m_s(const boundary_values *g, const case_file *c, const lattice *l, double radius_m) {
    /* In pulsatile flow, the largest flows of two openings may occur at different times. Therefore `inflow` is reduced
     * by outflows in steady flow only. */
    const bool steady = c->solve.mode == MODE_STEADY;
    double largest = 0, inflow = 0, outlet_area = 0;
    for (int k = 0; k < g->n; k++) {
        const domain_condition *d = &g->condition[k];
        const double area = 1e-6 * l->opening[k].area_mm2, flow = fabs(g->largest_m3_s[k]);
        if (d->kind == DOMAIN_FLOW)
            largest = fmax(largest, (d->profile == PROFILE_PLUG ? 1.0 : 2.0) * (flow / area));
        if (d->kind == DOMAIN_FLOW)
            inflow += steady ? g->largest_m3_s[k] : fmax(g->largest_m3_s[k], 0);
        if (d->kind == DOMAIN_PRESSURE)
            outlet_area += area;
        if (d->kind == DOMAIN_MOVING_WALL)
            largest = fmax(largest, vec_length(d->velocity));
    }
    if (outlet_area > 0)
        largest = fmax(largest, 2.0 * inflow / outlet_area);
    largest = fmax(largest, pressure_driven_m_s(g, c, l, radius_m));
    const double nu = c->blood.viscosity_pa_s / c->blood.density_kg_m3;
    return fmax(largest, vec_length(c->solve.force_m_s2) * radius_m * radius_m / (2.0 * nu));
}

/* Handles an inlet with a prescribed pressure whose flow is the remainder of all other flows. Prescribes this flow
 * instead of the pressure, and pressure 0 at the outlet with the largest prescribed outflow
 * (boundary_values_reference_pa). */
static void take_rest(const case_file *c, const lattice *l, boundary_values *g) {
    const int rest = case_balancing_inlet(c);
    int inlet = -1, most = -1;
    double flow = 0;
    for (int k = 0; k < g->n; k++) {
        flow -= g->mean_m3_s[k];
        inlet = g->from[k] - c->opening == rest ? k : inlet;
        most = g->mean_m3_s[k] < (most < 0 ? 0 : g->mean_m3_s[most]) ? k : most;
    }
    if (inlet < 0 || most < 0 || !(flow > 0))
        return;
    g->rest = inlet;
    g->condition[inlet].kind = DOMAIN_FLOW;
    g->mean_m3_s[inlet] = g->largest_m3_s[inlet] = flow;
    g->condition[most].kind = DOMAIN_PRESSURE;
    g->mean_m3_s[most] = 0;
    g->largest_m3_s[most] = NAN;
    g->reference_pa = 0;
    g->fastest_m_s = fmax(g->fastest_m_s, 2 * flow / (1e-6 * l->opening[inlet].area_mm2));
}

double boundary_values_reference_pa(const boundary_values *g, const scale *s, const double *flow,
                                    const double *density) {
    const opening_network *w = &g->network;
    if (g->rest >= 0) {
        const case_opening *o = g->from[g->rest];
        const double loss = case_opening_is_model(o) ? o->resistance_pa_s_m3 * flow[g->rest] * s->flow_scale : 0;
        return pressure_of(g, g->rest) - loss - density[g->rest] * s->pressure_scale;
    }
    if (w->n == 0 || !w->port[w->level].modelled)
        return g->reference_pa;
    const int k = w->opening[w->level];
    return opening_port_pressure(&w->port[w->level], -flow[k] * s->flow_scale) - density[k] * s->pressure_scale;
}

/* ------------------------------------------------------------------------------------ split and models */

/* Net flow into the fluid of all openings with a prescribed flow. */
static double net_flow(const boundary_values *g, const double *flow_m3_s) {
    double net = 0;
    for (int k = 0; k < g->n; k++)
        if (g->from[k]->condition != CONDITION_SPLIT && g->condition[k].kind == DOMAIN_FLOW)
            net += flow_m3_s[k];
    return net;
}

/* Prescribes the flows of split outlets. One outlet gets pressure 0 instead, and its flow follows from the flow
 * balance. If all openings had prescribed flows, their rounding error would accumulate as mass in the vessel. */
static int take_split(const case_file *c, const lattice *l, boundary_values *g) {
    const int rest = case_split_shares(c, l->n_opening, l->opening, g->share);
    for (int k = 0; k < g->n; k++)
        g->share[k] = isfinite(g->share[k]) ? g->share[k] : 0;
    if (rest < 0)
        return OK;
    const double mean = net_flow(g, g->mean_m3_s), largest = net_flow(g, g->largest_m3_s);
    if (!(mean > 0))
        return fail(
            ERR_INPUT,
            "split: the flows of the openings without a split add up to %.4g mL/s into the vessel in the mean, and "
            "only an inflow above 0 can be divided; correct their flow or waveform",
            1e6 * mean);
    for (int k = 0; k < g->n; k++) {
        if (g->from[k]->condition != CONDITION_SPLIT)
            continue;
        g->share[k] = k == rest ? 0 : g->share[k];
        g->condition[k].kind = k == rest ? DOMAIN_PRESSURE : DOMAIN_FLOW;
        g->mean_m3_s[k] = -g->share[k] * mean;
        g->largest_m3_s[k] = k == rest ? NAN : -g->share[k] * largest;
    }
    return OK;
}

/* Estimates friction and inertia of the vessel between the node of the network and opening k. */
static void estimate_vessel(const case_file *c, const lattice *l, int k, opening_port *p) {
    p->inertance_pa_s2_m3 =
        c->blood.density_kg_m3 * case_vessel_length_m(l->n_opening, l->opening, k) / (1e-6 * l->opening[k].area_mm2);
    p->vessel_pa_s_m3 = case_vessel_resistance(c, l->n_opening, l->opening, k);
}

static void network_create(const case_file *c, const lattice *l, boundary_values *g) {
    opening_network *w = &g->network;
    bool modelled = false;
    w->level = -1;
    w->pulsatile = g->period_s > 0 && c->solve.mode == MODE_PULSATILE;
    for (int k = 0; k < g->n; k++) {
        const case_opening *o = g->from[k];
        opening_port *p = &w->port[w->n];
        if (g->condition[k].kind != DOMAIN_PRESSURE)
            continue;
        *p = (opening_port){.modelled = case_opening_is_model(o), .behind_pa = pressure_of(g, k)};
        if (o->condition == CONDITION_RESISTANCE)
            p->proximal_pa_s_m3 = o->resistance_pa_s_m3;
        if (o->condition == CONDITION_WINDKESSEL) {
            p->proximal_pa_s_m3 = o->proximal_part * o->resistance_pa_s_m3;
            p->distal_pa_s_m3 = (1 - o->proximal_part) * o->resistance_pa_s_m3;
            p->capacitance_m3_pa = o->capacitance_m3_pa;
        }
        estimate_vessel(c, l, k, p);
        modelled |= p->modelled;
        w->level = w->level < 0 && !p->modelled ? w->n : w->level;
        w->opening[w->n++] = k;
    }
    w->level = w->level < 0 ? 0 : w->level;
    w->n = modelled ? w->n : 0;
    if (w->n == 0)
        return;
    opening_network_steady(w, net_flow(g, g->mean_m3_s), &g->initial);
    g->reference_pa = g->initial.pressure_pa[w->level];
}

int boundary_values_create(const case_file *c, const lattice *l, double radius_m, boundary_values *g) {
    int rc = OK;
    const size_t n = (size_t)l->n_opening + 1;
    *g = (boundary_values){.n = l->n_opening, .rest = -1};
    g->from = (const case_opening **)calloc(n, sizeof(const case_opening *)); // NOLINT(bugprone-sizeof-expression)
    g->condition = calloc(n, sizeof *g->condition);
    g->wave = calloc(n, sizeof *g->wave);
    g->mean_m3_s = calloc(n, sizeof *g->mean_m3_s);
    g->largest_m3_s = calloc(n, sizeof *g->largest_m3_s);
    g->setback_pa_s_m3 = calloc(n, sizeof *g->setback_pa_s_m3);
    g->share = calloc(n, sizeof *g->share);
    g->pulse = calloc(n, sizeof *g->pulse);
    if (!g->from || !g->condition || !g->wave || !g->mean_m3_s || !g->largest_m3_s || !g->setback_pa_s_m3 ||
        !g->share || !g->pulse)
        GIVE_UP(fail_memory("the openings", (double)n * 200));
    if (l->n_opening != c->n_opening)
        GIVE_UP(fail(ERR_INPUT, "the case names %d openings, the lattice has %d; run mesh again", c->n_opening,
                     l->n_opening));
    for (int k = 0; k < g->n; k++) {
        TRY(opening_match(c, l, k, g));
        TRY(condition_set(c, l, k, g));
    }
    TRY(take_split(c, l, g));
    for (int k = g->n - 1; k >= 0; k--)
        if (g->condition[k].kind == DOMAIN_PRESSURE)
            g->reference_pa = pressure_of(g, k);
    g->fastest_m_s = fastest_m_s(g, c, l, radius_m);
    take_rest(c, l, g);
    network_create(c, l, g);
cleanup:
    if (rc != OK)
        boundary_values_free(g);
    return rc;
}

void boundary_values_set_back(boundary_values *g, const lattice *l, const domain *d, double viscosity_pa_s) {
    for (int k = 0; k < g->n; k++) {
        const lattice_opening *o = &l->opening[k];
        const double area = 1e-6 * o->area_mm2, across = o->perimeter_mm > 0 ? 4e3 * area / o->perimeter_mm : 0;
        if (d->opening[k].kind != DOMAIN_MOVING_WALL && !d->opening[k].on_site && across > 0)
            g->setback_pa_s_m3[k] =
                32 * viscosity_pa_s * d->opening[k].setback * 1e-3 * l->spacing_mm / (across * across * area);
    }
}

double boundary_values_rise(double part) {
    return part < 1 ? part * part * part * (10.0 - part * (15.0 - 6.0 * part)) : 1;
}

double boundary_values_supply_m3_s(const boundary_values *g, const scale *s, const prescribed_value *given) {
    double supply = 0;
    for (int k = 0; k < g->n; k++)
        supply += g->condition[k].kind == DOMAIN_FLOW ? given[k].flow * s->flow_scale : 0;
    return supply;
}

static double rise_part(const boundary_values *g, double ramp_s, double time_s) {
    const double part = time_s < ramp_s ? time_s / ramp_s : 1.0;
    return g->period_s > 0 ? boundary_values_rise(part) : part * part * (3.0 - 2.0 * part);
}

double boundary_values_pressure_part(const boundary_values *g, double ramp_s, double time_s) {
    return g->from_mean ? 1.0 : rise_part(g, ramp_s, time_s);
}

/* Flow of the waveform or the steady flow. */
static double own_flow_m3_s(const boundary_values *g, int k, double time_s) {
    const bool pulsatile = g->period_s > 0 && g->wave[k].n > 0;
    return pulsatile ? inward_sign(g->from[k]) * waveform_flow_m3_s(&g->wave[k], fmod(time_s, g->period_s))
                     : g->mean_m3_s[k];
}

double boundary_values_flow_m3_s(const boundary_values *g, int k, double time_s) {
    double net = 0;
    if (!(g->share[k] > 0))
        return g->condition[k].kind == DOMAIN_FLOW ? own_flow_m3_s(g, k, time_s) : 0;
    for (int other = 0; other < g->n; other++)
        net += g->condition[other].kind == DOMAIN_FLOW && !(g->share[other] > 0) ? own_flow_m3_s(g, other, time_s) : 0;
    return -g->share[k] * net;
}

/* Sets value [g->n_pulse]: values of the pulse profiles of an opening, m3/s times per_flow. */
static void pulses_at(const boundary_pulse *p, int n_pulse, double angle, double per_flow, prescribed_value *value) {
    const double step[2] = {cos(angle), sin(angle)};
    double turn[2] = {1, 0};
    for (int j = 0; j < n_pulse; j++)
        value[j].flow = 0;
    for (int h = 0; h < p->n_harmonic; h++) {
        const double before = turn[0];
        turn[0] = before * step[0] - turn[1] * step[1];
        turn[1] = before * step[1] + turn[1] * step[0];
        for (int j = 0; j < p->profile.n_profile; j++) {
            const double *wave = p->wave + 2 * (j * p->n_harmonic + h);
            value[j].flow += per_flow * (wave[0] * turn[0] - wave[1] * turn[1]);
        }
    }
}

void boundary_values_at(const boundary_values *g, const scale *s, double ramp_s, double time_s,
                        prescribed_value *given) {
    const double ramp = rise_part(g, ramp_s, time_s), steady = boundary_values_pressure_part(g, ramp_s, time_s);
    double net = 0;
    for (int k = 0; k < g->n; k++) {
        switch (g->condition[k].kind) {
        case DOMAIN_FLOW:
            given[k].flow = ramp / s->flow_scale * own_flow_m3_s(g, k, time_s);
            given[k].flow += (steady - ramp) / s->flow_scale * g->mean_m3_s[k];
            net += g->share[k] > 0 ? 0 : given[k].flow;
            break;
        case DOMAIN_PRESSURE:
            given[k].pressure = steady * (boundary_values_pressure_pa(g, k) - g->reference_pa) / s->pressure_scale;
            break;
        default:
            given[k].wall_speed = steady / s->velocity_scale;
        }
    }
    for (int k = 0; k < g->n; k++)
        if (g->share[k] > 0)
            given[k].flow = -g->share[k] * net;
    for (int k = 0; k < g->n && g->n_pulse > 0; k++)
        pulses_at(&g->pulse[k], g->n_pulse, 2 * M_PI * fmod(time_s, g->pulse_period_s) / g->pulse_period_s,
                  ramp / s->flow_scale, given + g->n + k * g->n_pulse);
}
