/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/boundary/shear_inlets.h"
#include "common/blood/shear_profile.h"
#include <math.h>

void shear_inlets_set(const viscosity_law *law, const boundary_values *g, lattice *l) {
    for (int k = 0; k < g->n; k++) {
        lattice_opening *o = &l->opening[k];
        const double flow_m3_s = fabs(g->mean_m3_s[k]);
        const shear_section s = {1e-6 * o->area_mm2, 1e-3 * o->perimeter_mm, lattice_profile_peak(o)};
        shear_profile p;
        if (g->condition[k].kind != DOMAIN_FLOW || !o->profile_developed || !(flow_m3_s > 0) ||
            !(o->perimeter_mm > 0) || s.peak < SHEAR_PROFILE_PEAK)
            continue;
        shear_profile_of_mean(law, &s, flow_m3_s / s.area_m2, &p);
        for (int64_t i = 0; i < o->n_link; i++)
            o->profile_developed[i] = (float)shear_profile_value(&p, o->profile_developed[i]);
    }
}
