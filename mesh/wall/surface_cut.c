/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/wall/surface_cut.h"
#include "common/base/status.h"
#include "common/base/union_find.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An edge that the plane cuts: its end points, low < high, and the new point on it. */
typedef struct {
    int32_t low, high, point;
} cut_edge;

static int compare_edges(const void *a, const void *b) {
    const cut_edge *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return (p->high > q->high) - (p->high < q->high);
}

static bool is_cut(const double *height, const bool *marked, int32_t a, int32_t b) {
    return (height[a] < 0) != (height[b] < 0) && (marked[a] || marked[b]);
}

/* List all edges that the plane cuts, sorted, each of them once; the caller frees *edges. */
static int find_edges(const surface *s, const double *height, const bool *marked, cut_edge **edges, int64_t *n) {
    int64_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            *edges = malloc((size_t)(count + 1) * sizeof **edges);
            if (!*edges)
                return fail_memory("the cut of a surface", (double)count * sizeof **edges);
        }
        count = 0;
        for (int64_t e = 0; e < 3 * s->n_triangle; e++) {
            const int32_t a = s->triangle[e], b = s->triangle[e % 3 == 2 ? e - 2 : e + 1];
            if (!is_cut(height, marked, a, b))
                continue;
            if (pass == 1)
                (*edges)[count] = (cut_edge){a < b ? a : b, a < b ? b : a, -1};
            count++;
        }
    }
    if (count > 0)
        qsort(*edges, (size_t)count, sizeof **edges, compare_edges);
    *n = 0;
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || compare_edges(&(*edges)[i], &(*edges)[i - 1]) != 0)
            (*edges)[(*n)++] = (*edges)[i];
    return OK;
}

static int32_t point_on(const cut_edge *edges, int64_t n, int32_t a, int32_t b) {
    const cut_edge key = {a < b ? a : b, a < b ? b : a, -1};
    const cut_edge *found = bsearch(&key, edges, (size_t)n, sizeof *edges, compare_edges);
    return found ? found->point : -1;
}

/* Copy the points of s and append one point for every cut edge. */
static int add_points(surface *out, const surface *s, const double *height, cut_edge *edges, int64_t n) {
    const int rc = surface_create(out, s->n_point + n, 2 * s->n_triangle);
    if (rc != OK)
        return rc;
    memcpy(out->point_mm, s->point_mm, (size_t)s->n_point * 3 * sizeof *s->point_mm);
    for (int64_t i = 0; i < n; i++) {
        const double *a = s->point_mm + 3 * (size_t)edges[i].low, *b = s->point_mm + 3 * (size_t)edges[i].high;
        const double t = height[edges[i].low] / (height[edges[i].low] - height[edges[i].high]);
        edges[i].point = (int32_t)(s->n_point + i);
        for (int k = 0; k < 3; k++)
            out->point_mm[3 * (s->n_point + i) + k] = a[k] + t * (b[k] - a[k]);
    }
    return OK;
}

static void add_triangle(surface *out, int32_t a, int32_t b, int32_t c) {
    if (a == b || b == c || a == c)
        return;
    memcpy(out->triangle + 3 * out->n_triangle++, (const int32_t[3]){a, b, c}, 3 * sizeof a);
}

/* Add the inner part of a triangle, a polygon of up to four corners. */
static void add_inner(surface *out, const int32_t c[3], const double *height, const cut_edge *edges, int64_t n) {
    int32_t corner[6];
    int count = 0;
    for (int k = 0; k < 3; k++) {
        const int32_t a = c[k], b = c[(k + 1) % 3], on = point_on(edges, n, a, b);
        if (height[a] < 0)
            corner[count++] = a;
        if (on >= 0)
            corner[count++] = on;
    }
    for (int k = 2; k < count; k++)
        add_triangle(out, corner[0], corner[k - 1], corner[k]);
}

int surface_cut_plane(surface *s, const double *height, const bool *marked) {
    int rc;
    int64_t n = 0;
    cut_edge *edges = NULL;
    surface out = {0};
    TRY(find_edges(s, height, marked, &edges, &n));
    TRY(add_points(&out, s, height, edges, n));
    out.n_triangle = 0;
    for (int64_t t = 0; t < s->n_triangle; t++) {
        const int32_t *c = s->triangle + 3 * t;
        int cuts = 0;
        for (int k = 0; k < 3; k++)
            cuts += is_cut(height, marked, c[k], c[(k + 1) % 3]);
        if (cuts == 2)
            add_inner(&out, c, height, edges, n);
        else
            add_triangle(&out, c[0], c[1], c[2]);
    }
    surface_free(s);
    *s = out;
    memset(&out, 0, sizeof out);
cleanup:
    free(edges);
    surface_free(&out);
    return rc;
}

int surface_cut_pieces(const surface *s, int32_t *piece, int32_t *n_piece) {
    int32_t *parent = malloc((size_t)(s->n_point + 1) * sizeof *parent);
    *n_piece = 0;
    if (!parent)
        return fail_memory("the pieces of a surface", 4.0 * (double)s->n_point);
    for (int64_t p = 0; p < s->n_point; p++)
        parent[p] = (int32_t)p;
    for (int64_t t = 0; t < s->n_triangle; t++)
        for (int k = 1; k < 3; k++)
            union_find_join(parent, s->triangle[3 * t], s->triangle[3 * t + k]);
    for (int64_t t = 0; t < s->n_triangle; t++)
        piece[t] = union_find_root(parent, s->triangle[3 * t]);
    for (int64_t p = 0; p < s->n_point; p++)
        parent[p] = -1;
    for (int64_t t = 0; t < s->n_triangle; t++) {
        int32_t *number = &parent[piece[t]];
        if (*number < 0)
            *number = (*n_piece)++;
        piece[t] = *number;
    }
    free(parent);
    return OK;
}

int surface_cut_keep(surface *s, const bool *keep) {
    surface out = {0};
    int64_t n_point = 0, n_triangle = 0;
    int32_t *number = malloc((size_t)(s->n_point + 1) * sizeof *number);
    if (!number)
        return fail_memory("a part of a surface", 4.0 * (double)s->n_point);
    memset(number, 0xff, (size_t)s->n_point * sizeof *number);
    for (int64_t t = 0; t < s->n_triangle; t++) {
        n_triangle += keep[t];
        for (int k = 0; keep[t] && k < 3; k++)
            number[s->triangle[3 * t + k]] = 0;
    }
    for (int64_t p = 0; p < s->n_point; p++)
        number[p] = number[p] == 0 ? (int32_t)n_point++ : -1;
    const int rc = surface_create(&out, n_point, n_triangle);
    if (rc == OK) {
        int64_t at = 0;
        for (int64_t p = 0; p < s->n_point; p++)
            if (number[p] >= 0)
                memcpy(out.point_mm + 3 * (size_t)number[p], s->point_mm + 3 * p, 3 * sizeof *s->point_mm);
        for (int64_t t = 0; t < s->n_triangle; t++)
            for (int k = 0; keep[t] && k < 3; k++)
                out.triangle[at++] = number[s->triangle[3 * t + k]];
        surface_free(s);
        *s = out;
    }
    free(number);
    return rc;
}
