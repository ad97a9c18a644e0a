/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "post/stage/work.h"
#include "post/report/view_page.h"
#include "post/stage/view_values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 160, ARRAYS = VIEW_ARRAYS, TRIANGLES = 200000, SAMPLES = 20000 };

typedef struct {
    int n;
    view_array array[ARRAYS];
    const double *one[ARRAYS]; /* values of each quantity that is shown without instants */
    const double **instant;    /* [shown.n] values at each instant */
    double *time_s;
} chosen;

/* Adds a quantity. from_zero true: its colours range from 0 to a round number at or above the 99th percentile. false:
 * they range over all values. */
static int add_quantity(chosen *c, const post_work *p, const char *name, const char *title, const char *unit,
                        bool from_zero, const double *value) {
    wall_statistics stats;
    double low = INFINITY, high = -INFINITY;
    view_array *a = &c->array[c->n];
    const int rc = wall_measure(&p->w, value, &stats);
    for (int64_t k = 0; k < p->w.shape.n_point; k++)
        if (isfinite(value[k])) {
            low = fmin(low, value[k]);
            high = fmax(high, value[k]);
        }
    c->one[c->n] = value;
    *a = (view_array){.name = name, .title = title, .unit = unit, .n = 1, .value = &c->one[c->n]};
    if (from_zero && isfinite(stats.p99))
        picture_range(0, fmax(stats.p99, 1e-9), &a->low, &a->high, &a->intervals);
    else
        picture_range(low, high, &a->low, &a->high, &a->intervals);
    a->above = high > a->high * (1 + 1e-9);
    if (strcmp(name, "pressure") == 0)
        a->off = readouts_off_pressure(&p->r);
    else if (strcmp(unit, "Pa") == 0)
        a->off_part = readouts_off_wss(&p->r);
    c->n++;
    return rc;
}

static int choose_quantities(const post_work *p, chosen *c) {
    int rc;
    if (p->tawss) {
        TRY(add_quantity(c, p, "tawss", "TAWSS", "Pa", true, p->tawss));
        TRY(add_quantity(c, p, "osi", "Oscillatory shear index", "1", true, p->osi));
    } else
        TRY(add_quantity(c, p, "wss", "Wall shear stress", "Pa", true, p->wss_magnitude));
    TRY(add_quantity(c, p, "pressure", "Pressure", "Pa", false, p->pressure));
    if (p->shown.n > 0) {
        c->instant = calloc((size_t)p->shown.n, sizeof *c->instant);
        c->time_s = calloc((size_t)p->shown.n, sizeof *c->time_s);
        if (!c->instant || !c->time_s)
            GIVE_UP(fail_memory("the view", 16.0 * p->shown.n));
        for (int k = 0; k < p->shown.n; k++) {
            c->instant[k] = p->shown.one[k].shear;
            c->time_s[k] = p->shown.one[k].time_s;
        }
        TRY(add_quantity(c, p, "wss", "Wall shear stress at the instants", "Pa", true, p->shown.one[0].shear));
        view_array *a = &c->array[c->n - 1];
        a->n = p->shown.n;
        a->value = c->instant;
        a->time_s = c->time_s;
        for (int k = 1; k < p->shown.n; k++) { /* all instants get the same scale */
            chosen other = {0};
            TRY(add_quantity(&other, p, "wss", "", "Pa", true, p->shown.one[k].shear));
            if (other.array[0].high > a->high) {
                a->high = other.array[0].high;
                a->intervals = other.array[0].intervals;
            }
        }
    }
cleanup:
    return rc;
}

/* Nearest position on the whole wall for each point of the reduced wall */
typedef struct {
    int64_t *triangle;
    double *weight, *distance_mm;
} places;

static int find_places(const surface *s, size_t n, const double *point_mm, places *p) {
    p->triangle = malloc((n + 1) * sizeof *p->triangle);
    p->weight = malloc((4 * n + 1) * sizeof *p->weight);
    if (!p->triangle || !p->weight)
        return fail_memory("the view", 40.0 * (double)n);
    p->distance_mm = p->weight + 3 * n;
    return surface_closest_points(s, n, point_mm, p->triangle, p->weight, p->distance_mm);
}

static void places_free(places *p) {
    free(p->triangle);
    free(p->weight);
}

/* Value at point k, interpolated linearly in its triangle. If a corner of the triangle has no value: the value of the
 * nearest corner. */
static double value_at(const surface *s, const places *p, size_t k, const double *value) {
    const int32_t *corner = s->triangle + 3 * p->triangle[k];
    const double *w = p->weight + 3 * k;
    const double x = w[0] * value[corner[0]] + w[1] * value[corner[1]] + w[2] * value[corner[2]];
    const int nearest = w[0] >= w[1] && w[0] >= w[2] ? 0 : w[1] >= w[2] ? 1 : 2;
    return isfinite(x) ? x : value[corner[nearest]];
}

static int interpolate_values(const view_wall *shown, const places *p, reduced_wall *small) {
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

/* Measure the largest distance from sampled points of the whole wall to the reduced wall. */
static int measure_deviation(const surface *whole, const surface *small, double *off_mm) {
    const size_t every = (size_t)whole->n_point / SAMPLES + 1, n = ((size_t)whole->n_point + every - 1) / every;
    double *point = malloc((3 * n + 1) * sizeof *point);
    places p = {0};
    int rc = point ? OK : fail_memory("the view", 24.0 * (double)n);
    for (size_t k = 0; rc == OK && k < n; k++)
        memcpy(point + 3 * k, whole->point_mm + 3 * every * k, 3 * sizeof *point);
    if (rc == OK)
        rc = find_places(small, n, point, &p);
    *off_mm = 0;
    for (size_t k = 0; rc == OK && k < n; k++)
        *off_mm = fmax(*off_mm, p.distance_mm[k]);
    places_free(&p);
    free(point);
    return rc;
}

int view_values_reduce(view_wall *shown, int64_t most, reduced_wall *small) {
    places p = {0};
    int rc = OK;
    if (shown->shape->n_triangle <= most)
        return OK;
    TRY(surface_simplify(shown->shape, most, &small->shape));
    TRY(find_places(shown->shape, (size_t)small->shape.n_point, small->shape.point_mm, &p));
    TRY(interpolate_values(shown, &p, small));
    TRY(measure_deviation(shown->shape, &small->shape, &shown->off_mm));
    shown->n_triangle_whole = shown->shape->n_triangle;
    shown->shape = &small->shape;
    shown->array = small->array;
cleanup:
    places_free(&p);
    return rc;
}

void view_values_free(reduced_wall *small) {
    for (int k = 0; k < small->n_value; k++)
        free(small->value[k]);
    free(small->value);
    surface_free(&small->shape);
}

int view_values_write(const char *path, const report_input *in, const post_work *p) {
    chosen c = {0};
    streamlines lines = {0};
    reduced_wall small = {0};
    view_wall shown;
    int rc;
    TRY(choose_quantities(p, &c));
    shown = (view_wall){.shape = &p->w.shape, .n_array = c.n, .array = c.array};
    TRY(view_values_reduce(&shown, TRIANGLES, &small));
    TRY(streamlines_make(&p->s, &p->f, LINES, &lines));
    TRY(view_page_write(path, in, &shown, &lines));
cleanup:
    free(c.instant);
    free(c.time_s);
    view_values_free(&small);
    streamlines_free(&lines);
    return rc;
}
