/* Wall shear stress and pressure at the points of the wall.
 *
 *   t = sigma n - (n . sigma n) n      the viscous traction without its normal part, n into the fluid
 *
 * taken 1, 2 and 3 spacings from the wall along n, where the cells' stress is good, and carried on to the wall. The
 * exact value in a pipe is 4 mu Umean / R. Since the wall does not move, the wall values are linear in the fields: the
 * weights are found once (wall_create) and applied to every stored instant (wall_apply). */
#ifndef POST_WALL_H
#define POST_WALL_H
#include "common/surface.h"
#include "post/sampler.h"

enum wall_method {
    WALL_FROM_STRESS, /* traction alone, a line through its values: for a wall that is not at the surface (vlbm) */
    WALL_FROM_BOTH    /* traction, and velocity with no slip at the wall: for the second-order wall */
};

typedef struct {
    surface shape;    /* triangles of the wall: openings' caps and what lies beyond openings left out */
    double *normal;   /* [n_point][3] unit, into the fluid */
    double *area_mm2; /* [n_point] a third of the triangles round each point */
    uint8_t *counted; /* [n_point] 1: far enough from the openings to count in statistics */
    double viscosity_pa_s;
    int64_t *start;      /* [n_point + 1] weights of each point */
    int32_t *cell;       /* [start[n_point]] */
    float *velocity;     /* [..] weight of the velocity, 1/m */
    float *stress;       /* [..] weight of the traction */
    float *pressure;     /* [..] weight of the pressure */
    double left_out_mm2; /* area of `lumen` that is no wall (caps) or where nothing could be computed */
    double lost_mm2;     /* the part of it that is near the wall: should be small */
} wall;

/* The wall of a lumen surface. `strip_mm[k]`: points within this distance inside opening k are not counted.
 * Errors: ERR_INPUT (the surface does not belong to the lattice), ERR_RESOURCE. */
int wall_create(const sampler *s, const surface *lumen, double viscosity_pa_s, enum wall_method method,
                const double *strip_mm, wall *w);
void wall_free(wall *w); /* safe on a zeroed struct */

/*   wss_pa       [n_point][3] out, tangential vector
 *   pressure_pa  [n_point] out */
void wall_apply(const wall *w, const fields *f, double *wss_pa, double *pressure_pa);

typedef struct {
    double area_mm2, mean, p99, max; /* over the counted points, weighted with the area; NaN when there are none */
} wall_statistics;
/* value [n_point]; points where it is not finite are left out. Errors: ERR_RESOURCE. */
int wall_measure(const wall *w, const double *value, wall_statistics *out);
#endif
