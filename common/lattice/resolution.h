/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the spatial resolution, checked before and after a flow is solved. They depend on the collision: D3Q27 with
 * cumulants and quadratic walls, or D3Q19.
 *
 * A lattice adds numerical friction, which causes a relative error of the pressure drop of about
 *
 *   resolution_friction = 0.03 (Re_c / (10 min(N, 16)))^6     cumulants; up to a factor of 2.5 in straight pipes
 *                         8e-4 Re_c^2 / N                     D3Q19; a factor of 0.6 to 1.5
 *
 * Re_c = u dx / nu is the cell Reynolds number of the largest velocity in space and time, N the number of cells per
 * diameter. Measured in straight pipes at an angle to the grid, N 6 to 17, Re_c 20 to 250 (table: solve/RESOLUTION.md).
 */
#ifndef PORTAFLOW_RESOLUTION_H
#define PORTAFLOW_RESOLUTION_H
#include <math.h>
#include <stdbool.h>

/* Upper limit of the numerical friction; above it a run has no valid result, its record states "too_coarse", and every
 * program that shows a number of the run must say this */
#define RESOLUTION_FRICTION_USELESS 0.5
/* Ratio of the discretization error of a pressure drop to the numerical friction, for estimates before a run (measured:
 * demo 0.34, CT phantom 0.41) */
#define RESOLUTION_FRICTION_EXPECTED 0.4
/* Upper limit of the numerical friction with mesh.fast: half of RESOLUTION_FRICTION_USELESS, because the potential flow
 * of mesh underestimates the largest velocity. */
#define RESOLUTION_FRICTION_FAST 0.25
/* Upper limit of the numerical friction on a level with fewer than cells_level cells per diameter. Measured at 6 cells
 * per diameter: a friction of 0.07 makes the pressure drop 34 % too large. */
#define RESOLUTION_FRICTION_LEVEL 0.01
/* Upper limit of the numerical friction with a spacing given in the case; above it the spacing is refused */
#define RESOLUTION_FRICTION_REFUSED 20.0
/* Upper limit of the cell Reynolds number; above it any spacing is refused */
#define RESOLUTION_REYNOLDS_REFUSED 1000.0
/* A lattice is accepted if it has at least this fraction of the wanted cells per diameter */
#define RESOLUTION_CELLS_TOLERANCE 0.99

typedef struct {
    /* upper limits of the peak cell Reynolds number with a good spacing, and with mesh.fast (the flow in faster jets
     * may not become steady) */
    double cell_reynolds, cell_reynolds_fast;
    /* cells per diameter in the minimum cross-section. cells_level: lower limit on the coarser levels of a grid
     * sequence; cells_level_coarse: the same if the finest lattice has fewer than cells_good and the numerical friction
     * of the level is below RESOLUTION_FRICTION_LEVEL; cells_required: lower limit on a single lattice; cells_good:
     * enough for good results; cells_fine: target of mesh */
    int cells_level, cells_level_coarse, cells_required, cells_good, cells_fine;
    /* cells per diameter below which pressure drops have errors of several percent, and of 20 % */
    double cells_several_percent, cells_20_percent;
} resolution_limits;

static inline resolution_limits resolution_limits_of(bool cumulants) {
    const resolution_limits d3q27 = {.cell_reynolds = 60,
                                     .cell_reynolds_fast = 80,
                                     .cells_level = 8,
                                     .cells_level_coarse = 5,
                                     .cells_required = 8,
                                     .cells_good = 12,
                                     .cells_fine = 12,
                                     .cells_several_percent = 5.8,
                                     .cells_20_percent = 5.8};
    const resolution_limits d3q19 = {.cell_reynolds = 35,
                                     .cell_reynolds_fast = 60,
                                     .cells_level = 8,
                                     .cells_level_coarse = 8,
                                     .cells_required = 12,
                                     .cells_good = 16,
                                     .cells_fine = 24,
                                     .cells_several_percent = 9.5,
                                     .cells_20_percent = 5.8};
    return cumulants ? d3q27 : d3q19;
}

/* Approximate relative error of the pressure drop by numerical friction. cell_reynolds >= 0, cells_per_diameter > 0;
 * NaN if an argument is NaN. */
static inline double resolution_friction(bool cumulants, double cell_reynolds, double cells_per_diameter) {
    if (!cumulants || isnan(cells_per_diameter))
        return 8e-4 * cell_reynolds * cell_reynolds / cells_per_diameter;
    return 0.03 * pow(cell_reynolds / (10 * fmin(cells_per_diameter, 16)), 6);
}

/* Error that programs report at this numerical friction: 1.5 times, the upper bound with D3Q19. With cumulants the
 * error of a straight pipe may be 2.5 times the friction. */
static inline double resolution_friction_bound(double friction) {
    return 1.5 * friction;
}

/* Bound of the relative error of the wall shear stress, from the bound of the relative error of pressure drops on the
 * same lattice. Measured errors: solve/RESOLUTION.md, Numerical friction. */
static inline double resolution_shear_bound(double drop) {
    return fmax(drop, fmin(3 * drop, 0.4));
}
#endif
