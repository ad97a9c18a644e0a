/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double surface_units_mm[] = {1, 10, 1000, 25.4, 1e-3};

int surface_create(surface *s, int64_t n_point, int64_t n_triangle) {
    memset(s, 0, sizeof *s);
    if (n_point < 0 || n_triangle < 0 || n_point > INT32_MAX || n_triangle > 2 * (int64_t)INT32_MAX)
        return fail(
            ERR_INPUT,
            "a surface with %lld points and %lld triangles is too large, 2^31 - 1 points and 2^32 - 2 triangles are "
            "allowed; decimate it",
            (long long)n_point, (long long)n_triangle);
    s->point_mm = calloc((size_t)n_point + 1, 3 * sizeof *s->point_mm);
    s->triangle = calloc((size_t)n_triangle + 1, 3 * sizeof *s->triangle);
    if (!s->point_mm || !s->triangle) {
        surface_free(s);
        return fail_memory("a surface", 24.0 * (double)n_point + 12.0 * (double)n_triangle);
    }
    s->n_point = n_point;
    s->n_triangle = n_triangle;
    return OK;
}

void surface_free(surface *s) {
    free(s->point_mm);
    free(s->triangle);
    memset(s, 0, sizeof *s);
}

static const double *corner_of(const surface *s, int64_t t, int k) {
    return s->point_mm + 3 * (int64_t)s->triangle[3 * t + k];
}

double surface_triangle_mm2(const surface *s, int64_t t, double normal[3]) {
    double u[3], v[3];
    vec_add(corner_of(s, t, 1), -1, corner_of(s, t, 0), u);
    vec_add(corner_of(s, t, 2), -1, corner_of(s, t, 0), v);
    vec_cross(u, v, normal);
    return vec_length(normal) / 2;
}

double surface_line_meets(const surface *s, int64_t t, const double p[3], const double d[3], double uv[2], int *sign) {
    double u[3], v[3], w[3], n[3], m[3];
    vec_add(corner_of(s, t, 1), -1, corner_of(s, t, 0), u);
    vec_add(corner_of(s, t, 2), -1, corner_of(s, t, 0), v);
    vec_add(p, -1, corner_of(s, t, 0), w);
    vec_cross(d, v, n);
    const double determinant = vec_dot(u, n);
    if (!(fabs(determinant) > 0))
        return NAN;
    vec_cross(w, u, m);
    uv[0] = vec_dot(w, n) / determinant;
    uv[1] = vec_dot(d, m) / determinant;
    *sign = determinant > 0 ? -1 : 1;
    return vec_dot(v, m) / determinant;
}

double surface_area_mm2(const surface *s) {
    double sum = 0, n[3];
    for (int64_t t = 0; t < s->n_triangle; t++)
        sum += surface_triangle_mm2(s, t, n);
    return sum;
}

/* Divergence theorem: sum of a . ((b - a) x (c - a)) / 6, relative to a point of the surface to limit rounding. */
double surface_volume_mm3(const surface *s) {
    if (s->n_point == 0)
        return 0;
    const double *origin = s->point_mm;
    double sum = 0, n[3];
    for (int64_t t = 0; t < s->n_triangle; t++) {
        surface_triangle_mm2(s, t, n);
        for (int a = 0; a < 3; a++)
            sum += (corner_of(s, t, 0)[a] - origin[a]) * n[a] / 6;
    }
    return sum;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int64_t surface_open_edges(const surface *s) {
    size_t n = 3 * (size_t)s->n_triangle;
    uint64_t *key = malloc((n + 1) * sizeof *key);
    if (!key) {
        fail_memory("the edges of a surface", (double)n * sizeof *key);
        return -1;
    }
    for (size_t e = 0; e < n; e++) {
        uint32_t a = (uint32_t)s->triangle[e], b = (uint32_t)s->triangle[e % 3 == 2 ? e - 2 : e + 1];
        key[e] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    }
    qsort(key, n, sizeof *key, compare_keys);
    int64_t open = 0;
    for (size_t e = 0; e < n;) {
        size_t next = e + 1;
        while (next < n && key[next] == key[e])
            next++;
        open += next == e + 1;
        e = next;
    }
    free(key);
    return open;
}

void surface_bounds(const surface *s, double low_mm[3], double high_mm[3]) {
    for (int a = 0; a < 3; a++) {
        low_mm[a] = INFINITY;
        high_mm[a] = -INFINITY;
        for (int64_t p = 0; p < s->n_point; p++) {
            low_mm[a] = fmin(low_mm[a], s->point_mm[3 * p + a]);
            high_mm[a] = fmax(high_mm[a], s->point_mm[3 * p + a]);
        }
    }
}

int surface_stated_frame(const char *path, int ras, int lps) {
    char head[1025] = "";
    FILE *f = file_is_regular(path) ? fopen(path, "rb") : NULL;
    if (f == NULL)
        return -1;
    const size_t n = fread(head, 1, sizeof head - 1, f);
    fclose(f);
    for (size_t k = 0; k < n; k++) /* zeros in the header of a binary STL would end the text */
        head[k] = head[k] == 0 ? ' ' : head[k];
    return strstr(head, "SPACE=RAS") ? ras : strstr(head, "SPACE=LPS") ? lps : -1;
}
