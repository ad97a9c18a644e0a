/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/core/porous_media.h"

static bool is_porous(const domain *d, int32_t cell) {
    return cell >= 0 && cell < d->n_cell && d->region[cell] > 0;
}

void porous_walls(const lattice *l, int n, const double *permeability, domain *d, double *factor) {
    double cells[POROUS_REGIONS + 1] = {0}, lumen[POROUS_REGIONS + 1] = {0};
    for (int64_t i = 0; i < l->n_cell; i++)
        if (l->region[i] <= POROUS_REGIONS) {
            cells[l->region[i]] += l->distance_mm[i] < 0;
            lumen[l->region[i]] += lattice_fluid_part(l, i);
        }
    for (int k = 0; k < n; k++)
        factor[k] = permeability[k] < POROUS_LAYER && lumen[k + 1] > 0 ? cells[k + 1] / lumen[k + 1] : 1;
    for (int64_t m = 0; d->region && m < d->n_link; m++) {
        const int32_t cell = d->link[m].cell;
        const int k = d->region[cell] - 1;
        if (d->behind && (k >= 0 || is_porous(d, d->behind[m].next) || is_porous(d, d->behind[m].third)))
            d->behind[m] = (domain_behind){-1, -1};
        if (k >= 0 && k < n && !d->link[m].opening && permeability[k] < POROUS_LAYER)
            d->link[m].q = 0.5F;
    }
}
