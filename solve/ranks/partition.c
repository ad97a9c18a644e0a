/* See partition.h. */
#include "solve/ranks/partition.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

enum { SIDES = 27, ENOUGH = 32 }; /* ENOUGH: bricks a part */

typedef struct {
    int edge;       /* cells */
    int32_t low[3]; /* of the cells */
    int64_t size[3];
    int64_t n;              /* bricks with cells */
    int32_t *at;            /* [size] number of a brick, -1 */
    int32_t *place;         /* [n][3] */
    int32_t *cells;         /* [n] */
    uint16_t *owner;        /* [n] */
    int32_t (*link)[SIDES]; /* [n] links to the bricks around it */
} bricks;

static void bricks_free(bricks *b) {
    free(b->at);
    free(b->place);
    free(b->cells);
    free(b->owner);
    free(b->link);
    *b = (bricks){0};
}

static int64_t brick_index(const bricks *b, const int32_t *place) {
    return (place[2] * b->size[1] + place[1]) * b->size[0] + place[0];
}

static void brick_place(const bricks *b, const int32_t *position, int32_t place[3]) {
    for (int a = 0; a < 3; a++)
        place[a] = (position[a] - b->low[a]) / b->edge;
}

static int bricks_create(const domain *d, int edge, bricks *b) {
    int32_t high[3], place[3];
    int64_t all = 1;
    *b = (bricks){.edge = edge};
    memcpy(b->low, d->position, sizeof b->low);
    memcpy(high, d->position, sizeof high);
    for (int64_t k = 0; k < 3 * d->n_cell; k++) {
        b->low[k % 3] = d->position[k] < b->low[k % 3] ? d->position[k] : b->low[k % 3];
        high[k % 3] = d->position[k] > high[k % 3] ? d->position[k] : high[k % 3];
    }
    for (int a = 0; a < 3; a++)
        all *= b->size[a] = (high[a] - b->low[a]) / edge + 1;
    b->at = malloc((size_t)all * sizeof *b->at);
    if (!b->at)
        return fail_memory("the partition", 4.0 * (double)all);
    memset(b->at, -1, (size_t)all * sizeof *b->at);
    for (int64_t c = 0; c < d->n_cell; c++) {
        brick_place(b, d->position + 3 * c, place);
        int32_t *at = &b->at[brick_index(b, place)];
        *at = *at < 0 ? (int32_t)b->n++ : *at;
    }
    b->place = calloc((size_t)b->n + 1, 3 * sizeof *b->place);
    b->cells = calloc((size_t)b->n + 1, sizeof *b->cells);
    b->owner = calloc((size_t)b->n + 1, sizeof *b->owner);
    if (!b->place || !b->cells || !b->owner)
        return fail_memory("the partition", 20.0 * (double)b->n);
    for (int64_t c = 0; c < d->n_cell; c++) {
        brick_place(b, d->position + 3 * c, place);
        const int32_t at = b->at[brick_index(b, place)];
        memcpy(b->place + 3 * (int64_t)at, place, sizeof place);
        b->cells[at]++;
    }
    return OK;
}

/* --- along Hilbert's curve ---------------------------------------------------------------------------------------- */

