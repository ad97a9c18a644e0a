/* SPDX-License-Identifier: Apache-2.0 */
/* Coarse-grid correction of a steady run (full approximation scheme, Brandt 1977), for a grid sequence whose coarser
 * level has settled.
 *
 * A window of T seconds changes the fine flow u by r = P(u) - u, P the map of one window. The remaining change until
 * steady is e = (1 - P')^-1 r, P' the linearized map. The coarser lattice has nearly the same P'. Started from its own
 * steady flow U, it runs windows with the source r:
 *   V -> P_c(V + r - (P_c(U) - U)),   converges to V - U = e
 * The term P_c(U) - U removes the residual of U. Anderson acceleration is used (run/anderson.h), until a window changes
 * V by less than SETTLED times the first change. V - U is then interpolated and added to u: velocity, pressure, viscous
 * stress. This removes the smooth part of the transient, sound included. */
#ifndef PORTAFLOW_COARSE_CORRECTION_H
#define PORTAFLOW_COARSE_CORRECTION_H
#include "solve/setup/solve_job.h"

/* Number of corrections worth their cost. 0 unless the run is steady, on the finest level and accelerated, and starts
 * from the settled flow of a coarser level. This level must have a spacing larger by a tenth or more, and its run must
 * have taken STEPS_LEAST steps or more. */
int coarse_correction_times(const solve_inputs *in, const solve_march *m);

/* Applies the correction. `before`: state at the start of a window of time_s. now: on entry the state at its end, on
 * return the corrected state. Both are in lattice units of the run's domain. The run gets a new backend in the state
 * *now. If the coarse iteration fails or the correction is large, *now is unchanged. Errors: ERR_RESOURCE, the errors
 * of the backend. */
MUST_CHECK int coarse_correction_apply(solve_job *j, const state_fields *before, double time_s, state_fields *now);
#endif
