/* Limits of resolution of a lattice.
 *
 * Numerical viscosity makes pressure drops too high. In oblique straight pipes with 6 to 17 cells per diameter and peak
 * cell Reynolds numbers u dx / nu of 40 to 250 (u: largest velocity, in time too), steady and pulsatile, the relative
 * error is 0.6 to 1.5 times
 *   resolution_friction = 8e-4 (u dx / nu)^2 / (cells per diameter)                  (table: solve/RESOLUTION.md)
 * Up to RESOLUTION_PEAK and from 16 cells per diameter this is 6 % or less, and the grid sequence measures it. Above
 * RESOLUTION_USELESS no number of a run is a result; its record says "too_coarse". A spacing given by the case is
 * refused above RESOLUTION_GIVEN, any spacing above RESOLUTION_REFUSED. Reported errors use resolution_friction_most.
 *
 * Cells per diameter at the minimum cross-section: minimum RESOLUTION_FEWEST, recommended RESOLUTION_GOOD; the actual
 * value may be slightly lower (RESOLUTION_ROUNDED). */
#ifndef PORTAFLOW_RESOLUTION_H
#define PORTAFLOW_RESOLUTION_H

#define RESOLUTION_PEAK    35.0
#define RESOLUTION_USELESS 0.5
#define RESOLUTION_GIVEN   20.0
#define RESOLUTION_REFUSED 1000.0
#define RESOLUTION_FEWEST  12
#define RESOLUTION_GOOD    16
#define RESOLUTION_ROUNDED 0.99

/* Approximate relative error of a pressure drop by numerical viscosity. cell_reynolds >= 0, cells_across > 0; NaN if
 * either is NaN. */
static inline double resolution_friction(double cell_reynolds, double cells_across) {
    return 8e-4 * cell_reynolds * cell_reynolds / cells_across;
}

/* Upper bound of the measured error at this resolution_friction. */
static inline double resolution_friction_most(double friction) {
    return 1.5 * friction;
}
#endif