/* Place along the curve through a cube of 2^bits a side: Skilling, AxestoTranspose. */
static uint64_t hilbert(const int32_t place[3], int bits) {
    uint32_t x[3] = {(uint32_t)place[0], (uint32_t)place[1], (uint32_t)place[2]}, t = 0;
    uint64_t along = 0;
    for (uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
        for (int a = 0; a < 3; a++) {
            const uint32_t p = q - 1, swap = (x[0] ^ x[a]) & p;
            if (x[a] & q) {
                x[0] ^= p;
                continue;
            }
            x[0] ^= swap;
            x[a] ^= swap;
        }
    x[1] ^= x[0];
    x[2] ^= x[1];
    for (uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
        t ^= x[2] & q ? q - 1 : 0;
    for (int bit = bits - 1; bit >= 0; bit--)
        for (int a = 0; a < 3; a++)
            along = along << 1 | ((x[a] ^ t) >> bit & 1);
    return along;
}

typedef struct {
    uint64_t along;
    int32_t brick;
} on_curve;

static int by_curve(const void *a, const void *b) {
    const on_curve *x = a, *y = b;
    return (x->along > y->along) - (x->along < y->along);
}

static int cut_curve(bricks *b, int parts, int64_t n_cell) {
    int bits = 1;
    int64_t before = 0;
    on_curve *list = calloc((size_t)b->n + 1, sizeof *list);
    if (!list)
        return fail_memory("the partition", 16.0 * (double)b->n);
    while (b->size[0] >> bits || b->size[1] >> bits || b->size[2] >> bits)
        bits++;
    for (int64_t k = 0; k < b->n; k++)
        list[k] = (on_curve){hilbert(b->place + 3 * k, bits), (int32_t)k};
    qsort(list, (size_t)b->n, sizeof *list, by_curve);
    for (int64_t k = 0; k < b->n; k++) {
        const int32_t brick = list[k].brick;
        b->owner[brick] = (uint16_t)((2 * before + b->cells[brick]) * parts / (2 * n_cell));
        before += b->cells[brick];
    }
    free(list);
    return OK;
}

/* --- as a graph -------------------------------------------------------------------------------------------------- */

/* Side 13 is the brick itself; links that lead further, over a periodic edge, are not counted. */
static int links_count(const domain *d, bricks *b) {
    b->link = calloc((size_t)b->n + 1, sizeof *b->link);
    if (!b->link)
        return fail_memory("the partition", (double)b->n * sizeof *b->link);
    for (const domain_run *r = d->run; r < d->run + d->n_run; r++)
        for (int lane = 0; lane < r->count; lane++) {
            int32_t from[3], to[3];
            brick_place(b, d->position + 3 * (int64_t)(r->first + lane), from);
            int32_t *link = b->link[b->at[brick_index(b, from)]];
            for (int a = 1; a < 19; a++) {
                int side = 0;
                bool near = lane >= r->low[a] && lane < r->high[a];
                if (!near)
                    continue;
                brick_place(b, d->position + 3 * (int64_t)(r->source[a] + lane), to);
                for (int k = 2; k >= 0; k--) {
                    near &= abs(to[k] - from[k]) <= 1;
                    side = 3 * side + to[k] - from[k] + 1;
                }
                if (near)
                    link[side]++;
            }
        }
    return OK;
}

static int cut_graph(const domain *d, bricks *b, int parts, partition_cut cut) {
    const int32_t n = (int32_t)b->n;
    int32_t *first = NULL, *to = NULL, *weight = NULL, *owner = NULL, edges = 0;
    int rc;
    TRY(links_count(d, b));
    first = malloc(((size_t)n + 1) * sizeof *first);
    to = calloc((size_t)n + 1, SIDES * sizeof *to);
    weight = calloc((size_t)n + 1, SIDES * sizeof *weight);
    owner = calloc((size_t)n + 1, sizeof *owner);
    if (!first || !to || !weight || !owner)
        GIVE_UP(fail_memory("the partition", (double)n * (2 * SIDES + 3) * sizeof *to));
    for (int32_t k = 0; k < n; k++) {
        first[k] = edges;
        for (int side = 0; side < SIDES; side++) {
            const int32_t *p = b->place + 3 * (int64_t)k;
            const int32_t at[3] = {p[0] + side % 3 - 1, p[1] + side / 3 % 3 - 1, p[2] + side / 9 - 1};
            if (side == SIDES / 2 || b->link[k][side] == 0)
                continue;
            to[edges] = b->at[brick_index(b, at)];
            weight[edges++] = b->link[k][side];
        }
    }
    first[n] = edges;
    if (cut(n, first, to, weight, b->cells, parts, owner) != 0)
        GIVE_UP(fail(ERR_RESOURCE, "METIS found no partition into %d parts", parts));
    for (int32_t k = 0; k < n; k++)
        b->owner[k] = (uint16_t)owner[k];
cleanup:
    free(first);
    free(to);
    free(weight);
    free(owner);
    return rc;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static bool all_there(const bricks *b, int parts) {
    int found = 0;
    bool *there = calloc((size_t)parts, sizeof *there);
    for (int64_t k = 0; there && k < b->n; k++) {
        found += !there[b->owner[k]];
        there[b->owner[k]] = true;
    }
    free(there);
    return found == parts;
}

int partition_make(const domain *d, int parts, partition_cut cut, uint16_t *owner) {
    bricks b = {0};
    int rc, edge = 2 * PARTITION_BRICK;
    if (d->n_cell < parts)
        return fail(ERR_INPUT, "the lattice has %lld cells, fewer than the %d ranks; use fewer ranks",
                    (long long)d->n_cell, parts);
    do {
        bricks_free(&b);
        edge /= 2;
        TRY(bricks_create(d, edge, &b));
    } while (edge > 1 && b.n < (int64_t)ENOUGH * parts);
    if (cut && parts > 1)
        TRY(cut_graph(d, &b, parts, cut));
    if (!cut || !all_there(&b, parts))
        TRY(cut_curve(&b, parts, d->n_cell));
    for (int64_t c = 0; c < d->n_cell; c++) {
        int32_t place[3];
        brick_place(&b, d->position + 3 * c, place);
        owner[c] = b.owner[b.at[brick_index(&b, place)]];
    }
cleanup:
    bricks_free(&b);
    return rc;
}

int partition_measure(const domain *d, int parts, const uint16_t *owner, partition_quality *q) {
    int64_t *cells = calloc((size_t)parts * ((size_t)parts + 1), sizeof *cells);
    *q = (partition_quality){.least = d->n_cell};
    if (!cells)
        return fail_memory("the partition", 8.0 * parts * parts);
    int64_t *const between = cells + parts;
    for (const domain_run *r = d->run; r < d->run + d->n_run; r++)
        for (int lane = 0; lane < r->count; lane++) {
            const int me = owner[r->first + lane];
            cells[me]++;
            for (int a = 1; a < 19; a++)
                if (lane >= r->low[a] && lane < r->high[a] && owner[r->source[a] + lane] != me)
                    between[(size_t)me * (size_t)parts + owner[r->source[a] + lane]]++;
        }
    for (int p = 0; p < parts; p++) {
        int64_t values = 0;
        int peers = 0;
        for (int k = 0; k < parts; k++) {
            values += between[(size_t)p * (size_t)parts + (size_t)k];
            peers += between[(size_t)p * (size_t)parts + (size_t)k] > 0;
        }
        q->least = cells[p] < q->least ? cells[p] : q->least;
        q->most = cells[p] > q->most ? cells[p] : q->most;
        q->cut += values;
        q->values = values > q->values ? values : q->values;
        q->peers = peers > q->peers ? peers : q->peers;
    }
    q->cut /= 2;
    free(cells);
    return OK;
}
