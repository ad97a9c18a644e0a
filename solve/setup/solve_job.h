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

/* Everything of one run, freed in one place. */
typedef struct {
    const solve_options *o;
    case_file c;
    lattice l;          /* of several ranks: the own cells, until the domain is made those around them, too */
    lattice_part share; /* then: what else is known of them; its lattice is l */
    partition bricks;   /* then: whose cells are whose, until the domain is made */
    bool periodic[3];
    halo h;
    lattice coarse;      /* the same vessel with at most about a million cells, where l has more */
    const lattice *look; /* that, else l: where step and first guess are found */
    boundary_values g;
    heat_boundary_values heat;
    heat_gaps gaps;              /* closed in l */
    potential_flow_result reach; /* where the flow will be fastest */
    scale_request request;
    scale s;
    domain d;
    backend_settings settings;
    run_settings r;
    run_result result;
    double radius_cells;
    char digest[17], lattice_sum[17], key[64];
    char *lattice_path, *checkpoint_path, *monitors_path, *json_path;
    FILE *monitors;
    bool has_diverged;           /* once, so that stresses are limited */
    bool supply_told;            /* that outlets take more than inlets bring */
    bool beside;                 /* of another run, whose folder is locked already */
    double corrected_cell_steps; /* updates on the coarser lattice for this run (coarse_correction.h) */
    int lock;                    /* on the folder of the results */
    double *store_time_s;        /* [stores] */
    cJSON *json;
    char stored_sum[STORED_FILES_SUM]; /* of the instants stored so far */
    field_store behind;                /* the last instant, being written */
    grid_sequence *all;                /* the runs of mesh.ladder, borrowed */
    grid_run *one;                     /* this one of them */
    const char *record;                /* of its lattice: "mesh", or of a dry run that of a coarser one */
    double asked_mm;                   /* the spacing that counts; 0: the lattice's own */
} solve_job;

void solve_job_free(solve_job *j);
/* key: what a checkpoint must agree in to be continued: the lattice, the physics, what the openings do, the program.
 * Not the limits. */
void solve_job_key(solve_job *j);

#endif
