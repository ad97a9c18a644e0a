/* SPDX-License-Identifier: Apache-2.0 */
/* Initial flow of a run, interpolated from other lattices of the same vessel. */
#ifndef PORTAFLOW_START_FLOW_H
#define PORTAFLOW_START_FLOW_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"
#include <cjson/cJSON.h>
#include "solve/core/domain.h"
#include "solve/core/scale.h"
#include "solve/start/grid_sequence.h"
#include "solve/core/state_fields.h"

/* A computed flow and its lattice. */
typedef struct {
    lattice l;
    fields f;
} start_flow;

/* Reads a lattice and its fields. Errors: as lattice_file_read and field_file_read; *s is zeroed then. */
MUST_CHECK int start_flow_read(const char *lattice_path, const char *fields_path, start_flow *s);
/* Does the same as start_flow_read, but reads only the cells that are needed to interpolate to the cells of `round`, a
 * part of a lattice. */
MUST_CHECK int start_flow_read_round(const char *lattice_path, const char *fields_path, const lattice *round,
                                     start_flow *s);
/* Reads the flows that start run g: flow[0] from run `start`, flow[1] from run `start_coarser` (grid_run); n_cell 0:
 * none. in, out: folders of mesh and solve. Errors: as start_flow_read, ERR_RESOURCE. */
MUST_CHECK int start_flow_of_runs(const char *in, const char *out, const grid_sequence *a, const grid_run *g,
                                  const lattice *round, start_flow flow[2]);
void start_flow_free(start_flow *s); /* safe on a zeroed struct */

/* Interpolates velocity, pressure and viscous stress to the cells of `d` of lattice `l` (start_values.h). With
 * `coarser`, Richardson extrapolation of second order to the spacing of l:
 *   f(h) = f2 + (f2 - f3) (h2^2 - h^2) / (h3^2 - h2^2)
 * h: spacing of l; f2, h2: flow and spacing of `coarse`; f3, h3: of `coarser`, which may be NULL. *out is in lattice
 * units of `s`, so its stresses fit the new spacing and time step (state_fields.h converts them to populations).
 * reference_pa: pressure of density deviation 0. Cells more than two cells from any source cell are at rest. Caller
 * frees *out. *apart: relative root-mean-square difference between the extrapolated velocity and the velocity of
 * `coarse`. If l has the spacing of `coarse`: between `coarse` and `coarser`. 0 without `coarser`. Errors:
 * ERR_RESOURCE. Test: tests/unit/solve/test_start_flow.c */
MUST_CHECK int start_flow_state(const start_flow *coarse, const start_flow *coarser, const lattice *l, const domain *d,
                                const scale *s, double reference_pa, state_fields *out, double *apart);
/* Default tolerance on the finest level, from the relative difference `apart` of two levels. It limits the iteration
 * error to a hundredth of this difference (Eca and Hoekstra 2014). The iteration error may be ten times the residual
 * (run.h). The returned tolerance lies between `least` and 5e-5. */
double start_flow_tolerance(double apart, double least);

/* Default tolerance on the finest level from the errors that are accepted. The iteration error is the residual times
 * `decay`. The tolerance keeps it below 0.005 and below the larger of
 *   friction / 100 (friction: relative error of the pressure drop that numerical viscosity causes)
 *   accepted / 30  (accepted: relative error that solve.accuracy accepts; by default a third of image and given flows)
 * decay: 10 for a start that is extrapolated from two levels (run.h), otherwise the viscous time over the reference
 * time, at most 35 for a start from one level. The returned tolerance lies between `least` and 5e-5, or 2e-4 if
 * accepted > 0.01: then image or given flows are uncertain, or solve.accuracy is given. */
double start_flow_tolerance_accepted(double friction, double accepted, double decay, double least);
/* Initial mass correction of wall links (kernels/link.h), from the mass correction of a run on a coarser lattice.
 * result: `result` of the record of that run. The mass correction is proportional to the spacing to the power 2.7
 * (measured for 16 to 18 cells per diameter) and to the third power of the lattice velocity. */
double start_flow_mass_correction(const cJSON *result, const scale *s);
#endif
