/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/ranks/partition.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

/* ENOUGH: lower limit of the bricks per part; with fewer, the bricks are made smaller */
enum { SIDES = 27, ENOUGH = 32 };

void partition_free(partition *b) {
    free(b->at);
    free(b->place);
    free(b->mask);
    free(b->owner);
    *b = (partition){0};
}

static int64_t brick_index(const partition *b, const int32_t *place) {
    return (place[2] * b->size[1] + place[1]) * b->size[0] + place[0];
}

static void brick_place(const partition *b, const int32_t *position, int32_t place[3]) {
    for (int a = 0; a < 3; a++)
        place[a] = position[a] / b->edge;
}

static int begin_bricks(partition *b, const int dims[3], int edge) {
    int64_t all = 1;
    *b = (partition){.edge = edge};
    for (int a = 0; a < 3; a++)
        all *= b->size[a] = (dims[a] + edge - 1) / edge;
    memcpy(b->dims, dims, sizeof b->dims);
    b->at = malloc((size_t)all * sizeof *b->at);
    if (!b->at)
        return fail_memory("the partition", 4.0 * (double)all);
    memset(b->at, -1, (size_t)all * sizeof *b->at);
    return OK;
}

static int more_room(partition *b) {
    const int64_t room = b->room + b->room / 2 + 1024;
    void *place = realloc(b->place, (size_t)room * 3 * sizeof *b->place);
    b->place = place ? place : b->place;
    void *mask = realloc(b->mask, (size_t)room * sizeof *b->mask);
    b->mask = mask ? mask : b->mask;
    b->room = room;
    return place && mask ? OK : fail_memory("the partition", 20.0 * (double)room);
}

int partition_add(partition *b, const int32_t *position, bool counts) {
    int32_t place[3], bit = 0;
    brick_place(b, position, place);
    int32_t *at = &b->at[brick_index(b, place)];
    if (*at < 0) {
        if (b->n == b->room) {
            const int rc = more_room(b);
            if (rc != OK)
                return rc;
        }
        memcpy(b->place + 3 * b->n, place, sizeof place);
        b->mask[b->n] = 0;
        *at = (int32_t)b->n++;
    }
    for (int a = 2; a >= 0; a--)
        bit = bit * b->edge + position[a] % b->edge;
    b->mask[*at] |= (uint64_t)counts << bit;
    b->n_cell += counts;
    return OK;
}

static int32_t cells_in(const partition *b, int64_t brick) {
    return __builtin_popcountll(b->mask[brick]);
}

uint16_t partition_owner(const partition *b, const int32_t *position) {
    int32_t place[3];
    brick_place(b, position, place);
    const int32_t at = b->at[brick_index(b, place)];
    return at >= 0 ? b->owner[at] : PARTITION_NOBODY;
}

/* --- Hilbert curve */

