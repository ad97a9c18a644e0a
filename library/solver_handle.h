/* SPDX-License-Identifier: Apache-2.0 */
/* The handle pf_solver, shared by pf_solver.c, pf_cycles.c and pf_fields.c. */
#ifndef PORTAFLOW_SOLVER_HANDLE_H
#define PORTAFLOW_SOLVER_HANDLE_H
#include "library/handles.h"
#include "solve/setup/solve_job.h"

struct pf_solver {
    solve_job job; /* first member: the hooks of the time loop get a pointer to it */
    solve_options options;
    int gpu;                /* number of the GPU, if the solver is on one */
    grid_sequence sequence; /* one run, on the lattice of the caller */
    pf_lattice *lattice;    /* owner of the arrays of job.vessel.lattice */
    pf_case *source;        /* owner of all data of job.in.c except its array of openings */
    run_progress from;      /* progress with which the first run starts, if `started` is true */
    bool started;           /* true: the first run starts from a developed flow; false: from rest */
    bool has_run;           /* true: job.out.result holds a flow */
    bool has_failed;        /* true: the flow diverged, or another error ended a run */
    bool was_cancelled;     /* true: the running call was cancelled */
    bool is_pulsatile;      /* true: mode pulsatile */
    bool has_paused;        /* true: a pulsatile run has ended at until_step or until_s */
    long until_step;        /* pulsatile: the running call ends at the first monitor that reaches this step */
    double until_s;         /*     or this time */
    float *cycle_velocity;  /* [n_cell][3] pulsatile: velocity at the end of the last cycle (run_progress) */
    pf_fields **phase;      /* [n_phase of stores] fields of the cycle that was stored last */
    int n_phase;
    long max_steps; /* maximum number of steps of the case; endless: the number is only a default
                             * (run_settings.endless) */
    bool endless;
    atomic_bool *cancel; /* request of the context that runs the solver */
};

/* Copies the fields of the present flow. Errors: ERR_RESOURCE. */
MUST_CHECK int solver_copy_fields(const pf_solver *solver, double time_s, pf_fields **out);
/* Prepares a pulsatile solver: hooks and memory (pf_cycles.c). Errors: ERR_RESOURCE. */
MUST_CHECK int solver_open_cycles(pf_solver *s);
void solver_free_cycles(pf_solver *s);
/* Computes cycles to until_step or until_s, or if `whole` is true until the flow is periodic. Errors: as run(). */
MUST_CHECK int solver_run_cycles(pf_solver *s, bool whole);
#endif
