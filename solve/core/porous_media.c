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

static bool is_porous(const domain *d, int32_t cell) {
    return cell >= 0 && d->region[cell] > 0;
}

/* Sets close [count of run n]: true for a cell of a region with `half`, and on D3Q27 also for its neighbours. */
static void close_cells(const domain *d, int64_t n, const bool *half, bool close[DOMAIN_RUN_MAX]) {
    const domain_run *r = &d->run[n];
    int32_t other[DOMAIN_RUN_MAX];
    for (int k = 0; k < r->count; k++)
        close[k] = half[d->region[r->first + k]];
    for (int a = 1; d->behind && a < d->directions; a++) {
        domain_neighbours(d, a, r->first, r->count, other);
        for (int k = 0; k < r->count; k++)
            close[k] = close[k] || (is_porous(d, other[k]) && half[d->region[other[k]]]);
    }
}

void porous_walls(porous_volumes v, int n, const double *permeability, domain *d, double *factor) {
    bool half[UINT8_MAX + 1] = {false}, close[DOMAIN_RUN_MAX];
    for (int k = 0; k < n; k++) {
        half[k + 1] = permeability[k] < POROUS_LAYER;
        factor[k] = !d->fluid && half[k + 1] && v.subcells[k + 1] > 0
                        ? (double)v.cells[k + 1] * LATTICE_SUBCELL_COUNT / (double)v.subcells[k + 1]
                        : 1;
    }
    for (int64_t m = 0; d->region && m < d->n_run; m++) {
        if (d->run[m].link == d->run[m + 1].link)
            continue;
        close_cells(d, m, half, close);
        for (int64_t k = d->run[m].link; k < d->run[m + 1].link; k++) {
            const int32_t cell = d->link[k].cell;
            if (d->link[k].opening)
                continue;
            if (close[cell - d->run[m].first])
                d->link[k].q = 0.5F;
            if (d->behind && (close[cell - d->run[m].first] || is_porous(d, cell) || is_porous(d, d->behind[k].next) ||
                              is_porous(d, d->behind[k].third)))
                d->behind[k] = (domain_behind){-1, -1};
        }
    }
}
