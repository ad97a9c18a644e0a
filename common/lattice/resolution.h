/* Limits of the spatial resolution, checked before and after a flow is solved.
 *
 * A lattice adds numerical friction, which causes a relative error of the pressure drop of about
 *
 *   resolution_friction = 8e-4 (u dx / nu)^2 / (cells per diameter),   u the largest velocity in space and time
 *
 * The measured error is 0.6 to 1.5 times this value in straight pipes at an angle to the grid, with 6 to 17 cells per
 * diameter and peak cell Reynolds numbers u dx / nu of 40 to 250, steady and pulsatile (table: solve/RESOLUTION.md). Up
 * to RESOLUTION_GOOD_REYNOLDS, with RESOLUTION_CELLS_GOOD cells per diameter or more, the value is <= 6 % and a grid
 * sequence measures it. */
#ifndef PORTAFLOW_RESOLUTION_H
#define PORTAFLOW_RESOLUTION_H

/* Upper limit of the peak cell Reynolds number with a good spacing */
#define RESOLUTION_GOOD_REYNOLDS 35.0
/* Upper limit of the numerical friction; above it a run has no valid result, its record states "too_coarse", and every
 * program that shows a number of the run must say this */
#define RESOLUTION_FRICTION_USELESS 0.5
/* Discretization error of a pressure drop over the friction, for estimates before a run: demo 0.34, CT phantom 0.41 */
#define RESOLUTION_FRICTION_EXPECTED 0.4
/* Upper limits of the numerical friction and of the peak cell Reynolds number with mesh.fast; faster jets may not
 * settle. Half of RESOLUTION_FRICTION_USELESS, since the potential flow of mesh misses a part of the largest
 * velocity. */
#define RESOLUTION_FRICTION_FAST 0.25
#define RESOLUTION_FAST_REYNOLDS 60.0
/* Upper limit of the numerical friction with a spacing given in the case; above it the spacing is refused */
#define RESOLUTION_FRICTION_REFUSED 20.0
/* Upper limit of the cell Reynolds number; above it any spacing is refused */
#define RESOLUTION_REYNOLDS_REFUSED 1000.0
#define RESOLUTION_CELLS_REQUIRED   12   /* Lower limit of the cells per diameter in the minimum cross-section */
#define RESOLUTION_CELLS_GOOD       16   /* Number of cells per diameter that gives good results */
#define RESOLUTION_CELLS_TOLERANCE  0.99 /* A lattice built for n cells per diameter may have this part of n */

/* Approximate relative error of the pressure drop by numerical friction. cell_reynolds >= 0, cells_per_diameter > 0;
 * NaN if an argument is NaN. */
static inline double resolution_friction(double cell_reynolds, double cells_per_diameter) {
    return 8e-4 * cell_reynolds * cell_reynolds / cells_per_diameter;
}

/* Upper bound of the measured error at this numerical friction; use this bound where a program reports the error. */
static inline double resolution_friction_bound(double friction) {
    return 1.5 * friction;
}
#endif
