/* The way that is left to a steady flow, from a coarser lattice: a coarse-grid correction (Brandt 1977, full
 * approximation) for a run of mesh.ladder whose coarser one is settled.
 *
 * In a window of T seconds the fine flow u changes by r = P(u) - u, P the map of a window. What it changes by in all
 * until it is steady is e = (1 - P')^-1 r, P' the linear map beside the steady flow. The coarser lattice has nearly the
 * same P', if the window takes the same time there: from its own steady flow U it runs in windows before each of which
 * r, taken to its cells, is added to the flow,
 *   V -> P_c(V + r - (P_c(U) - U)),   ends at V - U = e   (P_c(U) - U: what U itself is not settled by)
 * with states mixed as in a steady run (run/anderson.h), until a window changes V by SETTLED of what the first one did.
 * V - U, taken back between the cells, is added to u: velocity, pressure and viscous stress. What is smooth is settled
 * then, sound and a flow that is not yet what the openings bring included; what only the fine lattice shows is not. */
#ifndef PORTAFLOW_COARSE_CORRECTION_H
#define PORTAFLOW_COARSE_CORRECTION_H
#include "solve/setup/solve_job.h"

/* How many corrections pay: none but in a steady run on the finest lattice, with acceleration, whose ladder begins with
 * the settled flow of a lattice at least a tenth coarser, where that took so many steps that those of a correction
 * count little. */
int coarse_correction_times(const solve_inputs *in, const solve_march *m);

/* before: the state at the start of a window of time_s; now: at its end, which becomes the corrected one; both of the
 * run's domain, lattice units. The run's backend is another one afterwards, in the state *now. Where the coarser
 * lattice does not settle, *now stays as it is. Errors: ERR_RESOURCE, those of the backend. */
MUST_CHECK int coarse_correction_apply(solve_job *j, const state_fields *before, double time_s, state_fields *now);
#endif
