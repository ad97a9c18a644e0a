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

void heat_closed_cells(const domain *d, int64_t count[HEAT_WALLS], int32_t first[HEAT_WALLS]) {
    uint32_t across[3] = {0};
    for (int i = 1; i < 19; i++)
        for (int a = 0; a < 3; a++)
            across[a] |= lattice_e[i][a] ? 1u << i : 0;
    for (int w = 0; w < HEAT_WALLS; w++) {
        count[w] = 0;
        first[w] = -1;
    }
    for (int64_t k = 0; k < d->n_link;) {
        const domain_link *begin = &d->link[k];
        uint32_t walls = 0;
        for (; k < d->n_link && d->link[k].cell == begin->cell; k++)
            walls |= d->link[k].opening ? 0 : 1u << d->link[k].dir;
        bool closed = false;
        for (int a = 0; a < 3; a++)
            closed = closed || (walls & across[a]) == across[a];
        if (closed && count[begin->wall]++ == 0)
            first[begin->wall] = begin->cell;
    }
}
