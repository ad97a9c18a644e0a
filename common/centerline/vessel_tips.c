/* SPDX-License-Identifier: Apache-2.0 */
/* See vessel_tips.h. */
#include "common/centerline/vessel_tips.h"
#include "common/base/status.h"
#include "common/centerline/bucket_queue.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_PIECE = 0.01; /* pieces with fewer voxels than this fraction of the largest piece are not
                                         * vessels; own choice */

/* Spreads distances from the queued voxels. visited: out, list of the reached voxels, appended; or NULL. */
static int spread_distances(const lumen_grid *g, bucket_queue *q, float *far, size_t *visited, size_t *n_visited) {
    bucket_item top;
    int rc = OK;
    while (bucket_queue_pop(q, &top)) {
        if (top.key > far[top.voxel])
            continue;
        if (visited != NULL && *n_visited < 2 * g->n)
            visited[(*n_visited)++] = top.voxel;
        for (int k = 0; k < LUMEN_GRID_NEIGHBOURS; k++) {
            const size_t to = (size_t)((ptrdiff_t)top.voxel + g->step[k]);
            const float way = top.key + (float)g->step_mm[k];
            if (!g->inside[to] || way >= far[to])
                continue;
            far[to] = way;
            TRY(bucket_queue_push(q, way, to));
        }
    }
cleanup:
    return rc;
}

/* One connected piece. Its voxels are visited[first .. first + n - 1]. root: the voxel farthest from the start of the
 * search. */
typedef struct {
    size_t first, n, root;
} piece;

typedef struct {
    piece *list;
    int n, room;
} piece_list;

static int add_piece(piece_list *l, piece p) {
    if (l->n == l->room) {
        l->room = l->room > 0 ? 2 * l->room : 64;
        piece *list = realloc(l->list, (size_t)l->room * sizeof *list);
        if (list == NULL)
            return fail_memory("the pieces of the lumen", l->room * (double)sizeof *list);
        l->list = list;
    }
    l->list[l->n++] = p;
    return OK;
}

/* Finds the pieces, and the farthest voxel of each piece. */
static int find_pieces(const lumen_grid *g, bucket_queue *q, float *far, size_t *visited, piece_list *l) {
    size_t n = 0;
    int rc = OK;
    for (size_t k = 0; k < g->n; k++) {
        if (isfinite(far[g->voxel[k]]))
            continue;
        piece p = {.first = n, .root = g->voxel[k]};
        far[p.root] = 0;
        TRY(bucket_queue_push(q, 0, p.root));
        TRY(spread_distances(g, q, far, visited, &n));
        p.n = n - p.first;
        for (size_t i = p.first; i < n; i++)
            p.root = far[visited[i]] > far[p.root] ? visited[i] : p.root;
        TRY(add_piece(l, p));
    }
cleanup:
    return rc;
}

/* Removes small pieces. Starts the second search of every other piece at the piece's root. */
static int start_at_roots(lumen_grid *g, const piece_list *l, const size_t *visited, float *far, bucket_queue *q,
                          vessel_tips *tips) {
    size_t largest = 0;
    int rc = OK;
    for (int k = 0; k < l->n; k++)
        largest = l->list[k].n > largest ? l->list[k].n : largest;
    for (int k = 0; k < l->n; k++) {
        const piece *p = &l->list[k];
        const bool small = (double)p->n < LEAST_PIECE * (double)largest;
        for (size_t i = p->first; i < p->first + p->n; i++) {
            far[visited[i]] = INFINITY;
            g->inside[visited[i]] = !small;
        }
        tips->n_small += small;
        tips->small_voxels += small ? (int64_t)p->n : 0;
        if (small)
            continue;
        tips->n_piece++;
        far[p->root] = 0;
        TRY(bucket_queue_push(q, 0, p->root));
    }
cleanup:
    return rc;
}

/* Removes the voxels of removed pieces from the list of voxels. */
static void drop_removed_voxels(lumen_grid *g) {
    size_t n = 0;
    for (size_t k = 0; k < g->n; k++)
        if (g->inside[g->voxel[k]])
            g->voxel[n++] = g->voxel[k];
    g->n = n;
}

/* True if the voxel is farther away than all its neighbours. Of neighbours at the same distance, the first in memory
 * counts as the farther. */
static bool is_farthest(const lumen_grid *g, const float *far, size_t voxel) {
    for (int k = 0; k < LUMEN_GRID_NEIGHBOURS; k++) {
        const size_t to = (size_t)((ptrdiff_t)voxel + g->step[k]);
        if (g->inside[to] && (far[to] > far[voxel] || (far[to] == far[voxel] && to < voxel)))
            return false;
    }
    return true;
}

static int collect_tips(const lumen_grid *g, const float *far, vessel_tips *tips) {
    int room = 0;
    for (size_t k = 0; k < g->n; k++) {
        const size_t voxel = g->voxel[k];
        if (far[voxel] > 0 && !is_farthest(g, far, voxel))
            continue;
        if (tips->n == room) {
            room = room > 0 ? 2 * room : 64;
            size_t *list = realloc(tips->voxel, (size_t)room * sizeof *list);
            if (list == NULL)
                return fail_memory("the tips of the vessel", room * (double)sizeof *list);
            tips->voxel = list;
        }
        tips->voxel[tips->n++] = voxel;
    }
    return OK;
}

int vessel_tips_find(lumen_grid *g, vessel_tips *tips) {
    const size_t size = lumen_grid_size(g);
    float *far = malloc(size * sizeof *far);
    size_t *visited = malloc(2 * g->n * sizeof *visited);
    bucket_queue q = {0};
    piece_list l = {0};
    int rc = OK;
    memset(tips, 0, sizeof *tips);
    if (far == NULL || visited == NULL)
        GIVE_UP(fail_memory("the tips of the vessel", (double)size * sizeof *far));
    for (size_t i = 0; i < size; i++)
        far[i] = INFINITY;
    bucket_queue_init(&q, g->thinnest_mm);
    TRY(find_pieces(g, &q, far, visited, &l));
    bucket_queue_init(&q, g->thinnest_mm);
    TRY(start_at_roots(g, &l, visited, far, &q, tips));
    drop_removed_voxels(g);
    TRY(spread_distances(g, &q, far, NULL, NULL));
    TRY(collect_tips(g, far, tips));
cleanup:
    free(far);
    free(visited);
    free(l.list);
    bucket_queue_free(&q);
    if (rc != OK) {
        free(tips->voxel);
        memset(tips, 0, sizeof *tips);
    }
    return rc;
}
