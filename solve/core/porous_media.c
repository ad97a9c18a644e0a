/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/core/porous_media.h"

porous_volumes porous_volumes_of(const lattice *l) {
    porous_volumes v = {{0}, {0}};
    for (int64_t i = 0; i < l->n_cell; i++)
        if (l->region[i] <= POROUS_REGIONS) {
            v.cells[l->region[i]] += l->distance_mm[i] < 0;
            v.subcells[l->region[i]] += LATTICE_SUBCELL_COUNT - l->solid[i];
        }
    return v;
}

void porous_walls(porous_volumes v, int n, const double *permeability, domain *d, double *factor) {
    for (int k = 0; k < n; k++)
        factor[k] = !d->fluid && permeability[k] < POROUS_LAYER && v.subcells[k + 1] > 0
                        ? (double)v.cells[k + 1] * LATTICE_SUBCELL_COUNT / (double)v.subcells[k + 1]
                        : 1;
    for (int64_t m = 0; d->region && m < d->n_link; m++) {
        const int k = d->region[d->link[m].cell] - 1;
        if (k < 0 || k >= n || d->link[m].opening || permeability[k] >= POROUS_LAYER)
            continue;
        d->link[m].q = 0.5F;
        if (d->behind)
            d->behind[m] = (domain_behind){-1, -1};
    }
}
