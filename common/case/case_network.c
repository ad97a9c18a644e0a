/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case.h: case_vessel_resistance, case_estimate_flows. */
#include "common/case/case.h"
#include "common/base/vec.h"
#include <math.h>

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

void case_estimate_flows(const case_file *c, int n, const lattice_opening *opening, double *flow_m3_s) {
    double behind_pa, resistance, sum = 0, weight = 0;
    int most = -1;
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
