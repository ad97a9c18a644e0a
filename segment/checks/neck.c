/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/checks/neck.h"
#include "common/base/status.h"
#include "segment/checks/checks_constants.h"
#include "segment/voxel/voxel.h"
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Tree of widest paths from the seeds. It lists the inside voxels in the order in which they are reached, widest path
 * first. */
typedef struct {
    const volume *phi;
    int32_t *order;   /* [voxels of phi] position of each voxel in the list; -1: outside, or not reached yet */
    size_t *voxel;    /* [n] voxel of each entry */
    int32_t *from;    /* [n] entry from which the voxel was reached; -1: a seed */
    float *before;    /* [n] largest depth (distance to the wall) on the path from the seed to the voxel, the voxel
                       * included */
    float *behind;    /* [n] largest depth in the subtree behind the voxel */
    int32_t *through; /* [n] number of voxels in the subtree behind the voxel, the voxel included */
    int32_t n, room;
} tree;

/* Max-heap of candidates: the widest path first and, at equal width, the deepest voxel first, so that paths run in the
 * middle of the vessel. */
typedef struct {
    float wide, deep; /* wide: smallest depth on the path so far; deep: depth of the voxel */
    int32_t from;
    size_t voxel;
} candidate;
typedef struct {
    candidate *at;
    size_t n, room;
} heap;

static bool is_wider(const candidate *a, const candidate *b) {
    return a->wide > b->wide || (a->wide >= b->wide && a->deep > b->deep);
}

static int heap_push(heap *h, candidate c) {
    if (h->n == h->room) {
        size_t room = h->room ? 2 * h->room : 4096;
        candidate *grown = realloc(h->at, room * sizeof *grown);
        if (grown == NULL)
            return fail_memory("the necks of the lumen", (double)room * sizeof *grown);
        h->at = grown;
        h->room = room;
    }
    size_t i = h->n++;
    for (; i > 0 && is_wider(&c, &h->at[(i - 1) / 2]); i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = c;
    return OK;
}

static candidate heap_pop(heap *h) {
    candidate top = h->at[0], last = h->at[--h->n];
    size_t i = 0;
    for (size_t child = 1; child < h->n; child = 2 * i + 1) {
        child += child + 1 < h->n && is_wider(&h->at[child + 1], &h->at[child]);
        if (!is_wider(&h->at[child], &last))
            break;
        h->at[i] = h->at[child];
        i = child;
    }
    if (h->n > 0)
        h->at[i] = last;
    return top;
}

static float depth_at(const tree *t, size_t voxel) {
    return -t->phi->value[voxel];
}

/* Moves from a seed to the local maximum of the depth. Returns SIZE_MAX if the seed is outside the lumen. */
static size_t move_to_axis(const tree *t, const double seed[3]) {
    double index[3];
    int at[3];
    volume_to_index(t->phi, seed, index);
    for (int a = 0; a < 3; a++)
        at[a] = (int)fmin(t->phi->dims[a] - 1, fmax(0, floor(index[a] + 0.5)));
    size_t best = volume_index(t->phi, at[0], at[1], at[2]);
    for (size_t here = SIZE_MAX; here != best;) {
        size_t neighbour[6];
        here = best;
        const int n = voxel_face_neighbours(t->phi, here, neighbour);
        for (int k = 0; k < n; k++)
            best = depth_at(t, neighbour[k]) > depth_at(t, best) ? neighbour[k] : best;
    }
    return depth_at(t, best) > 0 ? best : SIZE_MAX;
}

static int tree_create(tree *t, const volume *phi) {
    size_t total = volume_size(phi), n = 0;
    *t = (tree){.phi = phi, .order = malloc(total * sizeof *t->order)};
#pragma omp parallel for schedule(static) reduction(+ : n)
    for (size_t i = 0; i < total; i++)
        n += phi->value[i] < 0;
    if (n > INT32_MAX)
        return fail(ERR_RESOURCE,
                    "the lumen has %.3g million voxels, more than the 2147 million that can be checked; crop the image",
                    (double)n * 1e-6);
    t->room = (int32_t)n;
    t->voxel = malloc((n + 1) * sizeof *t->voxel);
    t->from = malloc((n + 1) * sizeof *t->from);
    t->before = malloc((n + 1) * sizeof *t->before);
    t->behind = malloc((n + 1) * sizeof *t->behind);
    t->through = malloc((n + 1) * sizeof *t->through);
    if (!t->order || !t->voxel || !t->from || !t->before || !t->behind || !t->through)
        return fail_memory("the necks of the lumen", (double)total * 4 + (double)n * 24);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < total; i++)
        t->order[i] = -1;
    return OK;
}