/* Position along a Hilbert curve through a cube of 2^bits per side (Skilling 2004, AxestoTranspose). */
static uint64_t hilbert_index(const int32_t place[3], int bits) {
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

static int cut_curve(partition *b, int parts, int64_t n_cell) {
    int bits = 1;
    int64_t before = 0;
    on_curve *list = calloc((size_t)b->n + 1, sizeof *list);
    if (!list)
        return fail_memory("the partition", 16.0 * (double)b->n);
    while (b->size[0] >> bits || b->size[1] >> bits || b->size[2] >> bits)
        bits++;
    for (int64_t k = 0; k < b->n; k++)
        list[k] = (on_curve){hilbert_index(b->place + 3 * k, bits), (int32_t)k};
    qsort(list, (size_t)b->n, sizeof *list, by_curve);
    for (int64_t k = 0; k < b->n; k++) {
        const int32_t brick = list[k].brick;
        const int64_t part = (2 * before + cells_in(b, brick)) * parts / (2 * n_cell);
        /* empty bricks after the last cell would give part == parts */
        b->owner[brick] = (uint16_t)(part < parts ? part : parts - 1);
        before += cells_in(b, brick);
    }
    free(list);
    return OK;
}

/* --- graph partition */

/* Number of the brick next to brick k on side 0..26; -1: none. Periodic boundaries are not counted. */
static int32_t brick_beside(const partition *b, int64_t k, int side) {
    int32_t to[3];
    for (int a = 0; a < 3; a++) {
        to[a] = b->place[3 * k + a] + side % 3 - 1;
        side /= 3;
        if (to[a] < 0 || to[a] >= b->size[a])
            return -1;
    }
    return b->at[brick_index(b, to)];
}

/* links [SIDES]: numbers of links from the cells of brick k to the bricks around it; links to corner neighbours and
 * walls thinner than a cell are ignored. */
static void links_count(const partition *b, int64_t k, int32_t *links) {
    const int n = b->edge, cells = n * n * n;
    int32_t near[SIDES];
    memset(links, 0, SIDES * sizeof *links);
    for (int side = 0; side < SIDES; side++)
        near[side] = brick_beside(b, k, side);
    for (int bit = 0; bit < cells; bit++)
        for (int a = 1; a < 19 && b->mask[k] >> bit & 1; a++) {
            int side = 0, to = 0;
            for (int x = 2; x >= 0; x--) {
                const int at = (x == 0 ? bit % n : x == 1 ? bit / n % n : bit / (n * n)) + lattice_e[a][x];
                side = 3 * side + (at < 0 ? 0 : at >= n ? 2 : 1);
                to = to * n + (at + n) % n;
            }
            links[side] += near[side] >= 0 && (b->mask[near[side]] >> to & 1);
        }
}

static int cut_graph(partition *b, int parts, partition_cut cut) {
    const int32_t n = (int32_t)b->n;
    int32_t *first = NULL, *to = NULL, *weight = NULL, *owner = NULL, *cells = NULL, links[SIDES], edges = 0;
    int rc = OK;
    first = malloc(((size_t)n + 1) * sizeof *first);
    to = calloc((size_t)n + 1, SIDES * sizeof *to);
    weight = calloc((size_t)n + 1, SIDES * sizeof *weight);
    owner = calloc((size_t)n + 1, sizeof *owner);
    cells = calloc((size_t)n + 1, sizeof *cells);
    if (!first || !to || !weight || !owner || !cells)
        GIVE_UP(fail_memory("the partition", (double)n * (2 * SIDES + 3) * sizeof *to));
    for (int32_t k = 0; k < n; k++) {
        first[k] = edges;
        cells[k] = cells_in(b, k);
        links_count(b, k, links);
        for (int side = 0; side < SIDES; side++) {
            if (side == SIDES / 2 || links[side] == 0)
                continue;
            to[edges] = brick_beside(b, k, side);
            weight[edges++] = links[side];
        }
    }
    first[n] = edges;
    if (cut(n, first, to, weight, cells, parts, owner) != 0)
        GIVE_UP(fail(ERR_RESOURCE, "METIS found no partition into %d parts; use another number of ranks", parts));
    for (int32_t k = 0; k < n; k++)
        b->owner[k] = (uint16_t)owner[k];
cleanup:
    free(first);
    free(to);
    free(weight);
    free(owner);
    free(cells);
    return rc;
}

/* --- partition ---------------------------------------------------------------------------------------------------- */

static bool all_there(const partition *b, int parts) {
    int found = 0;
    bool *there = calloc((size_t)parts, sizeof *there);
    for (int64_t k = 0; there && k < b->n; k++) {
        if (cells_in(b, k) == 0)
            continue;
        found += !there[b->owner[k]];
        there[b->owner[k]] = true;
    }
    free(there);
    return found == parts;
}

int partition_bricks(const int dims[3], int parts, partition_source *source, void *data, partition *p) {
    int rc, edge = 2 * PARTITION_BRICK;
    *p = (partition){0};
    do {
        partition_free(p);
        edge /= 2;
        TRY(begin_bricks(p, dims, edge));
        TRY(source(data, p));
    } while (edge > 1 && p->n < (int64_t)ENOUGH * parts);
    p->owner = calloc((size_t)p->n + 1, sizeof *p->owner);
    if (!p->owner)
        GIVE_UP(fail_memory("the partition", 2.0 * (double)p->n));
    if (p->n_cell < parts)
        rc = fail(ERR_INPUT, "the lattice has %lld cells, fewer than the %d ranks; use fewer ranks",
                  (long long)p->n_cell, parts);
cleanup:
    if (rc != OK)
        partition_free(p);
    return rc;
}

int partition_own(partition *p, int parts, partition_cut cut) {
    int rc = OK;
    if (cut && parts > 1)
        TRY(cut_graph(p, parts, cut));
    if (!cut || !all_there(p, parts))
        TRY(cut_curve(p, parts, p->n_cell));
cleanup:
    return rc;
}

static int from_domain(void *data, partition *p) {
    const domain *d = data;
    int rc = OK;
    for (int64_t c = 0; c < d->n_cell && rc == OK; c++)
        rc = partition_add(p, d->position + 3 * c, true);
    return rc;
}

int partition_make(const domain *d, int parts, partition_cut cut, uint16_t *owner) {
    partition p = {0};
    int rc;
    /* the cast is safe: from_domain only reads it */
    TRY(partition_bricks(d->dims, parts, from_domain, (domain *)d, &p));
    TRY(partition_own(&p, parts, cut));
    for (int64_t c = 0; c < d->n_cell; c++)
        owner[c] = partition_owner(&p, d->position + 3 * c);
cleanup:
    partition_free(&p);
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
            for (int a = 1; a < d->directions; a++)
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
