/* SPDX-License-Identifier: Apache-2.0 */
/* Part of a reference's wall, by area, that lies within a distance of our wall. */
#ifndef PORTAFLOW_TESTS_COVERAGE_H
#define PORTAFLOW_TESTS_COVERAGE_H
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include "segment/checks/wall_uncertainty.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* True if this place of the reference is compared. */
typedef bool coverage_counts(const double at_mm[3], const void *with);

typedef struct {
    double away_mm, area_mm2;
} coverage_place;

typedef struct {
    coverage_place *place; /* [n] in the order of away_mm, owned */
    int64_t n;
    double area_mm2;
    double shift_mm; /* mean distance of the reference's wall, outwards */
} coverage;

static inline int coverage_order(const void *a, const void *b) {
    const double x = ((const coverage_place *)a)->away_mm, y = ((const coverage_place *)b)->away_mm;
    return (x > y) - (x < y);
}

/* Distance of each triangle of the reference to the zero of phi (signed distance, mm); outside phi 10 mm. */
static inline coverage coverage_measure(const volume *phi, const surface *reference, coverage_counts *counts,
                                        const void *with) {
    coverage c = {.place = malloc((size_t)(reference->n_triangle + 1) * sizeof *c.place)};
    for (int64_t t = 0; c.place != NULL && t < reference->n_triangle; t++) {
        double at[3] = {0}, normal[3];
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                at[a] += reference->point_mm[3 * reference->triangle[3 * t + k] + a] / 3;
        if (!counts(at, with))
            continue;
        const double outwards = volume_contains(phi, at) ? volume_sample(phi, at) : 10;
        c.place[c.n] = (coverage_place){fabs(outwards), surface_triangle_mm2(reference, t, normal)};
        c.shift_mm += outwards * c.place[c.n].area_mm2;
        c.area_mm2 += c.place[c.n++].area_mm2;
    }
    c.shift_mm /= c.area_mm2;
    qsort(c.place, (size_t)c.n, sizeof *c.place, coverage_order);
    return c;
}

static inline double coverage_within(const coverage *c, double half_width_mm) {
    double area = 0;
    for (int64_t k = 0; k < c->n && c->place[k].away_mm <= half_width_mm; k++)
        area += c->place[k].area_mm2;
    return area / c->area_mm2;
}

/* Print half-width and coverage of the measured part and of the whole interval, and the shift. Returns the coverage of
 * the whole interval; 0 if the shift lies outside its interval. */
static inline double coverage_print(const char *name, const coverage *c, const wall_uncertainty *e) {
    const double whole = coverage_within(c, e->uncertainty_mm);
    printf("interval: %-14s measured +-%.2f mm covers %3.0f %%, with threshold (%.2f) and resolution (%.2f) +-%.2f mm "
           "covers %3.0f %%; shift %+.2f mm of +-%.2f mm\n",
           name, e->measured_mm, 100 * coverage_within(c, e->measured_mm), e->threshold_mm, e->resolution_mm,
           e->uncertainty_mm, 100 * whole, c->shift_mm, e->shift_mm);
    fflush(stdout);
    return fabs(c->shift_mm) <= e->shift_mm ? whole : 0;
}

static inline void coverage_free(coverage *c) {
    free(c->place);
}
#endif
