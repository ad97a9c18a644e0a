/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_surface.h: closing the open ends of a surface. Does not use VTK. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface/surface_pieces.h"
#include "common/surface_vtk/vtk_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOPS_MAX = 200 }; /* Upper limit of the number of loops that are tested for a flat cap */

/* One edge of a triangle, in the direction of its orientation. */
typedef struct {
    int32_t from, to;
} edge;

static int edge_compare(const void *a, const void *b) {
    const edge *p = a, *q = b;
    const int32_t p_low = p->from < p->to ? p->from : p->to, p_high = p->from < p->to ? p->to : p->from;
    const int32_t q_low = q->from < q->to ? q->from : q->to, q_high = q->from < q->to ? q->to : q->from;
    if (p_low != q_low)
        return p_low < q_low ? -1 : 1;
    return p_high < q_high ? -1 : p_high > q_high;
}

static int from_compare(const void *a, const void *b) {
    const edge *p = a, *q = b;
    return p->from < q->from ? -1 : p->from > q->from;
}

/* Stores the edges that have exactly one triangle in `all`, sorted by `from`; returns their number. */
static int64_t open_edges(const surface *s, edge *all) {
    const int64_t n = 3 * s->n_triangle;
    for (int64_t t = 0; t < s->n_triangle; t++)
        for (int k = 0; k < 3; k++)
            all[3 * t + k] = (edge){s->triangle[3 * t + k], s->triangle[3 * t + (k + 1) % 3]};
    qsort(all, (size_t)n, sizeof(edge), edge_compare);
    int64_t kept = 0;
    for (int64_t i = 0; i < n;) {
        int64_t j = i + 1;
        while (j < n && edge_compare(&all[i], &all[j]) == 0)
            j++;
        if (j - i == 1)
            all[kept++] = all[i];
        i = j;
    }
    qsort(all, (size_t)kept, sizeof(edge), from_compare);
    return kept;
}

/* First unused open edge that starts at `point`, -1: none. */
static int64_t next_edge(const edge *open, const unsigned char *used, int64_t n, int32_t point) {
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (open[middle].from < point)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < n && open[low].from == point && used[low])
        low++;
    return low < n && open[low].from == point ? low : -1;
}

/* Finds the closed loops of open edges. loop[i]: index of the loop that contains edge i, -1: no closed loop. Returns
 * the number of loops. */
static int32_t trace_loops(const edge *open, int64_t n, unsigned char *used, int32_t *loop) {
    int32_t n_loop = 0;
    for (int64_t i = 0; i < n; i++)
        loop[i] = -1;
    for (int64_t start = 0; start < n; start++) {
        if (used[start])
            continue;
        int64_t at = start;
        bool closed = false;
        while (at >= 0) {
            used[at] = 1;
            loop[at] = n_loop;
            closed = open[at].to == open[start].from;
            at = closed ? -1 : next_edge(open, used, n, open[at].to);
        }
        if (closed)
            n_loop++;
        else
            for (int64_t i = 0; i < n; i++)
                loop[i] = loop[i] == n_loop ? -1 : loop[i];
    }
    return n_loop;
}

/* Measures each loop. middle [n_loop][3]: its centroid; area [n_loop][3]: its area vector; weight [n_loop]: its number
 * of edges. */
static void measure_loops(const surface *s, const edge *open, int64_t n, const int32_t *loop, int32_t n_loop,
                          double *middle, double *area, double *weight) {
    for (int64_t i = 0; i < n; i++)
        if (loop[i] >= 0) {
            weight[loop[i]]++;
            vec_add(middle + 3 * loop[i], 1, s->point_mm + 3 * (size_t)open[i].from, middle + 3 * loop[i]);
        }
    for (int64_t k = 0; k < 3 * (int64_t)n_loop; k++)
        middle[k] /= weight[k / 3];
    for (int64_t i = 0; i < n; i++)
        if (loop[i] >= 0) {
            double a[3], b[3], across[3];
            vec_add(s->point_mm + 3 * (size_t)open[i].from, -1, middle + 3 * loop[i], a);
            vec_add(s->point_mm + 3 * (size_t)open[i].to, -1, middle + 3 * loop[i], b);
            vec_cross(a, b, across);
            vec_add(area + 3 * loop[i], 0.5, across, area + 3 * loop[i]);
        }
}

/* True if the piece of the surface round loop k is a flat cap: all its points are in the plane of the loop. */
static bool is_flat_cap(const surface *s, const surface_pieces *pieces, const edge *open, const int32_t *loop,
                        int32_t k, const double *middle, const double *area) {
    const double flat = 0.05; /* largest distance of a point from the plane of the loop, in radii of the loop */
    const double *normal = area + 3 * (size_t)k, length = vec_length(normal);
    int64_t i = 0;
    while (loop[i] != k)
        i++;
    for (int64_t p = 0; p < s->n_point; p++) {
        double d[3];
        vec_add(s->point_mm + 3 * p, -1, middle + 3 * (size_t)k, d);
        if (pieces->of[p] == pieces->of[open[i].from] && fabs(vec_dot(d, normal)) > flat * sqrt(length / M_PI) * length)
            return false;
    }
    return true;
}

