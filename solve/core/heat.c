/* See heat.h. */
#include "solve/core/heat.h"
#include "common/base/status.h"
#include <stdlib.h>

int heat_links_create(const domain *d, const heat_settings *h, heat_link **link, int64_t *n) {
    enum { DIRECTIONS = 6 };
    int64_t count = 0;
    for (int64_t k = 0; k < d->n_link; k++)
        count += d->link[k].dir <= DIRECTIONS;
    *n = 0;
    *link = malloc(((size_t)count + 1) * sizeof **link);
    if (!*link)
        return fail_memory("the links that conduct heat", (double)count * sizeof **link);
    for (const domain_link *k = d->link; k < d->link + d->n_link; k++)
        if (k->dir <= DIRECTIONS)
            (*link)[(*n)++] = (heat_link){k->cell, k->dir, (int16_t)heat_side_of(h, k), k->q};
    return OK;
}

int heat_pushes_create(const domain *d, float **push) {
    *push = calloc(3 * (size_t)d->n_link + 1, sizeof **push);
    if (!*push)
        return fail_memory("the walls", 12.0 * (double)d->n_link);
    for (int64_t k = 0; k < d->n_link; k++) {
        const domain_link *link = &d->link[k];
        const double q = link->q, c = q < 0.5 ? 1 - 2 * q : 1 - 0.5 / q, w = link->dir < 7 ? 1.0 / 18 : 1.0 / 36;
        for (int a = 0; a < 3 && !link->opening; a++)
            (*push)[3 * k + a] = (float)(3 * w * c * lattice_e[link->dir][a]);
    }
    return OK;
}
