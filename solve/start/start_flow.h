/* The start of a run from the flow on other lattices of the same vessel. */
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

/* A flow that was solved. */
typedef struct {
    lattice l;
    fields f;
} start_flow;

/* From the files of a lattice and its fields. Errors: those of lattice_file_read and field_file_read; *s is zeroed
 * then. */
MUST_CHECK int start_flow_read(const char *lattice_path, const char *fields_path, start_flow *s);
/* The cells alone that start_values looks at for the cells of `round`, a part of a lattice. */
MUST_CHECK int start_flow_read_round(const char *lattice_path, const char *fields_path, const lattice *round,
                                     start_flow *s);
/* Those that a run of the ladder begins with, coarse and coarser; n_cell 0: there is none. `in`, `out`: folders of mesh
 * and of solve. Errors: as start_flow_read, ERR_RESOURCE. */
MUST_CHECK int start_flow_of_runs(const char *in, const char *out, const grid_sequence *a, const grid_run *g,
                                  const lattice *round, start_flow flow[2]);
void start_flow_free(start_flow *s); /* safe on a zeroed struct */

/* Velocity, pressure and viscous stress at the cells of `d` (of the lattice `l`), between the cells of `coarse`
 * (start_values.h); with `coarser` extrapolated to the spacing of l, second order (Richardson):
 *   f(h) = f2 + (f2 - f3) (h2^2 - h^2) / (h3^2 - h2^2)
 * In lattice units of `s`, so that densities, velocities and stresses, which make up the part of the populations that
 * is not in equilibrium (state_fields.h), are those of the new spacing and step. reference_pa: where the density
 * deviation is 0. coarser NULL: none. A cell further than two cells from any of theirs is at rest. *out is the
 * caller's. *apart: root mean square by which the velocities differ from those of `coarse` alone, over theirs.
 * Errors: ERR_RESOURCE. Test: tests/unit/solve/test_start_flow.c */
MUST_CHECK int start_flow_state(const start_flow *coarse, const start_flow *coarser, const lattice *l, const domain *d,
                                const scale *s, double reference_pa, state_fields *out, double *apart);
/* Tolerance of a run on the finest lattice whose case gives none: what is left of the way to the steady flow may be a
 * hundredth of what two lattices differ by (`apart`), their discretisation error, so that it does not count in an
 * interval; it is up to ten times the change (run.h) at the end. At least `least`, at most 5e-5. Eca and Hoekstra
 * 2014: iterative errors two orders below those of the lattice. */
double start_flow_tolerance(double apart, double least);

/* The same of a lattice that has no two coarser ones: what is left of the way, the change over the time constant of
 * viscosity (viscous_steps; reference_steps: what the change counts in), is at most a hundredth of the part of the drop
 * that is the lattice's own friction, and 0.1 % of the velocity. least to 5e-5. */
double start_flow_tolerance_alone(double friction, double reference_steps, double viscous_steps, double least);
/* The mass correction of the walls (kernels/link.h) to begin with, from the result of the run on a coarser lattice:
 * what walls take goes with the spacing to the power 2.7 (measured between 16 and 18 cells across) and the lattice
 * velocity to the third. */
double start_flow_mass_correction(const cJSON *result, const scale *s);
#endif
