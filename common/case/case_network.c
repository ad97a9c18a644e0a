/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case.h: length and resistance of a vessel, case_estimate_flows, and the shares of a split. */
#include "common/case/case.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SMALLEST = 1e-6; /* smallest resistance, Pa s/m3: it must not be 0 */

double case_vessel_length_m(int n, const lattice_opening *opening, int k) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += 0.5e-3 * vec_distance(opening[i].centre_mm, opening[k].centre_mm);
    return n > 1 ? sum / (n - 1) : 0;
}

double case_vessel_resistance(const case_file *c, int n, const lattice_opening *opening, int k) {
    const double area_m2 = 1e-6 * opening[k].area_mm2;
    return 8 * M_PI * c->blood.viscosity_pa_s * case_vessel_length_m(n, opening, k) / (area_m2 * area_m2);
}

/* Pressure behind an opening without a prescribed flow, and the resistance between it and the middle of the vessel. */
static void find_branch(const case_file *c, int n, const lattice_opening *opening, int k, const case_opening *o,
                        double *behind_pa, double *resistance_pa_s_m3) {
    const bool model = case_opening_is_model(o);
    *behind_pa = model ? o->distal_pa : o->condition == CONDITION_PRESSURE ? o->pressure_pa : 0;
    *resistance_pa_s_m3 = case_vessel_resistance(c, n, opening, k) + (model ? o->resistance_pa_s_m3 : 0) + SMALLEST;
}

/* True if a network of resistances can estimate the unknown flows. Every opening of the lattice must be in the case and
 * have an area, no outlet takes a share of a flow split, an opening of unknown flow has a resistance or Windkessel, and
 * another opening has a known flow. */
static bool is_network(const case_file *c, int n, const lattice_opening *opening, const double *flow_m3_s) {
    bool model = false, given = false;
    for (int k = 0; k < n; k++) {
        const case_opening *o = case_find_opening(c, opening[k].name);
        if (!o || o->condition == CONDITION_SPLIT || !(opening[k].area_mm2 > 0))
            return false;
        model |= isnan(flow_m3_s[k]) && case_opening_is_model(o);
        given |= fabs(flow_m3_s[k]) > 0;
    }
    return model && given;
}

/* ------------------------------------------------------------------------------------------ split */

static bool is_split(const case_opening *o) {
    return o && o->condition == CONDITION_SPLIT;
}

/* Weight of a split outlet before normalization: its share, the volume of its territory, or its radius in mm to the
 * power split.power (Murray's law). */
static double split_weight(const case_file *c, const case_opening *o, const lattice_opening *opening) {
    return c->split.law == SPLIT_SHARES      ? o->share
           : c->split.law == SPLIT_TERRITORY ? (opening->territory_ml > 0 ? opening->territory_ml : o->territory_ml)
                                             : pow(sqrt(opening->area_mm2 / M_PI), c->split.power);
}

int case_split_shares(const case_file *c, int n, const lattice_opening *opening, double *share) {
    double all = 0, changed = 0, unchanged = 0;
    int most = -1, rest = -1;
    bool known = true;
    for (int k = 0; k < n; k++) {
        const case_opening *o = case_find_opening(c, opening[k].name);
        share[k] = NAN;
        if (!is_split(o))
            continue;
        share[k] = split_weight(c, o, &opening[k]);
        known &= share[k] > 0 || (c->split.law == SPLIT_SHARES && share[k] >= 0);
        all += share[k];
        most = most < 0 || share[k] > share[most] ? k : most;
        rest = c->split.law == SPLIT_SHARES && o->split_rest ? k : rest;
    }
    if (!known || most < 0) {
        for (int k = 0; k < n; k++)
            share[k] = NAN;
        return -1;
    }
    if (c->split.law == SPLIT_SHARES) {
        if (rest >= 0)
            share[rest] = 1 - (all - share[rest]);
        return rest >= 0 ? rest : most;
    }
    for (int k = 0; k < n; k++) {
        const case_opening *o = case_find_opening(c, opening[k].name);
        if (!is_split(o))
            continue;
        share[k] *= o->share / all;
        *(o->share == 1 ? &unchanged : &changed) += share[k];
    }
    for (int k = 0; k < n && unchanged > 0; k++)
        if (isfinite(share[k]) && case_find_opening(c, opening[k].name)->share == 1)
            share[k] *= (1 - changed) / unchanged;
    return most;
}

double case_split_error(int n, const double *share, int k, double error) {
    int outlets = 0, first = -1, most = -1;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(share[i]))
            continue;
        outlets++;
        first = first < 0 ? i : first;
        most = most < 0 || share[i] > share[most] ? i : most;
    }
    if (outlets < 2 || !isfinite(share[k]) || !(share[k] < 1))
        return 0;
    if (outlets == 2)
        return k == first ? error * fmin(1, (1 - share[k]) / share[k]) : 0;
    if (share[most] >= 0.5)
        return k == most ? error * (1 - share[k]) / share[k] : 0;
    /* Independent relative errors a_i of the weights change share k by a_k (1 - share_k) - sum over the others of
     * a_i share_i, relative. The squares of the half-widths are a_k^2 = error^2 / ((1 - 2 share_k) (1 + sum)): then
     * each share has the half-width `error`. */
    for (int i = 0; i < n; i++)
        sum += isfinite(share[i]) ? share[i] * share[i] / (1 - 2 * share[i]) : 0;
    return error * (1 - share[k]) / sqrt((1 - 2 * share[k]) * (1 + sum));
}

