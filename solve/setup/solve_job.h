/* SPDX-License-Identifier: Apache-2.0 */
/* One run of solve, from options to files, in four structs by lifetime. */
#ifndef PORTAFLOW_SOLVE_JOB_H
#define PORTAFLOW_SOLVE_JOB_H
#include "common/base/must_check.h"
#include "common/lattice/lattice_part.h"
#include "common/lattice/potential_flow.h"
#include "solve/core/heat_gaps.h"
#include "solve/output/stored_files.h"
#include "solve/start/grid_sequence.h"
#include "solve/ranks/partition.h"
#include "solve/run/run.h"
#include "solve/setup/solve_options.h"
#include "solve/output/field_store.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* Input of a run. Set by setup_open, constant until the end. */
typedef struct {
    const solve_options *options;
    case_file c;
    grid_sequence *sequence; /* all runs of the grid sequence, borrowed */
    grid_run *grid;          /* entry of this run in `sequence` */
    /* stage whose record describes the lattice: "mesh", or "preview" for the coarser lattice of a dry run */
    const char *record;
    double asked_mm;            /* requested spacing of the lattice, mm; 0: the spacing of the lattice that was read */
    bool beside;                /* true: this run is part of another solve call, which has already locked the folder */
    double wall_uncertainty_mm; /* half-width of the 95 % interval of a shift of the wall; NaN: unknown */
    char digest[17], lattice_sum[17];
    char *lattice_path, *checkpoint_path, *monitors_path, *json_path;
} solve_inputs;

/* The vessel on the lattice. Built before the first step, independent of the time step. */
typedef struct {
    /* the lattice: all cells, or with several ranks the cells of this rank and, until the domain is built, their
     * neighbours */
    lattice lattice;
    lattice_part share; /* with several ranks: number and mark of each cell of `lattice` in the whole lattice */
    partition bricks;   /* with several ranks: the partition, until the domain is built */
    bool periodic[3];
    halo halo;
    lattice coarse;         /* the same vessel with about a million cells, if `lattice` has more cells */
    const lattice *preview; /* `coarse`, or `lattice` if it is small; time step and initial flow are computed on it */
    boundary_values openings;
    heat_boundary_values heat;
    heat_gaps gaps;                       /* gaps that were closed in the lattice of a run with heat */
    potential_flow_result reach;          /* potential flow of the vessel; shows the place of the largest velocity */
    double porous_factor[POROUS_REGIONS]; /* factor on the drag of each porous region (porous_walls) */
    double radius_cells;                  /* radius of the widest cross-section, cells */
    domain domain;
} solve_vessel;

/* State of the time loop. Rebuilt when the time step changes. */
typedef struct {
    scale_request request;
    scale scale;
    backend_settings settings;
    viscosity_table viscosity; /* settings.viscosity of shear-thinning blood */
    porous_media porous;       /* settings.porous of a case with porous regions */
    run_settings run;
    bool has_diverged; /* true: the flow has diverged once, so stresses are limited */
    char key[64];      /* key of the job (solve_job_key) */
} solve_march;

/* Results, and the files open during the run. */
typedef struct {
    run_result result;
    double corrected_cell_steps; /* number of cell updates spent on coarse corrections */
    bool supply_told;            /* true: the user was warned that outlets take more than inlets supply */
    int lock;                    /* descriptor of the lock on the output folder */
    FILE *monitors;
    cJSON *json;
    double *store_time_s;              /* [stores] time of each stored instant */
    char stored_sum[STORED_FILES_SUM]; /* checksums of all instants stored so far */
    field_store behind;                /* writer of the last instant, which runs in another thread */
} solve_results;

/* Everything of one run; solve_job_free frees it. */
typedef struct {
    solve_inputs in;
    solve_vessel vessel;
    solve_march march;
    solve_results out;
} solve_job;

void solve_job_free(solve_job *j);
/* Sets march.key: checksum of everything that a checkpoint must share with a run: lattice, physics, boundary
 * conditions, program. Tolerance and step limits are not included. */
void solve_job_key(solve_job *j);

#endif
