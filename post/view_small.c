/* See view_small.h. */
#include "post/view_small.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 20000 };

/* Where the points of the small wall lie on the whole one. */
typedef struct {
    int64_t *triangle;
    double *weight, *distance_mm;
} places;

static int find(const surface *s, size_t n, const double *point_mm, places *p) {
    p->triangle = malloc((n + 1) * sizeof *p->triangle);
    p->weight = malloc((4 * n + 1) * sizeof *p->weight);
    if (!p->triangle || !p->weight)
        return fail_memory("the view", 40.0 * (double)n);
    p->distance_mm = p->weight + 3 * n;
    return surface_closest(s, n, point_mm, p->triangle, p->weight, p->distance_mm);
}

static void places_free(places *p) {
    free(p->triangle);
    free(p->weight);
}

/* Linear in the triangle; where one of its corners has no value, that of the nearest corner. */
static double value_at(const surface *s, const places *p, size_t k, const double *value) {
    const int32_t *corner = s->triangle + 3 * p->triangle[k];
    const double *w = p->weight + 3 * k;
    const double x = w[0] * value[corner[0]] + w[1] * value[corner[1]] + w[2] * value[corner[2]];
    const int nearest = w[0] >= w[1] && w[0] >= w[2] ? 0 : w[1] >= w[2] ? 1 : 2;
    return isfinite(x) ? x : value[corner[nearest]];
}

static int take_values(const view_wall *shown, const places *p, view_small *small) {
    const size_t n = (size_t)small->shape.n_point;
    int total = 0, next = 0;
    for (int k = 0; k < shown->n_array; k++)
        total += shown->array[k].n;
    small->value = calloc((size_t)total + 1, sizeof *small->value);
    if (!small->value)
        return fail_memory("the view", 8.0 * total);
    for (int k = 0; k < shown->n_array; k++) {
        const view_array *a = &shown->array[k];
        small->array[k] = *a;
        small->array[k].value = (const double *const *)(small->value + next);
        for (int i = 0; i < a->n; i++, next++) {
            small->value[next] = malloc((n + 1) * sizeof(double));
            if (!small->value[next])
                return fail_memory("the view", 8.0 * (double)n);
            small->n_value = next + 1;
            for (size_t j = 0; j < n; j++)
                small->value[next][j] = value_at(shown->shape, p, j, a->value[i]);
        }
    }
    return OK;
}

/* How far points of the whole wall lie from the small one, at most. */
static int measure(const surface *whole, const surface *small, double *off_mm) {
    const size_t every = (size_t)whole->n_point / SAMPLES + 1, n = ((size_t)whole->n_point + every - 1) / every;
    double *point = malloc((3 * n + 1) * sizeof *point);
    places p = {0};
    int rc = point ? OK : fail_memory("the view", 24.0 * (double)n);
    for (size_t k = 0; rc == OK && k < n; k++)
        memcpy(point + 3 * k, whole->point_mm + 3 * every * k, 3 * sizeof *point);
    if (rc == OK)
        rc = find(small, n, point, &p);
    *off_mm = 0;
    for (size_t k = 0; rc == OK && k < n; k++)
        *off_mm = fmax(*off_mm, p.distance_mm[k]);
    places_free(&p);
    free(point);
    return rc;
}

int view_small_make(view_wall *shown, int64_t most, view_small *small) {
    places p = {0};
    int rc = OK;
    if (shown->shape->n_triangle <= most)
        return OK;
    TRY(surface_simplify(shown->shape, most, &small->shape));
    TRY(find(shown->shape, (size_t)small->shape.n_point, small->shape.point_mm, &p));
    TRY(take_values(shown, &p, small));
    TRY(measure(shown->shape, &small->shape, &shown->off_mm));
    shown->n_triangle_whole = shown->shape->n_triangle;
    shown->shape = &small->shape;
    shown->array = small->array;
cleanup:
    places_free(&p);
    return rc;
}

void view_small_free(view_small *small) {
    for (int k = 0; k < small->n_value; k++)
        free(small->value[k]);
    free(small->value);
    surface_free(&small->shape);
}
