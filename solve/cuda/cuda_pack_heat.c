/* See cuda_pack.h: the links that conduct heat into or out of a wall of a given temperature. */
#include "common/base/status.h"
#include "solve/cuda/cuda_pack.h"
#include <stdlib.h>

/* Openings, and walls without flux, need none (cuda_heat.cuh). */
static bool is_warm(const domain *d, const heat_settings *h, const domain_link *k) {
    return k->dir < 7 && !domain_through(d, k) && h->side[heat_side_of(h, k)].kind == HEAT_GIVEN;
}

int64_t pack_count_warm(const domain *d, const heat_settings *h) {
    int64_t n = 0;
    for (const domain_link *k = d->link; k < d->link + d->n_link; k++)
        n += is_warm(d, h, k);
    return n;
}

int pack_heat(const domain *d, const heat_settings *h, pack *p) {
    const int64_t n = pack_count_warm(d, h);
    const domain_link *k = d->link, *const end = d->link + d->n_link;
    p->warm = malloc(((size_t)n + 1) * sizeof *p->warm);
    if (!p->warm)
        return fail_memory("the links that conduct heat", (double)n * sizeof *p->warm);
    p->n_warm = 0;
    for (int64_t g = 0; g < p->n_group; g++) {
        p->group[g].partial = (uint32_t)p->n_warm;
        for (; k < end && k->cell < (g + 1) * PACK_LANES; k++)
            if (is_warm(d, h, k)) {
                p->warm[p->n_warm++] = (pack_warm){pack_link_word(k), (uint32_t)heat_side_of(h, k)};
                p->group[g].counts += 1u << 10;
            }
    }
    return OK;
}
