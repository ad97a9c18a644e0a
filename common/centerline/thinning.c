/* SPDX-License-Identifier: Apache-2.0 */
/* See thinning.h. */
#include "common/centerline/thinning.h"
#include "common/base/status.h"
#include "common/centerline/bucket_queue.h"
#include <stdbool.h>
#include <stdlib.h>

static const double BUCKETS_PER_VOXEL = 8; /* width of a bucket: the shortest voxel side divided by this number. It
                                            * limits the resolution of the depth by which voxels are removed in
                                            * order. Own choice. */

enum { INSIDE = 1, KEPT = 2, QUEUED = 4, CENTRE = 13, CELLS = 27 };

/* The 3 x 3 x 3 cells around a voxel as bits, in the order of LUMEN_GRID_NEIGHBOURS with the centre included. */
typedef struct {
    uint32_t touch[CELLS]; /* [k] cells that share a face, edge or corner with cell k, without the centre */
    uint32_t face[CELLS];  /* for each of the 18 cells `near` the centre: which of the 18 cells share a face with
                            * this cell */
    uint32_t faces;        /* the 6 cells at a face of the centre */
    uint32_t near;         /* the 18 cells at a face or an edge of the centre */
} cell_bits;

static cell_bits make_bits(void) {
    cell_bits b = {{0}, {0}, 0, 0};
    for (int i = 0; i < CELLS; i++) {
        const int x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1, away = abs(x) + abs(y) + abs(z);
        b.faces |= away == 1 ? 1U << i : 0;
        b.near |= away == 1 || away == 2 ? 1U << i : 0;
    }
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < CELLS; k++) {
            const int x = abs(i % 3 - k % 3), y = abs(i / 3 % 3 - k / 3 % 3), z = abs(i / 9 - k / 9);
            if (i == k || i == CENTRE || k == CENTRE)
                continue;
            b.touch[i] |= x <= 1 && y <= 1 && z <= 1 ? 1U << k : 0;
            b.face[i] |= x + y + z == 1 && (b.near >> i & b.near >> k & 1) ? 1U << k : 0;
        }
    return b;
}

/* Cells of `set` that are connected with the lowest cell of `set`. */
static uint32_t connected_cells(uint32_t set, const uint32_t adjacent[CELLS]) {
    uint32_t found = set & -set, fresh = found;
    while (fresh) {
        uint32_t next = 0;
        for (; fresh; fresh &= fresh - 1)
            next |= adjacent[__builtin_ctz(fresh)];
        fresh = next & set & ~found;
        found |= fresh;
    }
    return found;
}

/* True if removing the voxel changes no topology: its inside neighbours are connected with each other (26 neighbours),
 * and its outside neighbours are connected with each other (6 neighbours). */
static bool is_simple(const lumen_grid *g, const cell_bits *b, size_t voxel) {
    const uint8_t *at = g->inside + voxel;
    uint32_t set = 0;
    if (at[g->step[4]] && at[g->step[10]] && at[g->step[12]] && at[g->step[13]] && at[g->step[15]] && at[g->step[21]])
        return false; /* all six face neighbours are inside */
    for (int k = 0; k < LUMEN_GRID_NEIGHBOURS; k++)
        set |= at[g->step[k]] ? 1U << (k < CENTRE ? k : k + 1) : 0;
    if (set == 0 || connected_cells(set, b->touch) != set)
        return false;
    const uint32_t outside = ~set & b->near;
    uint32_t start = outside & b->faces;
    if (start == 0)
        return false;
    /* the piece that contains the lowest outside face cell must contain all outside face cells */
    uint32_t found = start & -start, fresh = found;
    while (fresh) {
        uint32_t next = 0;
        for (; fresh; fresh &= fresh - 1)
            next |= b->face[__builtin_ctz(fresh)];
        fresh = next & outside & ~found;
        found |= fresh;
    }
    return (start & ~found) == 0;
}

static int queue_voxel(lumen_grid *g, bucket_queue *q, size_t voxel) {
    if (g->inside[voxel] != INSIDE) /* skip voxels that are outside, kept or already queued */
        return OK;
    g->inside[voxel] |= QUEUED;
    return bucket_queue_push(q, g->depth_mm[voxel], voxel);
}

static int queue_wall(lumen_grid *g, bucket_queue *q) {
    static const int face[] = {4, 10, 12, 13, 15, 21};
    int rc = OK;
    for (size_t k = 0; k < g->n && rc == OK; k++) {
        bool wall = false;
        for (int f = 0; f < 6; f++)
            wall = wall || !g->inside[(ptrdiff_t)g->voxel[k] + g->step[face[f]]];
        if (wall)
            rc = queue_voxel(g, q, g->voxel[k]);
    }
    return rc;
}

int thinning_run(lumen_grid *g, int n, const size_t *keep) {
    const cell_bits bits = make_bits();
    bucket_queue q = {0};
    bucket_item top;
    int rc = OK;
    bucket_queue_init(&q, g->thinnest_mm / BUCKETS_PER_VOXEL);
    for (int k = 0; k < n; k++)
        if (g->inside[keep[k]])
            g->inside[keep[k]] |= KEPT;
    TRY(queue_wall(g, &q));
    while (bucket_queue_pop(&q, &top)) {
        g->inside[top.voxel] &= (uint8_t)~QUEUED;
        if (!is_simple(g, &bits, top.voxel))
            continue;
        g->inside[top.voxel] = 0;
        for (int k = 0; k < LUMEN_GRID_NEIGHBOURS; k++)
            TRY(queue_voxel(g, &q, (size_t)((ptrdiff_t)top.voxel + g->step[k])));
    }
    size_t left = 0;
    for (size_t k = 0; k < g->n; k++)
        if (g->inside[g->voxel[k]])
            g->voxel[left++] = g->voxel[k];
    g->n = left;
cleanup:
    bucket_queue_free(&q);
    return rc;
}
