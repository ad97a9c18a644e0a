/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/centerline_tree.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/ends_constants.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/heap.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

typedef struct {
    const volume *mask; /* largest piece of the mask */
    volume radius;      /* distance to the wall, mm, > 0 inside */
    float *far, *cost;  /* [voxels] far: length of the path from the root, mm; cost: weighted length */
    int8_t *from;       /* [voxels] number of the neighbour that comes next on the cheapest path to the root */
    uint8_t *covered;   /* [voxels] 1: the voxel is near a path; 2: it is on a path of the tree */
    double widest_mm;
    heap q;
} growth;

void centerline_tree_free(centerline_tree *t) {
    for (int k = 0; k < t->n; k++) {
        free(t->branch[k].at_mm);
        free(t->branch[k].radius_mm);
    }
    free(t->branch);
    memset(t, 0, sizeof *t);
}

/* Index of neighbour n of 27 and its distance in mm; SIZE_MAX outside the mask. */
static size_t neighbour_index(const growth *g, const int at[3], int n, double *mm) {
    const volume *v = g->mask;
    const int step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    int to[3];
    *mm = 0;
    for (int a = 0; a < 3; a++) {
        to[a] = at[a] + step[a];
        *mm += step[a] * v->spacing_mm[a] * step[a] * v->spacing_mm[a];
        if (to[a] < 0 || to[a] >= v->dims[a])
            return SIZE_MAX;
    }
    *mm = sqrt(*mm);
    const size_t i = volume_index(v, to[0], to[1], to[2]);
    return v->value[i] > 0.5F ? i : SIZE_MAX;
}

/* sum: out, length of the shortest path from the root to each voxel (Dijkstra's algorithm). weighted: steps near the
 * wall cost more. */
static int shortest_paths(growth *g, size_t root, bool weighted, float *sum) {
    const size_t size = volume_size(g->mask);
    int rc = OK;
    for (size_t i = 0; i < size; i++)
        sum[i] = INFINITY;
    sum[root] = 0;
    g->from[root] = NONE;
    rc = heap_push(&g->q, 0, root);
    while (g->q.n > 0 && rc == OK) {
        const heap_item top = heap_pop(&g->q);
        int at[3];
        if (top.key > sum[top.voxel])
            continue;
        voxel_split(g->mask, top.voxel, at);
        for (int n = 0; n < 27 && rc == OK; n++) {
            double mm;
            const size_t to = n == 13 ? SIZE_MAX : neighbour_index(g, at, n, &mm);
            if (to == SIZE_MAX)
                continue;
            const double narrow = g->widest_mm / fmax((double)g->radius.value[to], 0.1 * g->widest_mm);
            const float way = top.key + (float)(weighted ? mm * narrow * narrow : mm);
            if (way >= sum[to])
                continue;
            sum[to] = way;
            if (weighted)
                g->from[to] = (int8_t)(26 - n);
            rc = heap_push(&g->q, way, to);
        }
    }
    return rc;
}

static size_t farthest_voxel(const growth *g, bool uncovered) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < volume_size(g->mask); i++)
        if (g->mask->value[i] > 0.5F && isfinite(g->far[i]) && !(uncovered && g->covered[i]) &&
            (best == SIZE_MAX || g->far[i] > g->far[best]))
            best = i;
    return best;
}

static void cover_surroundings(growth *g, size_t voxel) {
    const volume *v = g->mask;
    int at[3], low[3], high[3];
    voxel_split(v, voxel, at);
    const double reach = COVERED_RADII * (double)g->radius.value[voxel] +
                         COVERED_VOXELS * fmax(v->spacing_mm[0], fmax(v->spacing_mm[1], v->spacing_mm[2]));
    for (int a = 0; a < 3; a++) {
        low[a] = (int)fmax(0, at[a] - reach / v->spacing_mm[a]);
        high[a] = (int)fmin(v->dims[a] - 1, at[a] + reach / v->spacing_mm[a]);
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                const double d[3] = {(i - at[0]) * v->spacing_mm[0], (j - at[1]) * v->spacing_mm[1],
                                     (k - at[2]) * v->spacing_mm[2]};
                if (vec_dot(d, d) <= reach * reach)
                    g->covered[volume_index(v, i, j, k)] = 1;
            }
}

/* Trace the path from an end to the tree (covered 2) or the root, and mark its surroundings as covered. *joined_mm:
 * radius of the vessel that the path joins; *length_mm: length of the path outside the vessel that it joins. */
static int trace_branch(growth *g, size_t tip, centerline_branch *b, double *length_mm, double *joined_mm) {
    size_t n = 1, i = tip;
    int at[3];
    double mm, radius = 0;
    for (; g->covered[i] != 2 && g->from[i] != NONE; n++) {
        voxel_split(g->mask, i, at);
        i = neighbour_index(g, at, g->from[i], &mm);
    }
    const double joined = g->covered[i] == 2 ? (double)g->radius.value[i] : 0;
    *b = (centerline_branch){
        .n = (int)n, .at_mm = malloc(n * sizeof *b->at_mm), .radius_mm = malloc(n * sizeof(double))};
    if (b->at_mm == NULL || b->radius_mm == NULL)
        return fail_memory("the tree of the vessel", (double)n * 4 * sizeof(double));
    i = tip;
    *length_mm = -joined;
    *joined_mm = joined;
    for (size_t k = 0; k < n; k++) {
        voxel_split(g->mask, i, at);
        volume_to_lps(g->mask, (const double[3]){at[0], at[1], at[2]}, b->at_mm[k]);
        b->radius_mm[k] = (double)g->radius.value[i];
        radius = fmax(radius, b->radius_mm[k]);
        *length_mm += k > 0 ? vec_distance(b->at_mm[k - 1], b->at_mm[k]) : 0;
        cover_surroundings(g, i);
        if (k + 1 < n)
            i = neighbour_index(g, at, g->from[i], &mm);
    }
    return OK;
}

