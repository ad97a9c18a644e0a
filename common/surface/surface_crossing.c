/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface_crossing.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface/surface_pieces.h"
#include "common/surface/surface_tree.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* N_RAY: rays per winding number, decided by majority; PLACES: sample points of an intersecting triangle */
enum { N_RAY = 3, PLACES = 4 };

static const double ray[N_RAY][3] = {
    {0.5411961, 0.3826834, 0.7487573}, {-0.6532815, 0.6010173, 0.4604881}, {0.2705981, -0.8164966, 0.5100245}};

typedef struct {
    double area_mm2, largest_mm2;
    int64_t largest; /* largest triangle of the part */
} part;

typedef struct {
    const surface *s;
    surface_tree tree;
    bool *crossed; /* [n_triangle] true: another triangle intersects it */
    surface_crossing *found;
    double worst_mm2; /* area of the part on which found->place_mm lies */
} crossing;

static const double *corner_of(const surface *s, int64_t t, int k) {
    return s->point_mm + 3 * (size_t)s->triangle[3 * t + k];
}

/* Intersection of the line p + x d with triangle t: x, NAN: none; *sign: 1 if d points along the normal, else -1. */
static double line_through(const surface *s, int64_t t, const double p[3], const double d[3], int *sign) {
    double uv[2];
    const double x = surface_line_meets(s, t, p, d, uv, sign);
    return !isnan(x) && uv[0] >= 0 && uv[1] >= 0 && uv[0] + uv[1] <= 1 ? x : NAN;
}

/* True if an edge of triangle a intersects triangle b. */
static bool edge_through(const surface *s, int64_t a, int64_t b) {
    for (int k = 0; k < 3; k++) {
        double d[3];
        int sign;
        vec_add(corner_of(s, a, (k + 1) % 3), -1, corner_of(s, a, k), d);
        const double x = line_through(s, b, corner_of(s, a, k), d, &sign);
        if (x > 0 && x < 1)
            return true;
    }
    return false;
}

static bool share_point(const surface *s, int64_t a, int64_t b) {
    for (int k = 0; k < 9; k++)
        if (s->triangle[3 * a + k / 3] == s->triangle[3 * b + k % 3])
            return true;
    return false;
}

/* Finds the intersecting pairs of triangle t and later triangles. */
static void find_pairs(crossing *w, int64_t t) {
    int32_t stack[SURFACE_TREE_DEPTH];
    double low[3], high[3];
    int n = 0;
    for (int a = 0; a < 3; a++) {
        const double x = corner_of(w->s, t, 0)[a], y = corner_of(w->s, t, 1)[a], z = corner_of(w->s, t, 2)[a];
        low[a] = fmin(x, fmin(y, z));
        high[a] = fmax(x, fmax(y, z));
    }
    stack[n++] = 0;
    while (n > 0) {
        const surface_node *node = &w->tree.node[stack[--n]];
        bool apart = false;
        for (int a = 0; a < 3; a++)
            apart = apart || (double)node->low[a] > high[a] || (double)node->high[a] < low[a];
        if (apart)
            continue;
        for (int32_t k = 0; k < node->n; k++) {
            const int64_t other = w->tree.triangle[node->child + k];
            if (other <= t || share_point(w->s, t, other) ||
                !(edge_through(w->s, t, other) || edge_through(w->s, other, t)))
                continue;
            w->crossed[t] = w->crossed[other] = true;
            w->found->n_pair++;
        }
        if (node->n == 0) {
            stack[n++] = node->child;
            stack[n++] = node->child + 1;
        }
    }
}

/* True if the ray from p along d intersects the box of a node. */
static bool ray_meets_box(const surface_node *node, const double p[3], const double d[3]) {
    double from = 0, to = INFINITY;
    for (int a = 0; a < 3; a++) {
        const double x = ((double)node->low[a] - p[a]) / d[a], y = ((double)node->high[a] - p[a]) / d[a];
        from = fmax(from, fmin(x, y));
        to = fmin(to, fmax(x, y));
    }
    return from <= to * (1 + 1e-12);
}

/* Winding number of the surface without triangle `own` around a point of this triangle, counted along one ray. */
static int winding_along(const crossing *w, int64_t own, const double p[3], const double d[3]) {
    int32_t stack[SURFACE_TREE_DEPTH];
    int n = 0, sum = 0;
    stack[n++] = 0;
    while (n > 0) {
        const surface_node *node = &w->tree.node[stack[--n]];
        if (!ray_meets_box(node, p, d))
            continue;
        for (int32_t k = 0; k < node->n; k++) {
            const int64_t t = w->tree.triangle[node->child + k];
            int sign = 0;
            if (t != own && line_through(w->s, t, p, d, &sign) > 0)
                sum += sign;
        }
        if (node->n == 0) {
            stack[n++] = node->child;
            stack[n++] = node->child + 1;
        }
    }
    return sum;
}

