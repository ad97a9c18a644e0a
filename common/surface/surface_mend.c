/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface_mend.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A triangle is flat if its height is below flat_part times its longest edge. A point is on an edge if its distance is
 * below on_edge_part times the edge. `rounding` times the largest coordinate is tolerated, too (single precision). */
static const double flat_part = 1e-4, on_edge_part = 1e-3, rounding = 1e-6;
/* Above this fraction of open edges, the triangles of the file do not share corners */
static const double unjoined = 0.1;

typedef struct {
    int32_t low, high;
    int64_t side; /* edge k of triangle t, as 3 t + k */
} mend_edge;

typedef struct {
    double along; /* coordinate along the longest axis of the edge */
    int32_t point;
} mend_point;

static int compare_edges(const void *a, const void *b) {
    const mend_edge *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static int compare_points(const void *a, const void *b) {
    const mend_point *x = a, *y = b;
    if (x->along != y->along)
        return x->along < y->along ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static const double *corner(const surface *s, int64_t side) {
    return s->point_mm + 3 * (int64_t)s->triangle[side];
}

static int64_t next_side(int64_t side) {
    return side % 3 == 2 ? side - 2 : side + 1;
}

/* All edges, sorted by their points. The caller frees the list; NULL: no memory. */
static mend_edge *list_edges(const surface *s) {
    const int64_t n = 3 * s->n_triangle;
    mend_edge *all = malloc((size_t)(n + 1) * sizeof *all);
    for (int64_t i = 0; all && i < n; i++) {
        const int32_t a = s->triangle[i], b = s->triangle[next_side(i)];
        all[i] = (mend_edge){a < b ? a : b, a < b ? b : a, i};
    }
    if (all)
        qsort(all, (size_t)n, sizeof *all, compare_edges);
    return all;
}

static int64_t count_equal(const mend_edge *all, int64_t from, int64_t n) {
    int64_t to = from + 1;
    while (to < n && all[to].low == all[from].low && all[to].high == all[from].high)
        to++;
    return to - from;
}

static double largest_coordinate(const surface *s) {
    double largest = 0;
    for (int64_t i = 0; i < 3 * s->n_point; i++)
        largest = fmax(largest, fabs(s->point_mm[i]));
    return largest;
}

/* True if the three corners of triangle t are on one line. */
static bool is_flat(const surface *s, int64_t t, double rounding_mm) {
    double longest = 0, normal[3];
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, vec_distance(corner(s, 3 * t + k), corner(s, next_side(3 * t + k))));
    return 2 * surface_triangle_mm2(s, t, normal) <= longest * (rounding_mm + flat_part * longest);
}

/* Removes flat triangles in which two or three edges have an odd number of triangles. *removed: number of removed
 * triangles. */
static int remove_flat(surface *s, double rounding_mm, int64_t *removed) {
    const int64_t n = 3 * s->n_triangle;
    mend_edge *all = list_edges(s);
    /* [n] first edge in `all` with the same two points */
    int64_t *first = malloc((size_t)(n + 1) * sizeof *first), kept = 0;
    unsigned char *odd = calloc((size_t)n + 1, 1);
    int rc = OK;
    *removed = 0;
    if (!all || !first || !odd)
        GIVE_UP(fail_memory("mending a surface", 33.0 * (double)n));
    for (int64_t i = 0, count; i < n; i += count) {
        count = count_equal(all, i, n);
        odd[i] = count % 2;
        for (int64_t k = i; k < i + count; k++)
            first[all[k].side] = i;
    }
    for (int64_t t = 0; t < s->n_triangle; t++) {
        unsigned char *of[3] = {&odd[first[3 * t]], &odd[first[3 * t + 1]], &odd[first[3 * t + 2]]};
        if (*of[0] + *of[1] + *of[2] < 2 || !is_flat(s, t, rounding_mm)) {
            memmove(s->triangle + 3 * kept++, s->triangle + 3 * t, 3 * sizeof *s->triangle);
            continue;
        }
        ++*removed;
        for (int k = 0; k < 3; k++)
            *of[k] ^= 1;
    }
    s->n_triangle = kept;
cleanup:
    free(all);
    free(first);
    free(odd);
    return rc;
}

/* Keeps the open edges at the front of `all`; returns their number. */
static int64_t keep_open(mend_edge *all, int64_t n) {
    int64_t kept = 0;
    for (int64_t i = 0, count; i < n; i += count) {
        count = count_equal(all, i, n);
        if (count == 1)
            all[kept++] = all[i];
    }
    return kept;
}

/* The point that lies on the open edge `side`, nearest to the start of the edge; -1: none. points [n]: sorted by
 * coordinate `axis`. */
static int32_t point_on_edge(const surface *s, int64_t side, int axis, const mend_point *points, int64_t n,
                             double rounding_mm) {
    const double *a = corner(s, side), *b = corner(s, next_side(side)), length = vec_distance(a, b);
    const double apart = fmax(rounding_mm, on_edge_part * length), first = fmin(a[axis], b[axis]) - apart;
    double way[3], nearest = length - apart;
    int64_t low = 0, high = n;
    int32_t found = -1;
    vec_add(b, -1, a, way);
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (points[middle].along < first)
            low = middle + 1;
        else
            high = middle;
    }
    for (int64_t i = low; i < n && points[i].along <= fmax(a[axis], b[axis]) + apart; i++) {
        double d[3], off[3];
        vec_add(s->point_mm + 3 * (int64_t)points[i].point, -1, a, d);
        const double along = vec_dot(d, way) / length;
        vec_add(d, -along / length, way, off);
        if (along > apart && along < nearest && vec_length(off) <= apart) {
            nearest = along;
            found = points[i].point;
        }
    }
    return found;
}

