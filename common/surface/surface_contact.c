/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface_contact.h"
#include "common/base/status.h"
#include "common/base/union_find.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct {
    uint64_t points; /* indices of both points, the lower one first */
    int64_t triangle;
} contact_edge;

static int compare_edges(const void *a, const void *b) {
    const contact_edge *x = a, *y = b;
    if (x->points != y->points)
        return x->points < y->points ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static void middle_of(const surface *s, uint64_t points, double at[3]) {
    for (int a = 0; a < 3; a++)
        at[a] = 0.5 *
                (s->point_mm[3 * (points >> 32) + (uint64_t)a] + s->point_mm[3 * (points & UINT32_MAX) + (uint64_t)a]);
}

/* Counts the edges with one triangle and with three, five, .. triangles. Joins triangles that share an edge of two
 * triangles to parts. */
static void count_edges(const surface *s, const contact_edge *e, size_t n, int32_t *part, surface_contact *found) {
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && e[j].points == e[i].points; j++)
            ;
        if (j - i == 1 && found->open++ == 0)
            middle_of(s, e[i].points, found->open_mm);
        if (j - i > 1 && (j - i) % 2 == 1 && found->crowded++ == 0)
            middle_of(s, e[i].points, found->crowded_mm);
        if (j - i == 2)
            union_find_join(part, (int32_t)e[i].triangle, (int32_t)e[i + 1].triangle);
    }
}

/* Finds points with triangles of two parts. volume [n_triangle]: volume of each part. point [n_point]: work space, all
 * -1 on entry; then the first part at the point, or -2 - part once the point is counted. */
static void find_touching(const surface *s, int32_t *part, int32_t *point, const double *volume,
                          surface_contact *found) {
    for (int64_t i = 0; i < 3 * s->n_triangle; i++) {
        const int32_t p = s->triangle[i], own = union_find_root(part, (int32_t)(i / 3));
        if (point[p] == -1)
            point[p] = own;
        const bool counted = point[p] < 0;
        const int32_t first = counted ? -2 - point[p] : point[p];
        if (first == own)
            continue;
        point[p] = -2 - first;
        found->touching += !counted;
        const double small = fmin(fabs(volume[own]), fabs(volume[first]));
        if (!isfinite(found->touching_mm[0]) || small > found->small_mm3) {
            found->small_mm3 = small;
            for (int a = 0; a < 3; a++)
                found->touching_mm[a] = s->point_mm[3 * (int64_t)p + a];
        }
    }
}

int surface_contact_find(const surface *s, surface_contact *found) {
    const size_t n = 3 * (size_t)s->n_triangle;
    contact_edge *e = malloc((n + 1) * sizeof *e);
    int32_t *part = malloc((n + 1) * sizeof *part), *point = malloc(((size_t)s->n_point + 1) * sizeof *point);
    double *volume = calloc(n + 1, sizeof *volume), normal[3];
    int rc = OK;
    *found =
        (surface_contact){.open_mm = {NAN, NAN, NAN}, .crowded_mm = {NAN, NAN, NAN}, .touching_mm = {NAN, NAN, NAN}};
    if (!e || !part || !point || !volume)
        GIVE_UP(fail_memory("the edges of a surface", 28.0 * (double)n));
    for (size_t i = 0; i < n; i++) {
        const uint32_t a = (uint32_t)s->triangle[i], b = (uint32_t)s->triangle[i % 3 == 2 ? i - 2 : i + 1];
        e[i] = (contact_edge){a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, (int64_t)(i / 3)};
    }
    qsort(e, n, sizeof *e, compare_edges);
    for (int64_t t = 0; t < s->n_triangle; t++)
        part[t] = (int32_t)t;
    for (int64_t p = 0; p < s->n_point; p++)
        point[p] = -1;
    count_edges(s, e, n, part, found);
    for (int64_t t = 0; t < s->n_triangle; t++) {
        double d[3];
        vec_add(s->point_mm + 3 * (int64_t)s->triangle[3 * t], -1, s->point_mm, d);
        surface_triangle_mm2(s, t, normal);
        volume[union_find_root(part, (int32_t)t)] += vec_dot(d, normal) / 6;
    }
    find_touching(s, part, point, volume, found);
cleanup:
    free(e);
    free(part);
    free(point);
    free(volume);
    return rc;
}
