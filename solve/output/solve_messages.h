/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of solve about its choices, warnings, and the place of a divergence. */
#ifndef PORTAFLOW_SOLVE_MESSAGES_H
#define PORTAFLOW_SOLVE_MESSAGES_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"
#include "common/lattice/potential_flow.h"
#include "solve/core/domain.h"
#include "solve/core/heat_gaps.h"
#include "solve/boundary/boundary_values.h"
#include "solve/run/run.h"
#include "solve/core/scale.h"

/* Prints lines and warnings before the first step. widest: cells per diameter of the widest cross-section, used for a
 * case without openings. */
void solve_messages_choice(const case_file *c, const lattice *l, const scale *s, int64_t n_cell, int64_t n_link,
                           const potential_flow_result *reach, double widest);

/* Warns of a lattice so coarse for the expected velocity that no number of the run is valid. across: cells per diameter
 * at the place of the largest velocity; NaN: unknown. */
void solve_messages_coarse(const case_file *c, const scale *s, double across);

/* Messages on a steady run whose residual stays constant, so that the flow is averaged.
 *   solve_messages_averaging  when the averaging starts
 *   solve_messages_still      when it ends, if all pressures and flows vary by `largest` (relative) or less
 *   solve_messages_unsteady   when it ends otherwise, with mean and range of the largest pressure difference */
void solve_messages_averaging(const run_progress *p);
void solve_messages_still(double largest);
void solve_messages_unsteady(const lattice *l, const scale *s, const run_result *r);

/* Prints lines and warnings of a run with heat, after solve_messages_choice. */
void solve_messages_heat(const case_file *c, const scale *s, const domain *d, const heat_boundary_values *h,
                         const heat_gaps *gaps);

/* Warns when the prescribed outflows exceed the prescribed inflows (means over the cycle), so that the remainder enters
 * through a pressure outlet. Returns true if it warned. */
bool solve_messages_supply(const case_file *c, const boundary_values *g);

/* Warns of an opening with a waveform and a steady developed profile, if this profile shifts the mean pressure there by
 * more than 10 % of the friction loss of the mean flow. */
void solve_messages_pulse(const case_file *c, const lattice *l, const boundary_values *g);

/* Warns of an opening whose pulsation changes mean pressure drops (pulse_error_pa) by more than 5 % of the friction of
 * the mean flow. Names a spacing that is fine enough. */
void solve_messages_pulse_error(const case_file *c, const lattice *l, const boundary_values *g, const scale *s);

/* Warns of every pressure opening with flow against its role at the end (pulsatile: over the cycle) above 0.1 % of the
 * inflow. flow_scale_m3_s: value of one lattice unit. */
void solve_messages_backflow(const boundary_values *g, const run_result *r, double flow_scale_m3_s);

/* Reports how many cells resolve the oscillating boundary layer at the wall, and the error of the pulsating wall shear
 * stress (womersley_layer_of). If the error exceeds 5 %, warns and names a spacing that is fine enough. */
void solve_messages_layer(const case_file *c, const lattice *l, const boundary_values *g, const scale *s);

/* Warns that stresses are limited after a divergence. */
void solve_messages_limited(const scale *s);

/* Warns that the lattice is too coarse and the numbers of this run must not be used (run_friction). */
void solve_messages_too_coarse(const case_file *c, const run_settings *r, const run_result *result);

/* Warns of porous regions in which the flow is too fast for Darcy's law. f: fields of the end of the run. Collective.
 * Errors: as ranks_largest. */
MUST_CHECK int solve_messages_porous(const case_file *c, const lattice *l, const fields *f);

/* Warns of a pulsatile flow that does not become periodic, with a possible cause and a remedy. */
void solve_messages_not_periodic(const scale *s, const run_progress *p);

/* Records the error of a diverged flow: step, place in mm (in the case's space, LPS for voxel), nearest opening, what
 * to do. Returns ERR_NUMERIC. */
MUST_CHECK int solve_messages_diverged(const case_file *c, const lattice *l, const domain *d, double time_s,
                                       const run_trouble *t);
#endif
