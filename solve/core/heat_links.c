/* SPDX-License-Identifier: Apache-2.0 */
/* See heat_links.h. */
#include "solve/core/heat_links.h"
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