/* Refuses a surface with a loose cap: a flat disc that shares no points with the wall. */
static int refuse_loose_caps(const surface *s, const edge *open, const int32_t *loop, int32_t n_loop,
                             const double *middle, const double *area) {
    surface_pieces pieces;
    int rc = OK;
    TRY(surface_pieces_find(s, &pieces));
    for (int32_t k = 0; k < n_loop && k < LOOPS_MAX; k++)
        if (is_flat_cap(s, &pieces, open, loop, k, middle, area))
            GIVE_UP(
                fail(ERR_INPUT,
                     "the flat cap or disc near LPS %.1f, %.1f, %.1f mm is not joined to the wall: its points differ "
                     "from the wall's; join them in the program that made the surface, or remove it",
                     middle[3 * k], middle[3 * k + 1], middle[3 * k + 2]));
cleanup:
    surface_pieces_free(&pieces);
    return rc;
}

/* Refuses an open end that is a ring between two walls, one inside the other, because a fan cannot close it. A loop
 * bounds a ring if another loop lies in its plane. */
static int refuse_rings(int32_t n_loop, const double *middle, const double *area) {
    /* facing: smallest cosine between the area vectors of two loops in one plane; same_plane: largest distance between
     * their planes, as a fraction of the width of the ring */
    const double facing = 0.9, same_plane = 0.1;
    for (int32_t k = 0; k < n_loop; k++)
        for (int32_t m = 0; m < n_loop; m++) {
            const double *in = area + 3 * (size_t)k, *out = area + 3 * (size_t)m, *at = middle + 3 * (size_t)m;
            const double small = vec_length(in), large = vec_length(out), gap = sqrt(large / M_PI) - sqrt(small / M_PI);
            double way[3];
            vec_add(middle + 3 * (size_t)k, -1, at, way);
            if (gap > 0 && fabs(vec_dot(in, out)) > facing * small * large && vec_length(way) < gap &&
                fabs(vec_dot(way, out)) < same_plane * gap * large)
                return fail(ERR_INPUT,
                            "the open end of the surface near LPS %.1f, %.1f, %.1f mm is a ring between two walls "
                            "(outer and inner): this surface is a hollow wall; give its inner wall alone, or close the "
                            "ring in the program that made it",
                            at[0], at[1], at[2]);
        }
    return OK;
}

/* Adds one point at the centroid of each loop, and a triangle from it to every edge of the loop. */
static int fan_loops(surface *s, const edge *open, int64_t n, const int32_t *loop, int32_t n_loop, bool rings) {
    surface out = {0};
    int64_t n_new = 0, t = s->n_triangle;
    int rc;
    double *middle = calloc(7 * (size_t)n_loop, sizeof *middle);
    if (!middle)
        return fail_memory("closing a surface", 56.0 * n_loop);
    double *area = middle + 3 * (size_t)n_loop;
    for (int64_t i = 0; i < n; i++)
        n_new += loop[i] >= 0;
    measure_loops(s, open, n, loop, n_loop, middle, area, area + 3 * (size_t)n_loop);
    if (!rings) {
        TRY(refuse_loose_caps(s, open, loop, n_loop, middle, area));
        TRY(refuse_rings(n_loop, middle, area));
    }
    TRY(surface_create(&out, s->n_point + n_loop, s->n_triangle + n_new));
    memcpy(out.point_mm, s->point_mm, 3 * sizeof(double) * (size_t)s->n_point);
    memcpy(out.point_mm + 3 * s->n_point, middle, 3 * sizeof(double) * (size_t)n_loop);
    memcpy(out.triangle, s->triangle, 3 * sizeof(int32_t) * (size_t)s->n_triangle);
    for (int64_t i = 0; i < n; i++)
        if (loop[i] >= 0) {
            const int32_t corner[3] = {open[i].to, open[i].from, (int32_t)(s->n_point + loop[i])};
            memcpy(out.triangle + 3 * t++, corner, sizeof corner);
        }
    surface_free(s);
    *s = out;
cleanup:
    free(middle);
    return rc;
}

int surface_fill_holes(surface *s, bool rings, int *n_filled) {
    int rc = OK;
    *n_filled = 0;
    if (s->n_triangle == 0)
        return OK;
    edge *open = malloc(3 * sizeof(edge) * (size_t)s->n_triangle);
    int32_t *loop = NULL;
    unsigned char *used = NULL;
    if (!open)
        return fail_memory("closing a surface", 24.0 * (double)s->n_triangle);
    const int64_t n = open_edges(s, open);
    if (n == 0)
        goto cleanup;
    loop = malloc(sizeof(int32_t) * (size_t)n);
    used = calloc((size_t)n, 1);
    if (!loop || !used) {
        rc = fail_memory("closing a surface", 5.0 * (double)n);
        goto cleanup;
    }
    const int32_t n_loop = trace_loops(open, n, used, loop);
    if (n_loop > 0)
        TRY(fan_loops(s, open, n, loop, n_loop, rings));
    *n_filled = n_loop;
cleanup:
    free(open);
    free(loop);
    free(used);
    return rc;
}
