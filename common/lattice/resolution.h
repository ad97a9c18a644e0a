/* What a lattice can say of a flow, before and after it is solved.
 *
 * A lattice adds friction of its own to the blood's. In straight pipes at an angle to the grid, 6 to 17 cells across,
 * at peak cell Reynolds numbers u dx / nu (u the largest velocity, in time, too) of 40 to 250, steady and pulsatile,
 * drops come out too high by 0.6 to 1.5 times
 *
 *   resolution_friction = 8e-4 (u dx / nu)^2 / (cells across)                  (solve/RESOLUTION.md has the table)
 *
 * of themselves. Up to RESOLUTION_PEAK and from 16 cells across on that is 6 % at most, and lattices of other spacings
 * tell it. Above RESOLUTION_USELESS no number of a run is a result: its record says "too_coarse", and whoever shows
 * numbers says so. A spacing that the case gives is refused above RESOLUTION_GIVEN, any one above a cell Reynolds
 * number of RESOLUTION_REFUSED. Whoever tells a part of drops tells resolution_friction_most.
 *
 * Cells across the narrowest place: RESOLUTION_FEWEST at least, RESOLUTION_GOOD and more are good; a lattice that was
 * made for so many may end a little below (RESOLUTION_ROUNDED). */
#ifndef PORTAFLOW_RESOLUTION_H
#define PORTAFLOW_RESOLUTION_H

#define RESOLUTION_PEAK    35.0
#define RESOLUTION_USELESS 0.5
#define RESOLUTION_GIVEN   20.0
#define RESOLUTION_REFUSED 1000.0
#define RESOLUTION_FEWEST  12
#define RESOLUTION_GOOD    16
#define RESOLUTION_ROUNDED 0.99

/* Part of the pressure drop that is the lattice's own friction, about. cell_reynolds >= 0, cells_across > 0; NaN where
 * one of them is. */
static inline double resolution_friction(double cell_reynolds, double cells_across) {
    return 8e-4 * cell_reynolds * cell_reynolds / cells_across;
}

/* The most of what was found beside a friction of so much. */
static inline double resolution_friction_most(double friction) {
    return 1.5 * friction;
}
#endif
