/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface_tree.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = SURFACE_TREE_LEAF };

typedef struct {
    surface_tree *t;
    const surface *s;
    float (*centre)[3]; /* [n_triangle] centroids */
    int32_t n_node;
} builder;

static double area2(const surface *s, int64_t t) {
    double u[3], v[3], sum = 0;
    for (int a = 0; a < 3; a++) {
        const double x = s->point_mm[3 * (int64_t)s->triangle[3 * t] + a];
        u[a] = s->point_mm[3 * (int64_t)s->triangle[3 * t + 1] + a] - x;
        v[a] = s->point_mm[3 * (int64_t)s->triangle[3 * t + 2] + a] - x;
    }
    for (int a = 0; a < 3; a++) {
        const double c = u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3];
        sum += c * c;
    }
    return sum;
}

static void set_bounds(const builder *b, surface_node *node, const int32_t *list, int32_t n) {
    for (int a = 0; a < 3; a++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t k = 0; k < n; k++)
            for (int c = 0; c < 3; c++) {
                const double x = b->s->point_mm[3 * (int64_t)b->s->triangle[3 * (int64_t)list[k] + c] + a];
                low = fmin(low, x);
                high = fmax(high, x);
            }
        node->low[a] = nextafterf((float)low, -INFINITY);
        node->high[a] = nextafterf((float)high, INFINITY);
    }
}

/* Partial sort: the element of rank `middle` along the axis moves to its position (Hoare's selection). */
static void select_median(const builder *b, int32_t *list, int32_t n, int32_t middle, int axis) {
    int32_t low = 0, high = n - 1;
    while (low < high) {
        const float pivot = b->centre[list[(low + high) / 2]][axis];
        int32_t i = low, j = high;
        while (i <= j) {
            while (b->centre[list[i]][axis] < pivot)
                i++;
            while (b->centre[list[j]][axis] > pivot)
                j--;
            if (i <= j) {
                const int32_t keep = list[i];
                list[i++] = list[j];
                list[j--] = keep;
            }
        }
        if (j < middle)
            low = i;
        if (i > middle)
            high = j;
    }
}

static void build_subtree(builder *b, int32_t at, int32_t first, int32_t n) {
    surface_node *node = &b->t->node[at];
    int axis = 0;
    set_bounds(b, node, b->t->triangle + first, n);
    if (n <= LEAF) {
        node->child = first;
        node->n = n;
        return;
    }
    for (int a = 1; a < 3; a++)
        axis = node->high[a] - node->low[a] > node->high[axis] - node->low[axis] ? a : axis;
    const int32_t half = (n / 2 + LEAF - 1) / LEAF * LEAF; /* a multiple of LEAF, so that the leaves are full */
    select_median(b, b->t->triangle + first, n, half, axis);
    node->child = b->n_node;
    node->n = 0;
    b->n_node += 2;
    build_subtree(b, node->child, first, half);
    build_subtree(b, node->child + 1, first + half, n - half);
}

int surface_tree_create(surface_tree *t, const surface *s) {
    builder b = {.t = t, .s = s, .n_node = 1};
    const size_t n = (size_t)s->n_triangle + 1;
    int rc = OK;
    memset(t, 0, sizeof *t);
    if (s->n_triangle > INT32_MAX / 2)
        return fail(ERR_RESOURCE, "a surface of %lld triangles is too large, 2^30 - 1 are allowed; decimate it",
                    (long long)s->n_triangle);
    t->node = malloc(2 * n * sizeof *t->node);
    t->triangle = calloc(n, sizeof *t->triangle);
    b.centre = malloc(n * sizeof *b.centre);
    if (!t->node || !t->triangle || !b.centre) {
        rc = fail_memory("the triangles of a surface", 80.0 * (double)n);
        goto cleanup;
    }
    for (int64_t k = 0; k < s->n_triangle; k++) {
        if (!(area2(s, k) > 0))
            continue;
        t->triangle[t->n++] = (int32_t)k;
        for (int a = 0; a < 3; a++) {
            double sum = 0;
            for (int c = 0; c < 3; c++)
                sum += s->point_mm[3 * (int64_t)s->triangle[3 * k + c] + a];
            b.centre[k][a] = (float)(sum / 3);
        }
    }
    if (t->n == 0) {
        rc = fail(ERR_INPUT, "the surface has no triangle with an area; export it again");
        goto cleanup;
    }
    build_subtree(&b, 0, 0, t->n);
cleanup:
    free(b.centre);
    if (rc != OK)
        surface_tree_free(t);
    return rc;
}

void surface_tree_free(surface_tree *t) {
    free(t->node);
    free(t->triangle);
    memset(t, 0, sizeof *t);
}
