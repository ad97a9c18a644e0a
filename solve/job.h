/* One run of solve, from the options to the files: what its parts share. job.c: what is read; job_part.c: that of
 * several ranks; job_step.c: the time step and the backend for it; job_hooks.c: what the time loop calls; solve.c: all
 * of it in order. */
#ifndef PORTAFLOW_JOB_H
#define PORTAFLOW_JOB_H
#include "common/base/must_check.h"
#include "common/lattice/lattice_part.h"
#include "common/lattice/potential_flow.h"
#include "solve/core/heat_gaps.h"
#include "solve/kept.h"
#include "solve/ladder.h"
#include "solve/ranks/partition.h"
#include "solve/run/run.h"
#include "solve/solve.h"
#include "solve/store.h"
#include <cjson/cJSON.h>

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
    driving g;
    heat_driving heat;
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
    double corrected_cell_steps; /* updates on the coarser lattice for this run (correct.h) */
    int lock;                    /* on the folder of the results */
    double *store_time_s;        /* [stores] */
    cJSON *json;
    char stored_sum[KEPT_SUM]; /* of the instants stored so far */
    store behind;              /* the last instant, being written */
    ladder *all;               /* the runs of mesh.ladder, borrowed */
    ladder_run *one;           /* this one of them */
    const char *record;        /* of its lattice: "mesh", or of a dry run that of a coarser one */
    double asked_mm;           /* the spacing that counts; 0: the lattice's own */
} job;

/* Reads the case and the lattice of j->one, locks the folder of the results. Errors: those of the readers, ERR_INPUT
 * where the lattice is missing or another case's, ERR_OUTPUT. Freed in any case. */
MUST_CHECK int job_open(job *j, const solve_options *o);
void job_free(job *j);
/* key: what a checkpoint must agree in to be continued: the lattice, the physics, what the openings do, the program.
 * Not the limits. */
void job_key(job *j);

enum { JOB_LOOK_MOST = 1000000 }; /* cells of job.look, about: of more, they cost more than they tell */
/* Of several ranks, job_part.c: the own part of the lattice, and job.look; then its domain. Errors: those of
 * lattice_part_read, ERR_INPUT (fewer cells than ranks). */
MUST_CHECK int job_part_read(job *j);
MUST_CHECK int job_part_domain(job *j);

double job_length_cells(const lattice *l); /* diagonal of the box */
/* Steps of a period of the slowest sound in the box: four times its diagonal at the lattice's sound, 1/sqrt 3. */
int job_sound_steps(const lattice *l);
/* Errors: ERR_INPUT when nothing of the case drives a flow. */
MUST_CHECK int job_driven(const case_file *c);
/* What drives the flow, where it will be fastest, and the step for that; then the domain and a backend at rest.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int job_scale(job *j);
/* The domain and the device, and the bytes that a backend would take there and that are free. */
MUST_CHECK int job_domain(job *j, double *needed, double *available);
MUST_CHECK int job_backend(job *j);
void job_instants(job *j); /* times of the stored instants, whole steps */
/* Whether the step is the program's, so that it may change it. */
bool job_chooses_step(const job *j);
/* Whether it steps on a GPU, where what the processor does to save steps takes longer than they do. */
bool job_on_gpu(const job *j);
/* Scale and backend for a step of dt_s; the new backend is at rest. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int job_retime(job *j, double dt_s);
/* A checkpoint of a run whose step was changed: the backend for it takes over what was read. */
MUST_CHECK int job_resume_pace(job *j, const run_progress *from);

/* The flow of coarser runs as the start of this one: into the backend, and `from` (NULL: it has one; for the tolerance
 * alone, where the case gives none); *started stays as it is where there is none. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int job_start(job *j, run_progress *from, bool *started);
/* Pressures of the run g as the lattice of j has them: with driving.rest they are shifted in files. */
void job_from_zero(const job *j, const ladder_run *g, int64_t n_cell, fields *f);

/* Settings and hooks of the time loop. */
void job_settings(job *j);
/* Keeps a checkpoint; ERR_RESOURCE when the user asked to stop. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int job_keep(void *job, const run_progress *p);
#endif
