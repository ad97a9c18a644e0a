/* Wall shear stress and pressure at the points of the wall.
 *
 *   t = sigma n - (n . sigma n) n      the viscous traction without its normal part, n into the fluid
 *
 * The traction is taken 1, 2 and 3 spacings from the wall along n, where the cells' stress is good, and carried to the
 * wall by a polynomial whose slope there is known: at a wall at rest the momentum balance leaves
 *
 *   dt/dn = grad_s p - rho f_s + (trace(H) + H) t,     H the curvature of the wall (second derivatives of the distance)
 *
 * so that thin layers in pulsatile flow are followed (test_wall.c: Stokes layers, bends). The exact value in a pipe is
 * 4 mu Umean / R.
 *
 * Beside an edge, where walls meet, the distance has no gradient and n is the way into the depth of the cells there: a
 * square duct has values all round, its mean wall shear stress is 1.2 % too high at 12 cells across.
 *
 * The pressure at the wall is carried to it along n by the line through those 1 and 2 spacings from it: of second
 * order, h^2 d2p/dn2 off (test_wall_pressure.c). Where the vessel is under 3.2 cells across there is no second sample:
 * it is that of the cells inside, of first order. Next to the wall of a coarse lattice the computed pressure is rough;
 * the line shows one or two percent of rho U^2 / 2 of it.
 *
 * The wall does not change in time, so all this is linear in the fields: the weights are found once (wall_create) and
 * applied to every stored instant (wall_apply). They take 2 to 4 kB a point; of a single field the values are formed
 * without them (wall_of_field). */
#ifndef PORTAFLOW_POST_WALL_WALL_H
#define PORTAFLOW_POST_WALL_WALL_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "post/wall/wall_stress.h"

typedef struct {
    surface shape;        /* triangles of the wall: openings' caps and what lies beyond openings left out */
    double *normal;       /* [n_point][3] unit, into the fluid */
    double *area_mm2;     /* [n_point] a third of the triangles round each point */
    uint8_t *counted;     /* [n_point] 1: far enough from the openings to count in statistics */
    double force_pa_m[3]; /* body force, rho f */
    double (*turn)[9];    /* [n_point] 3 x 3: what the curvature of the wall makes of the traction */
    double *lift_m;       /* [n_point] how far the slope reaches, weight of the body force */
    int64_t *start;       /* [n_point + 1] weights of each point */
    wall_weight *weight;  /* [start[n_point]]; NULL of wall_of_field, as are turn, lift_m and start */
    double left_out_mm2;  /* area of `lumen` that is no wall (caps) or where nothing could be computed */
    double lost_mm2;      /* the part of it that is near the wall: should be small */
} wall;

/* The wall of a lumen surface. `force_pa_m`: body force density times acceleration (NULL: none). `strip_mm[k]`: points
 * within this distance inside opening k are not counted (NULL: all count).
 * Errors: ERR_INPUT (the surface does not belong to the lattice), ERR_RESOURCE. */
MUST_CHECK int wall_create(const sampler *s, const surface *lumen, const double *force_pa_m, const double *strip_mm,
                           wall *w);
/* The same, and what wall_apply gives of `f`, but for the rounding of the weights to float: *wss_pa, *pressure_pa are
 * the caller's to free. */
MUST_CHECK int wall_of_field(const sampler *s, const surface *lumen, const double *force_pa_m, const double *strip_mm,
                             const fields *f, wall *w, double **wss_pa, double **pressure_pa);
void wall_free(wall *w); /* safe on a zeroed struct */

/*   wss_pa       [n_point][3] out, tangential vector
 *   pressure_pa  [n_point] out */
void wall_apply(const wall *w, const fields *f, double *wss_pa, double *pressure_pa);

typedef struct {
    double area_mm2, mean, p99, max; /* over the counted points, weighted with the area; NaN when there are none */
    double max_mm[3];                /* where the highest value is, LPS */
} wall_statistics;
/* value [n_point]; points where it is not finite are left out. Errors: ERR_RESOURCE. */
MUST_CHECK int wall_measure(const wall *w, const double *value, wall_statistics *out);
/* The same over the wall round a section, counted or not: at most half_mm beside the plane and radius_mm from its
 * middle. Errors: ERR_RESOURCE. */
MUST_CHECK int wall_measure_ring(const wall *w, const double *value, const double centre_mm[3], const double normal[3],
                                 double radius_mm, double half_mm, wall_statistics *out);
#endif
