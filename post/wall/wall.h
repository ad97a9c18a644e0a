/* SPDX-License-Identifier: Apache-2.0 */
/* Wall shear stress and pressure at the points of the wall. Equations, choices and accuracy: WALL_STRESS.md.
 *
 * The wall does not change in time, so the values are linear in the fields. The weights are computed once (wall_create)
 * and applied to every stored instant (wall_apply); they take 2 to 4 kB per point. For a single field the values are
 * computed without storing weights (wall_create_for_field). */
#ifndef PORTAFLOW_POST_WALL_WALL_H
#define PORTAFLOW_POST_WALL_WALL_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "post/wall/wall_stress.h"

typedef struct {
    surface shape;        /* triangles of the wall, without caps and parts beyond openings */
    double *normal;       /* [n_point][3] unit normals into the fluid */
    double *area_mm2;     /* [n_point] a third of the area of all triangles at the point */
    uint8_t *counted;     /* [n_point] 1: statistics count the point, because it is far enough from the openings */
    double force_pa_m[3]; /* body force rho f */
    double (*turn)[9];    /* [n_point] curvature matrix (3 x 3) of eq. 4 */
    /* [n_point] factor of the body force in eq. 4: sample_combination.reach_mm, in m; NaN: no wall shear stress */
    double *lift_m;
    int64_t *start; /* [n_point + 1] first weight of each point */
    /* [start[n_point]] weights. After wall_create_for_field weight, turn, lift_m and start are NULL */
    wall_weight *weight;
    double left_out_mm2; /* area of the surface `lumen` that is no wall (caps) or has no value, mm2 */
    double lost_mm2;     /* part of left_out_mm2 near the wall; it should be small */
    double porous_mm2;   /* area of `shape` without wall shear stress (NaN): porous tissue is within its fits */
} wall;

/* Builds the wall from a lumen surface. `force_pa_m`: density times acceleration of the body force (NULL: none).
 * `strip_mm[k]`: statistics exclude points within this distance inside opening k (NULL: no point is excluded). Errors:
 * ERR_INPUT (the surface does not belong to the lattice), ERR_RESOURCE. */
MUST_CHECK int wall_create(const sampler *s, const surface *lumen, const double *force_pa_m, const double *strip_mm,
                           wall *w);
/* Builds the wall for the single field f and computes its values. They differ from the values of wall_apply only by
 * rounding, because wall_apply stores its weights as float. The caller frees *wss_pa and *pressure_pa. */
MUST_CHECK int wall_create_for_field(const sampler *s, const surface *lumen, const double *force_pa_m,
                                     const double *strip_mm, const fields *f, wall *w, double **wss_pa,
                                     double **pressure_pa);
void wall_free(wall *w); /* safe on a zeroed struct */

/* Compute the values of a field.
 * wss_pa       [n_point][3] out, tangential vector
 * pressure_pa  [n_point] out */
void wall_apply(const wall *w, const fields *f, double *wss_pa, double *pressure_pa);

typedef struct {
    /* over the counted points, weighted by area; none: area 0, others NaN */
    double area_mm2, mean, p99, max;
    double max_mm[3]; /* position of the highest value, LPS */
} wall_statistics;
/* Statistics over the counted points. value [n_point]; points with a value that is not finite are ignored. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int wall_measure(const wall *w, const double *value, wall_statistics *out);
/* Statistics over the wall around a section: points within half_mm of its plane and radius_mm of its centre, whether
 * `counted` or not. Errors: ERR_RESOURCE. */
MUST_CHECK int wall_measure_ring(const wall *w, const double *value, const double centre_mm[3], const double normal[3],
                                 double radius_mm, double half_mm, wall_statistics *out);
#endif
