/* SPDX-License-Identifier: Apache-2.0 */
/* The straight pipes of verify:poiseuille-pipe. */
#ifndef PORTAFLOW_PIPE_H
#define PORTAFLOW_PIPE_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/study.h"
#include <math.h>

enum { PIPE_WALLS = 2, PIPE_COLLISIONS = 2, PIPE_ANGLES = 3 };

/* Same values as in the case files of these studies. */
static const double pipe_radius_mm = 8, pipe_viscosity_pa_s = 3.498e-3;
static const char *const pipe_wall[PIPE_WALLS] = {"interpolated", "vlbm"};
static const char *const pipe_collision[PIPE_COLLISIONS] = {"trt", "bgk"};
/* Tangent of the angle between the periodic pipe and the z axis. The pipe runs along the sum of the x period and the z
 * period of the box, so the tangent is x period over z period. */
static const double pipe_tangent[PIPE_ANGLES] = {0, 0.5, 1};

/* One pipe on the lattice. Lengths are in cells, so that every resolution has the same geometry. */
typedef struct {
    int cells; /* number of cells per diameter */
    const char *wall, *collision;
    /* tangent: tangent of the angle to the z axis; offset: distance of the axis from the middle of the box, in cells */
    double tangent, offset[2];
    double peak_m_s; /* peak velocity of the periodic pipe */
} pipe_setting;

typedef struct {
    double drop, wss; /* relative errors of pressure drop and wall shear stress */
} pipe_openings_errors;

static inline double pipe_spacing_mm(const pipe_setting *s) {
    return 2 * pipe_radius_mm / s->cells;
}

static inline double pipe_angle_deg(const pipe_setting *s) {
    return atan(s->tangent) * 180 / M_PI;
}

static inline double pipe_reynolds(double mean_m_s) {
    return mean_m_s * 2e-3 * pipe_radius_mm * 1060 / pipe_viscosity_pa_s;
}

static inline void pipe_axis(const pipe_setting *s, double axis[3], double across[3]) {
    double angle = atan(s->tangent);
    axis[0] = sin(angle), axis[1] = 0, axis[2] = cos(angle);
    across[0] = cos(angle), across[1] = 0, across[2] = -sin(angle);
}

/* Computes the pipe with inlet and outlet, for `cells` and half as many cells per diameter; writes text and tables.
 * worst: largest errors of `interpolated` with TRT at `cells` and the lower Reynolds number. Errors: as a study
 * (study.h). */
MUST_CHECK int pipe_openings(const study_context *x, results *r, int cells, pipe_openings_errors *worst);

/* Computes the pipe at Re 531 with bare openings, for `cells` and twice as many cells per diameter, along the grid and
 * oblique; writes text and table. drop_error: relative error of the pressure drop between the openings at `cells` along
 * the grid; infinite: no result. */
MUST_CHECK int pipe_bare(const study_context *x, results *r, int cells, double *drop_error);
#endif