/* Tests whether a point of triangle t is on a wall of the lumen, by a majority of rays. The point represents area_mm2
 * of the surface: a quarter of an intersecting triangle, or a whole part. */
static void test_point(crossing *w, int64_t t, const double p[3], double area_mm2) {
    double normal[3];
    int right = 0;
    surface_triangle_mm2(w->s, t, normal);
    for (int k = 0; k < N_RAY; k++)
        right += winding_along(w, t, p, ray[k]) + (vec_dot(ray[k], normal) > 0) == 1;
    if (2 * right > N_RAY)
        return;
    w->found->wrong_mm2 += area_mm2;
    if (!(area_mm2 > w->worst_mm2))
        return;
    w->worst_mm2 = area_mm2;
    for (int a = 0; a < 3; a++)
        w->found->place_mm[a] = p[a];
}

/* Centroid of a quarter of triangle t: at corner k (0 to 2) or in the centre (3). */
static void place_on(const surface *s, int64_t t, int k, double p[3]) {
    for (int a = 0; a < 3; a++) {
        const double middle = (corner_of(s, t, 0)[a] + corner_of(s, t, 1)[a] + corner_of(s, t, 2)[a]) / 3;
        p[a] = k < 3 ? 0.5 * (middle + corner_of(s, t, k)[a]) : middle;
    }
}

/* Tests one point of each part into which the intersecting triangles cut the surface. */
static int test_parts(crossing *w) {
    const surface *s = w->s;
    surface rest = {s->n_point, 0, s->point_mm, malloc(3 * ((size_t)s->n_triangle + 1) * sizeof *rest.triangle)};
    part *parts = calloc((size_t)s->n_point + 1, sizeof *parts);
    surface_pieces of = {0};
    double p[3], normal[3];
    int rc;
    if (!rest.triangle || !parts)
        GIVE_UP(fail_memory("the parts of a surface", 24.0 * (double)s->n_point + 12.0 * (double)s->n_triangle));
    for (int64_t t = 0; t < s->n_triangle; t++)
        if (!w->crossed[t])
            memcpy(rest.triangle + 3 * rest.n_triangle++, s->triangle + 3 * t, 3 * sizeof *rest.triangle);
    TRY(surface_pieces_find(&rest, &of));
    for (int64_t t = 0; t < s->n_triangle; t++) {
        part *at = &parts[of.of[s->triangle[3 * t]]];
        const double area_mm2 = surface_triangle_mm2(s, t, normal);
        if (w->crossed[t])
            continue;
        at->area_mm2 += area_mm2;
        if (area_mm2 > at->largest_mm2) {
            at->largest_mm2 = area_mm2;
            at->largest = t;
        }
    }
    for (int32_t k = 0; k < of.n; k++) {
        const part *at = &parts[of.name[k]];
        if (!(at->area_mm2 > 0))
            continue;
        place_on(s, at->largest, 3, p);
        test_point(w, at->largest, p, at->area_mm2);
    }
cleanup:
    surface_pieces_free(&of);
    free(parts);
    free(rest.triangle);
    return rc;
}

int surface_crossing_find(const surface *s, surface_crossing *found) {
    crossing w = {.s = s, .found = found};
    double p[3], normal[3];
    int rc;
    *found = (surface_crossing){.place_mm = {NAN, NAN, NAN}};
    TRY(surface_tree_create(&w.tree, s));
    w.crossed = calloc((size_t)s->n_triangle + 1, sizeof *w.crossed);
    if (!w.crossed)
        GIVE_UP(fail_memory("the triangles of a surface", (double)s->n_triangle));
    for (int64_t t = 0; t < s->n_triangle; t++)
        find_pairs(&w, t);
    if (found->n_pair == 0)
        goto cleanup;
    TRY(test_parts(&w));
    for (int64_t t = 0; t < s->n_triangle; t++)
        for (int k = 0; k < PLACES && w.crossed[t]; k++) {
            place_on(s, t, k, p);
            test_point(&w, t, p, surface_triangle_mm2(s, t, normal) / PLACES);
        }
cleanup:
    surface_tree_free(&w.tree);
    free(w.crossed);
    return rc;
}