static void tree_free(tree *t) {
    free(t->order);
    free(t->voxel);
    free(t->from);
    free(t->before);
    free(t->behind);
    free(t->through);
}

static int grow_tree(tree *t, heap *h) {
    int rc = OK;
    while (h->n > 0) {
        candidate c = heap_pop(h);
        if (t->order[c.voxel] >= 0)
            continue;
        int32_t me = t->n++;
        float own = depth_at(t, c.voxel);
        t->order[c.voxel] = me;
        t->voxel[me] = c.voxel;
        t->from[me] = c.from;
        t->before[me] = c.from >= 0 ? fmaxf(own, t->before[c.from]) : own;
        size_t neighbour[6];
        const int n = voxel_face_neighbours(t->phi, c.voxel, neighbour);
        for (int k = 0; k < n; k++) {
            const float deep = depth_at(t, neighbour[k]);
            if (t->order[neighbour[k]] < 0 && deep > 0)
                TRY(heap_push(h, (candidate){fminf(c.wide, deep), deep, me, neighbour[k]}));
        }
    }
    for (int32_t i = 0; i < t->n; i++) {
        t->behind[i] = depth_at(t, t->voxel[i]);
        t->through[i] = 1;
    }
    for (int32_t i = t->n - 1; i >= 0; i--)
        if (t->from[i] >= 0) {
            t->behind[t->from[i]] = fmaxf(t->behind[t->from[i]], t->behind[i]);
            t->through[t->from[i]] += t->through[i];
        }
cleanup:
    return rc;
}

static bool is_neck(const tree *t, int32_t i) {
    return (double)depth_at(t, t->voxel[i]) < NECK_NARROW * (double)fminf(t->before[i], t->behind[i]);
}

static void choose_neck(const tree *t, neck *out) {
    int32_t most = 0, best = -1;
    for (int32_t i = 0; i < t->n; i++)
        if (is_neck(t, i) && t->through[i] > most)
            most = t->through[i];
    for (int32_t i = 0; i < t->n && most > 0; i++)
        if (is_neck(t, i) && t->through[i] >= NECK_ALIKE * most &&
            (best < 0 || depth_at(t, t->voxel[i]) < depth_at(t, t->voxel[best])))
            best = i;
    if (best < 0)
        return;
    const size_t v = t->voxel[best];
    int at[3];
    voxel_split(t->phi, v, at);
    *out = (neck){.part = (double)t->through[best] / t->n,
                  .radius_mm = (double)depth_at(t, v),
                  .beyond_mm = (double)t->behind[best]};
    volume_to_lps(t->phi, (const double[3]){at[0], at[1], at[2]}, out->place_mm);
}

int neck_find(const volume *phi, int n, const double (*seed)[3], neck *out) {
    int rc = OK;
    tree t = {0};
    heap h = {0};
    *out = (neck){.place_mm = {NAN, NAN, NAN}};
    TRY(tree_create(&t, phi));
    for (int k = 0; k < n; k++) {
        size_t start = move_to_axis(&t, seed[k]);
        if (start != SIZE_MAX)
            TRY(heap_push(&h, (candidate){INFINITY, depth_at(&t, start), -1, start}));
    }
    TRY(grow_tree(&t, &h));
    choose_neck(&t, out);
cleanup:
    free(h.at);
    tree_free(&t);
    return rc;
}
