/* SPDX-License-Identifier: Apache-2.0 */
/* The handle pf_solver, shared with pf_fields.c. */
#ifndef PORTAFLOW_PF_SOLVER_H
#define PORTAFLOW_PF_SOLVER_H
#include "library/handles.h"
#include "solve/setup/solve_job.h"

struct pf_solver {
    solve_job job; /* first member: the hooks of the time loop get a pointer to it */
    solve_options options;
    grid_sequence sequence; /* one run, on the lattice of the caller */
    pf_lattice *lattice;    /* owner of the arrays of job.vessel.lattice */
    pf_case *source;        /* owner of all data of job.in.c except its array of openings */
    run_progress from;      /* progress with which the first run starts, if `started` is true */
    bool started;           /* true: the first run starts from a developed flow; false: from rest */
    bool has_run;           /* true: job.out.result holds a flow */
    bool has_failed;        /* true: the flow diverged, or another error ended a run */
    bool was_cancelled;     /* true: the running call was cancelled */
    long max_steps;         /* maximum number of steps of the case; endless: the number is only a default
                             * (run_settings.endless) */
    bool endless;
    atomic_bool *cancel; /* request of the context that runs the solver */
};
#endif