/* Mark the path as part of the tree: a later branch ends at it. */
static void mark_path(growth *g, size_t tip, int n) {
    size_t i = tip;
    for (int k = 0; k < n; k++) {
        int at[3];
        double mm;
        g->covered[i] = 2;
        voxel_split(g->mask, i, at);
        if (g->from[i] == NONE)
            break;
        i = neighbour_index(g, at, g->from[i], &mm);
    }
}

static double median_radius(const centerline_branch *b, double *work) {
    memcpy(work, b->radius_mm, (size_t)b->n * sizeof *work);
    qsort(work, (size_t)b->n, sizeof *work, order_double);
    return work[b->n / 2];
}

/* Add branches, the farthest end first, until no uncovered voxel remains. */
static int grow_branches(growth *g, centerline_tree *out) {
    int rc = OK;
    for (;;) {
        const size_t tip = farthest_voxel(g, true);
        centerline_branch b = {0};
        double length = 0, joined = 0, *work = NULL;
        if (tip == SIZE_MAX || out->n == BRANCHES_MAX)
            return OK;
        rc = trace_branch(g, tip, &b, &length, &joined);
        work = rc == OK ? malloc((size_t)b.n * sizeof *work) : NULL;
        if (rc == OK && work == NULL)
            rc = fail_memory("the tree of the vessel", b.n * (double)sizeof *work);
        if (rc == OK && (out->n == 0 || length > fmax(joined, LEAST_BRANCH * median_radius(&b, work)))) {
            mark_path(g, tip, b.n);
            out->length_mm += length;
            out->branch[out->n++] = b;
            b = (centerline_branch){0};
        }
        free(work);
        free(b.at_mm);
        free(b.radius_mm);
        if (rc != OK)
            return rc;
    }
}

/* Copy the largest piece of the mask; the crop box holds all pieces and one voxel around them. */
static int largest_piece(const volume *mask, volume *out) {
    grid_box box = {{0}, {0}};
    uint8_t *within = malloc(volume_size(mask));
    int32_t *label = NULL;
    int64_t *size = NULL;
    int rc = OK, n = 0;
    if (within == NULL)
        GIVE_UP(fail_memory("the tree of the vessel", (double)volume_size(mask)));
    for (size_t i = 0; i < volume_size(mask); i++)
        within[i] = mask->value[i] > 0.5F;
    if (!region_bounding_box(mask, within, &box))
        GIVE_UP(fail(ERR_INPUT, "the mask is empty: no voxel has a value above 0; check the file"));
    grid_box_grow(&box, (int[3]){1, 1, 1}, mask);
    TRY(grid_crop(mask, &box, 0, out));
    label = malloc(volume_size(out) * sizeof *label);
    if (label == NULL)
        GIVE_UP(fail_memory("the tree of the vessel", (double)volume_size(out) * sizeof *label));
    TRY(region_label(out, 0.5, INFINITY, label, &n, &size));
    for (size_t i = 0; i < volume_size(out); i++)
        out->value[i] = label[i] == 1;
cleanup:
    free(within);
    free(label);
    free(size);
    return rc;
}

static int median_of_all(centerline_tree *t) {
    size_t n = 0;
    for (int k = 0; k < t->n; k++)
        n += (size_t)t->branch[k].n;
    double *all = malloc((n + 1) * sizeof *all);
    if (all == NULL)
        return fail_memory("the tree of the vessel", (double)n * sizeof *all);
    n = 0;
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i++)
            all[n++] = t->branch[k].radius_mm[i];
    qsort(all, n, sizeof *all, order_double);
    t->radius_mm = n > 0 ? all[n / 2] : 0;
    free(all);
    return OK;
}

int centerline_tree_find(const volume *mask, centerline_tree *out) {
    volume piece = {0};
    growth g = {.mask = &piece};
    int rc = OK;
    *out = (centerline_tree){.branch = calloc(BRANCHES_MAX, sizeof *out->branch)};
    if (out->branch == NULL)
        return fail_memory("the tree of the vessel", BRANCHES_MAX * (double)sizeof *out->branch);
    TRY(largest_piece(mask, &piece));
    const size_t size = volume_size(&piece);
    g.far = malloc(size * sizeof *g.far);
    g.cost = malloc(size * sizeof *g.cost);
    g.from = malloc(size);
    g.covered = calloc(size, 1);
    if (g.far == NULL || g.cost == NULL || g.from == NULL || g.covered == NULL)
        GIVE_UP(fail_memory("the tree of the vessel", (double)size * 10));
    TRY(mask_distance(&piece, (const bool[3]){true, true, true}, 1e4, &g.radius));
    size_t root = 0;
    for (size_t i = 0; i < size; i++) {
        g.radius.value[i] = fmaxf(0, -g.radius.value[i]);
        root = g.radius.value[i] > g.radius.value[root] ? i : root;
    }
    g.widest_mm = (double)g.radius.value[root];
    TRY(shortest_paths(&g, root, false, g.far));
    root = farthest_voxel(&g, false);
    TRY(shortest_paths(&g, root, false, g.far));
    TRY(shortest_paths(&g, root, true, g.cost));
    TRY(grow_branches(&g, out));
    TRY(median_of_all(out));
cleanup:
    free(g.far);
    free(g.cost);
    free(g.from);
    free(g.covered);
    heap_free(&g.q);
    volume_free(&g.radius);
    volume_free(&piece);
    if (rc != OK)
        centerline_tree_free(out);
    return rc;
}
