/* SPDX-License-Identifier: Apache-2.0 */
/* The grid sequence (key mesh.grid_levels): runs on lattices of decreasing spacing, each started from the flow of a
 * coarser one, for error estimates and fast convergence. */
#ifndef PORTAFLOW_GRID_SEQUENCE_H
#define PORTAFLOW_GRID_SEQUENCE_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include <cjson/cJSON.h>

enum { GRID_RUN_NAME = LATTICE_NAME_MAX + 10, GRID_SEQUENCE_RUNS = 260 };

/* One run of the sequence. */
typedef struct {
    /* "level2", "wider", "narrower", "flow_<opening>", "distal_<opening>", "split_<pressure>", "porous_<region>",
     * "blood" or "mean"; "": the run on the finest level */
    char name[GRID_RUN_NAME];
    char lattice[64]; /* file name of the lattice, in the folder of mesh */
    double spacing_mm;
    double finest_part; /* spacing of the finest level over the spacing of this run */
    /* spacing of the coarsest level over the spacing of this run; all levels share the collision, which depends on the
     * coarsest level */
    double coarsest_part;
    int opening;        /* index in the case of the opening with a changed value; -1: none */
    int porous;         /* index in the case of the porous region with a changed permeability; -1: none */
    double factor;      /* factor on the value of this opening or on this permeability; 1: unchanged */
    int split_pressure; /* pressure of the split that is changed, enum case_split_pressure; -1: none */
    /* added to this pressure of the split, or to the distal or source pressure of this opening; 0: unchanged */
    double pressure_change_pa;
    double change; /* relative change of this value, or of the pressure drop of the split; 0: unknown, or unchanged */
    bool blood;    /* true: the run has shear-thinning blood (case_take_shear_thinning) */
    int start, start_coarser; /* indices of the runs that this run starts from (start_flow.h); -1: none */
    const cJSON *of_mesh;     /* entry of the run in mesh.json, borrowed; NULL: the finest lattice */
    /* true: the run computes the steady mean flow of a pulsatile case, from which the finest level starts */
    bool mean;
    bool taken;    /* true: grid_sequence_take found the result of an earlier call */
    cJSON *result; /* `result` from the record of the run, owned; NULL: not solved yet */
} grid_run;

typedef struct {
    int n;             /* number of runs; 1: only the finest level */
    double cells;      /* number of cells of the finest level, from mesh.json; NAN: unknown */
    bool omits_finest; /* the finest level is omitted, or expected to be (finest_level.h) */
    /* Record of the decision on the finest level, owned; NULL: no decision was due. Members: "requested": "auto" or the
     * given value of solve.accuracy; "of": the deciding value; "spacing_mm": spacing on which it was judged; "lattice",
     * "rest" and "limit": discretization error, other uncertainty and limit, fractions of the value; "omitted_mm":
     * spacing of the omitted finest level, null if it is solved; "message". */
    cJSON *accuracy;
    grid_run run[GRID_SEQUENCE_RUNS]; /* runs in the order in which they are solved; the finest level is last */
} grid_sequence;

/* Plans the runs from the case and result.grid_sequence of mesh.json. Steady: the coarsest level; on it, runs with a
 * moved wall, another blood model or a changed input; then the finer levels. Pulsatile: the mean flow on the coarsest
 * level, then the finest. Wall vlbm (first order), or no mesh.grid_levels: one run. */
void grid_sequence_plan(const case_file *c, const cJSON *mesh, double finest_mm, grid_sequence *a);
/* Plans the expected runs before mesh has run, for cost estimates. */
void grid_sequence_expect(const case_file *c, double finest_mm, grid_sequence *a);
void grid_sequence_free(grid_sequence *a);
/* Estimated computing time of run k, relative to the finest level: the ratio of spacings to the power -3. This is the
 * ratio of the numbers of cells; fewer steps on a coarse lattice are offset by a less accurate start. On the coarsest
 * level the time is 0.7 times this ratio. Mean flow of a pulsatile case: 0.01. If the finest level is omitted, the last
 * run takes 0.15 of the work of the run that it continues. In demo and CT phantom: level 2 estimated 0.36, measured
 * 0.24 and 0.35; level 3, the coarsest, estimated 0.09, measured 0.05 to 0.13. */
double grid_sequence_work(const grid_sequence *a, int k);
/* Tolerance of a run. On the finest level it is the tolerance of the case. Multiples of this tolerance for other runs:
 *   coarser level, or blood model        10, up to 1e-4
 *   moved wall or changed value          100, up to 5e-4, and 0.005 times the relative change of a value
 *   mean flow of a pulsatile case        1e-3, fixed
 * Never below the tolerance of the case. chosen: the case gives no tolerance (start_flow_tolerance); then the upper
 * limits hold. */
double grid_sequence_tolerance(const grid_run *g, double tolerance, bool chosen);

/* Value of run_settings.share_steps for run g: the number of steps that takes 0.45 of the cell updates of the finest
 * level. It is halved if the flow from which run g starts had not settled. finest_steps: expected steps on the finest
 * level. */
long grid_sequence_share_steps(const grid_sequence *a, const grid_run *g, double finest_steps);
/* Averaging time, s, of a run that stopped at share_steps and was averaged. NaN if the run settled, or reached
 * solve.max_steps without an average. */
double grid_sequence_share_mean_s(const grid_run *g);

/* Writes the file name of a run to `file`, such as "fields_level2.vtkhdf", and returns it. ending: without the dot. An
 * empty stem gives the name of the record, such as "level2.json". */
const char *grid_sequence_file(const grid_run *g, const char *stem, const char *ending, char file[128]);

/* Sets g->result if `folder` already holds the flow of run g. The flow must belong to the same `key` (digest of the
 * inputs) and have this tolerance or a smaller one. Errors: ERR_RESOURCE. */
MUST_CHECK int grid_sequence_take(const char *folder, const char *key, double tolerance, grid_run *g);

/* Removes from `folder` the files of runs of an earlier grid sequence that this sequence does not plan. */
void grid_sequence_clean(const grid_sequence *a, const case_file *c, const char *folder);

/* Adds to solve.json: result.grid_sequence, result.accuracy, and result.lattice and result.surface if the finest
 * lattice is omitted. Adds the fields of the runs to its outputs. grid_sequence has one entry per solved run:
 *   {"name", "lattice", "surface", "spacing_mm", "wall_shift_mm", "flow_of", "flow_factor" or "distal_change_pa",
 *    "split_of" and "split_change_pa", "porous_of", "permeability_factor", "blood", "result"}
 * "flow_of" is the opening with a changed value, either its flow, velocity, resistance or share, multiplied by
 * "flow_factor", or its distal pressure. "split_of" is a changed pressure of the split. "blood" is the model of the run
 * with shear-thinning blood. The mean flow of a pulsatile case is result.mean_flow, an entry of the same form. Errors:
 * ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int grid_sequence_record(const grid_sequence *a, const case_file *c, const char *folder, cJSON *json,
                                    cJSON *result);
#endif
