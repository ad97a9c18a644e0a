/* What solve says of its choices, and where a flow diverged. */
#ifndef PORTAFLOW_SOLVE_MESSAGES_H
#define PORTAFLOW_SOLVE_MESSAGES_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "common/lattice/potential_flow.h"
#include "solve/core/domain.h"
#include "solve/core/heat_gaps.h"
#include "solve/boundary/boundary_values.h"
#include "solve/run/run.h"
#include "solve/core/scale.h"

/* Lines and warnings before the first step. widest: cells across the widest passage, for a case without openings. */
void solve_messages_choice(const case_file *c, const lattice *l, const scale *s, int64_t n_cell, int64_t n_link,
                           const potential_flow_result *reach, double widest);

/* Warns of a lattice so coarse for the velocity to expect that no number of the run is to be used. across: cells across
 * the fastest place, NaN: not known. */
void solve_messages_coarse(const case_file *c, const scale *s, double across);

/* A steady run whose change no longer falls: when averaging begins; at its end where pressures and flows vary by
 * `largest` (relative) and no more, or mean and swing of the largest pressure difference. */
void solve_messages_averaging(const run_progress *p);
void solve_messages_still(double largest);
void solve_messages_unsteady(const lattice *l, const scale *s, const run_result *r);

/* With heat, behind solve_messages_choice. */
void solve_messages_heat(const case_file *c, const scale *s, const domain *d, const heat_boundary_values *h,
                         const heat_gaps *gaps);

/* Warns when the given flows take more out of the vessel than they bring, so that the rest comes in through an outlet
 * with a pressure (means over the cycle). True when it did. */
bool solve_messages_supply(const case_file *c, const boundary_values *g);

/* Warns of an inlet with a waveform whose pulsating part is fast enough that the given profile, one and the same in
 * time, moves the mean pressure there by more than a part of what the mean flow loses. */
void solve_messages_pulse(const case_file *c, const lattice *l, const boundary_values *g);

/* Warns of every outlet with a pressure through which blood enters at the end (over the cycle; a thousandth of the
 * inflow, or of the largest one, is noticed). flow_scale_m3_s: of one
 * lattice unit. */
void solve_messages_backflow(const boundary_values *g, const run_result *r, double flow_scale_m3_s);

/* How many cells the layer has in which the wall shear stress of a waveform pulsates, what that puts it off by
 * (womersley_layer_of); a warning with the spacing it takes where that is more than a twentieth. */
void solve_messages_layer(const case_file *c, const lattice *l, const boundary_values *g, const scale *s);

/* Warns that stresses are limited from here on, of a flow that diverged. */
void solve_messages_limited(const scale *s);

/* Warns that no number of this run is a result (run_friction). */
void solve_messages_too_coarse(const case_file *c, const run_settings *r, const run_result *result);

/* Warns of a pulsatile flow whose cycles do not come nearer to each other: whether the lattice may be why,
 * what to do. */
void solve_messages_restless(const scale *s, const run_progress *p);

/* Records the sentence of a flow that diverged: step, place in mm (in the case's space, LPS when that is voxel), the
 * nearest opening, what to do. Returns ERR_NUMERIC. */
MUST_CHECK int solve_messages_diverged(const case_file *c, const lattice *l, const domain *d, double time_s,
                                       const run_trouble *t);
#endif
