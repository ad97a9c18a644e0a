/* SPDX-License-Identifier: Apache-2.0 */
#include "post/readouts/readout_place.h"
#include "common/base/message.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Reynolds numbers above which a warning is given; sources: readout_place_reynolds_limit in readout_place.h */
static const double STEADY_LIMIT = 2040, PULSATILE_LIMIT = 1000;

const place *readout_place_find(int n, const place *p, const char *name) {
    for (int k = 0; k < n; k++)
        if (name && strcmp(p[k].name, name) == 0)
            return &p[k];
    return NULL;
}

double readout_place_reynolds(double area_mm2, double mean_velocity_m_s, double density_kg_m3,
                              const viscosity_law *law) {
    const double diameter_m = 2e-3 * sqrt(area_mm2 / M_PI);
    return density_kg_m3 * fabs(mean_velocity_m_s) * diameter_m /
           viscosity_law_wall_pa_s(law, mean_velocity_m_s, diameter_m);
}

double readout_place_reynolds_limit(bool pulsatile) {
    return pulsatile ? PULSATILE_LIMIT : STEADY_LIMIT;
}

const place *readout_place_fastest(int n, const place *p) {
    const place *worst = NULL;
    for (int k = 0; k < n; k++)
        if (isfinite(p[k].reynolds) && (worst == NULL || p[k].reynolds > worst->reynolds))
            worst = &p[k];
    return worst;
}

void readout_place_warn_turbulent(int n, const place *p, double fastest, bool pulsatile, bool averaged) {
    const place *worst = readout_place_fastest(n, p);
    const bool inside = worst == NULL || fastest > worst->reynolds;
    const double reynolds = inside ? fastest : worst->reynolds;
    if (!(reynolds > readout_place_reynolds_limit(pulsatile)))
        return;
    message_warn_about(
        averaged && !pulsatile ? "unsteady" : "reynolds",

        "%s%s%s: Reynolds number %.0f%s; above about %.0f %sflow in vessels may not be laminar: %s; check flow, "
        "viscosity and unit of length",
        inside            ? "fastest place inside"
        : worst->role < 0 ? "section '"
                          : "opening '",
        inside ? "" : worst->name, inside ? "" : "'", reynolds, pulsatile ? " (mean over the cycle)" : "",
        readout_place_reynolds_limit(pulsatile), pulsatile ? "pulsatile " : "",
        pulsatile ? "cycles then differ from each other, and eddies smaller than the lattice cells are not computed"
        : averaged
            ? "the values are averages of the unsteady flow, and eddies smaller than the lattice cells are not computed"
            : "turbulent flow has a larger pressure drop and wall shear stress than the computed steady flow");
}