/* Net mean flow into the vessel of all openings with a prescribed flow that are no outlets of the split. */
static int mean_inflow_m3_s(const case_file *c, int n, const lattice_opening *opening, double *net) {
    int rc = OK;
    *net = 0;
    for (int k = 0; k < n && rc == OK; k++) {
        const case_opening *o = case_find_opening(c, opening[k].name);
        double flow = 0;
        waveform w = {0};
        if (!o)
            continue;
        if (o->condition == CONDITION_WAVEFORM) {
            rc = case_open_waveform(c, o, &w);
            if (rc == OK)
                flow = (o->role == ROLE_OUTLET ? -1 : 1) * waveform_mean_m3_s(&w);
            waveform_free(&w);
        } else
            rc = case_flow_m3_s(c, (int)(o - c->opening), &opening[k], &flow);
        *net += isfinite(flow) ? flow : 0;
    }
    return rc;
}

static void make_model(const case_file *c, double inflow_m3_s, case_opening *o) {
    const double error = o->value_error / o->value;
    o->condition = isfinite(c->split.capacitance_m3_pa) ? CONDITION_WINDKESSEL : CONDITION_RESISTANCE;
    o->value = (c->split.mean_pressure_pa - c->split.distal_pa) / (o->split_share * inflow_m3_s);
    o->value_error = error * o->value;
    o->distal_pa = c->split.distal_pa;
    o->proximal_part = c->split.proximal_fraction;
    o->capacitance_m3_pa = o->split_share * c->split.capacitance_m3_pa;
    o->capacitance_error = o->split_share * c->split.capacitance_error;
}

int case_take_split(case_file *c, int n, const lattice_opening *opening) {
    double *share = malloc(((size_t)n + 1) * sizeof *share), inflow_m3_s = 0;
    int rc = OK, outlets = 0;
    if (!share)
        return fail_memory("the split", 8.0 * n);
    for (int k = 0; k < n; k++) {
        case_opening *o = (case_opening *)case_find_opening(c, opening[k].name);
        if (o && opening[k].territory_ml > 0)
            o->territory_ml = opening[k].territory_ml;
        outlets += is_split(o);
    }
    if (outlets == 0)
        goto cleanup;
    if (case_split_shares(c, n, opening, share) < 0)
        GIVE_UP(fail(ERR_INPUT, "split: the lattice does not hold the %s of each outlet of the split; run mesh again",
                     c->split.law == SPLIT_TERRITORY ? "volume of the territory" : "area"));
    if (isfinite(c->split.mean_pressure_pa)) {
        TRY(mean_inflow_m3_s(c, n, opening, &inflow_m3_s));
        if (!(inflow_m3_s > 0))
            GIVE_UP(fail(ERR_INPUT,
                         "split.mean_pressure: the flows of the openings without a split add up to %.4g mL/s into the "
                         "vessel in the mean, and resistances follow only from an inflow above 0; correct their flow "
                         "or waveform",
                         1e6 * inflow_m3_s));
    }
    for (int k = 0; k < n; k++) {
        case_opening *o = (case_opening *)case_find_opening(c, opening[k].name);
        if (!is_split(o))
            continue;
        o->split_share = share[k];
        if (c->split.law != SPLIT_SHARES)
            o->value_error = o->value * case_split_error(n, share, k, c->split.error);
        if (isfinite(c->split.mean_pressure_pa))
            make_model(c, inflow_m3_s, o);
    }
cleanup:
    free(share);
    return rc;
}

/* ------------------------------------------------------------------------------------------- flows */

/* Sets the flows of the outlets of a split. The flow of the outlet that follows from the flow balance stays NaN. */
static void divide_flow(const case_file *c, int n, const lattice_opening *opening, double *flow_m3_s) {
    double *share = malloc(((size_t)n + 1) * sizeof *share), net = 0;
    if (!share)
        return;
    const int rest = case_split_shares(c, n, opening, share);
    for (int k = 0; k < n; k++)
        net += isfinite(share[k]) || isnan(flow_m3_s[k]) ? 0 : flow_m3_s[k];
    for (int k = 0; k < n && net > 0; k++)
        if (isfinite(share[k]) && k != rest)
            flow_m3_s[k] = -share[k] * net;
    free(share);
}

void case_estimate_flows(const case_file *c, int n, const lattice_opening *opening, double *flow_m3_s) {
    double behind_pa, resistance, sum = 0, weight = 0;
    int most = -1;
    divide_flow(c, n, opening, flow_m3_s);
    if (!is_network(c, n, opening, flow_m3_s))
        return;
    for (int k = 0; k < n; k++) {
        if (!isnan(flow_m3_s[k])) {
            sum += flow_m3_s[k];
            continue;
        }
        find_branch(c, n, opening, k, case_find_opening(c, opening[k].name), &behind_pa, &resistance);
        sum += behind_pa / resistance;
        weight += 1 / resistance;
    }
    for (int k = 0; k < n; k++) {
        if (!isnan(flow_m3_s[k]))
            continue;
        find_branch(c, n, opening, k, case_find_opening(c, opening[k].name), &behind_pa, &resistance);
        flow_m3_s[k] = (behind_pa - sum / weight) / resistance;
        most = most < 0 || fabs(flow_m3_s[k]) > fabs(flow_m3_s[most]) ? k : most;
    }
    flow_m3_s[most] = NAN; /* the flow balance gives it */
}