/* Splits each triangle that has a point on an open edge, at one such edge. all [n]: the open edges. *split: number of
 * splits. */
static int split_once(surface *s, const mend_edge *all, int64_t n, double rounding_mm, int64_t *split) {
    double low[3], high[3];
    mend_point *points = malloc((size_t)(2 * n + 1) * sizeof *points);
    int32_t *at = malloc((size_t)(n + 1) * sizeof *at), *more = NULL;
    unsigned char *taken = calloc((size_t)s->n_triangle + 1, 1);
    int axis = 0, rc = OK;
    *split = 0;
    if (!points || !at || !taken)
        GIVE_UP(fail_memory("mending a surface", 36.0 * (double)n));
    surface_bounds(s, low, high);
    for (int a = 1; a < 3; a++)
        axis = high[a] - low[a] > high[axis] - low[axis] ? a : axis;
    for (int64_t i = 0; i < 2 * n; i++) {
        const int32_t p = i % 2 ? all[i / 2].high : all[i / 2].low;
        points[i] = (mend_point){s->point_mm[3 * (int64_t)p + axis], p};
    }
    qsort(points, (size_t)(2 * n), sizeof *points, compare_points);
    for (int64_t i = 0; i < n; i++) {
        const int64_t t = all[i].side / 3;
        at[i] = taken[t] ? -1 : point_on_edge(s, all[i].side, axis, points, 2 * n, rounding_mm);
        taken[t] |= at[i] >= 0;
        *split += at[i] >= 0;
    }
    more = realloc(s->triangle, 3 * (size_t)(s->n_triangle + *split + 1) * sizeof *more);
    if (!more)
        GIVE_UP(fail_memory("mending a surface", 12.0 * (double)(s->n_triangle + *split)));
    s->triangle = more;
    for (int64_t i = 0; i < n; i++) {
        const int64_t side = all[i].side, next = next_side(side);
        if (at[i] < 0)
            continue;
        memcpy(more + 3 * s->n_triangle++, (int32_t[]){at[i], more[next], more[next_side(next)]}, 3 * sizeof *more);
        more[next] = at[i];
    }
cleanup:
    free(points);
    free(at);
    free(taken);
    return rc;
}

/* Splits open edges until no point lies on an open edge. Stops early if the fraction of open edges exceeds `unjoined`,
 * or if the number of triangles has tripled. All splits are undone if the number of open edges has not fallen. */
static int split_edges(surface *s, double rounding_mm) {
    const int64_t before = s->n_triangle;
    int32_t *keep = malloc(3 * (size_t)(before + 1) * sizeof *keep);
    mend_edge *all = NULL;
    int64_t split = 1, open = 0, first = -1;
    int rc = OK;
    if (!keep)
        return fail_memory("mending a surface", 12.0 * (double)before);
    memcpy(keep, s->triangle, 3 * (size_t)before * sizeof *keep);
    while (split > 0) { /* the loop ends, because each split shortens an edge and no edge is shorter than the
                         * tolerance */
        free(all);
        all = list_edges(s);
        if (!all)
            GIVE_UP(fail_memory("mending a surface", 48.0 * (double)s->n_triangle));
        open = keep_open(all, 3 * s->n_triangle);
        first = first < 0 ? open : first;
        if (open == 0 || (double)open > unjoined * 3 * (double)s->n_triangle || s->n_triangle > 3 * before)
            break;
        TRY(split_once(s, all, open, rounding_mm, &split));
    }
    if (open >= first && s->n_triangle > before) {
        memcpy(s->triangle, keep, 3 * (size_t)before * sizeof *keep);
        s->n_triangle = before;
    }
cleanup:
    free(all);
    free(keep);
    return rc;
}

int surface_mend(surface *s) {
    const double rounding_mm = rounding * largest_coordinate(s);
    int64_t removed = 1;
    int rc = OK;
    while (rc == OK && removed > 0)
        rc = remove_flat(s, rounding_mm, &removed);
    return rc == OK ? split_edges(s, rounding_mm) : rc;
}
