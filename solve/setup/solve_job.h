/* One run of solve, from the options to the files: what its parts share, freed in one place. */
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

/* What a run is given. Set by setup_open, the same until the end. */
typedef struct {
    const solve_options *options;
    case_file c;
    grid_sequence *sequence; /* the runs of mesh.ladder, borrowed */
    grid_run *grid;          /* this one of them */
    const char *record;      /* of its lattice: "mesh", or of a dry run that of a coarser one */
    double asked_mm;         /* the spacing that counts; 0: the lattice's own */
    bool beside;             /* of another run, whose folder is locked already */
    char digest[17], lattice_sum[17];
    char *lattice_path, *checkpoint_path, *monitors_path, *json_path;
} solve_inputs;

/* The vessel on the lattice. Made before the first step; steps do not change it. */
typedef struct {
    lattice lattice;    /* of several ranks: the own cells, until the domain is made those around them, too */
    lattice_part share; /* then: what else is known of them; its lattice is the one above */
    partition bricks;   /* then: whose cells are whose, until the domain is made */
    bool periodic[3];
    halo halo;
    lattice coarse;         /* the same vessel with at most about a million cells, where it has more */
    const lattice *preview; /* that, else the lattice: where step and first guess are found */
    boundary_values openings;
    heat_boundary_values heat;
    heat_gaps gaps;              /* closed in the lattice */
    potential_flow_result reach; /* where the flow will be fastest */
    double radius_cells;         /* of the widest passage */
    domain domain;
} solve_vessel;

/* The march in time. A changed time step makes it anew. */
typedef struct {
    scale_request request;
    scale scale;
    backend_settings settings;
    run_settings run;
    bool has_diverged; /* once, so that stresses are limited */
    char key[64];      /* solve_job_key */
} solve_march;

/* What comes out: numbers, and the files that are open meanwhile. */
typedef struct {
    run_result result;
    double corrected_cell_steps; /* updates on the coarser lattice for this run (coarse_correction.h) */
    bool supply_told;            /* that outlets take more than inlets bring */
    int lock;                    /* on the folder of the results */
    FILE *monitors;
    cJSON *json;
    double *store_time_s;              /* [stores] */
    char stored_sum[STORED_FILES_SUM]; /* of the instants stored so far */
    field_store behind;                /* the last instant, being written */
} solve_results;

/* Everything of one run by how long it holds, freed in one place. */
typedef struct {
    solve_inputs in;
    solve_vessel vessel;
    solve_march march;
    solve_results out;
} solve_job;

void solve_job_free(solve_job *j);
/* key: what a checkpoint must agree in to be continued: the lattice, the physics, what the openings do, the program.
 * Not the limits. */
void solve_job_key(solve_job *j);

#endif
