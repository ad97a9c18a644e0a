/* SPDX-License-Identifier: Apache-2.0 */
/* State and functions shared by the parts of the time loop. Errors of all parts, which end the run: ERR_NUMERIC (the
 * flow diverged), ERR_RESOURCE, errors of run_hooks. */
#ifndef PORTAFLOW_RUN_LOOP_H
#define PORTAFLOW_RUN_LOOP_H
#include "common/base/must_check.h"
#include "solve/run/anderson.h"
#include "solve/run/run_settings.h"

/* Anderson acceleration of a steady run. */
typedef struct {
    int window;   /* number of steps per window, a multiple of monitor_every; 0: no acceleration */
    bool running; /* true: a window is in progress */
    anderson states;
    double before;  /* residual of the previous window; INFINITY: unknown */
    double least;   /* smallest residual so far */
    double fastest; /* largest lattice velocity at the start of the window */
    /* windows in a row without a falling residual; number of Anderson steps undone */
    int windows_without_fall, steps_undone;
    int growing_windows; /* number of windows in a row that show an unstable steady state */
    /* fraction of recent windows whose growth exceeds UNSTEADY_GROWTH: moving average over windows */
    double unsteady_part;
    bool waits_for_fall; /* true: no Anderson step until the residual falls (run_settings.starts_unsteady) */
} run_acceleration;

/* Coarse correction of a run (run_hooks.correct). */
typedef struct {
    int wanted; /* number of corrections still to be made */
    state_fields before;
    double before_s; /* time at which the state `before` was stored, s */
    long begin;      /* step at which the state `before` was stored */
} run_correct;

typedef struct {
    const run_settings *r;
    run_result *result;
    run_progress *p;         /* progress of the run: &result->progress */
    prescribed_value *given; /* [monitor_every][domain_given] boundary values */
    float *cycle_old;        /* [n_cell][3] velocity at the end of the last cycle, lattice units; for pulsatile flow
                              * only */
    float *cycle_new;
    double started_s, checkpoint_at_s;
    long first_step;
    bool near;         /* true: a steady run that starts near its steady state */
    bool at_once;      /* true: pressure outlets take their prescribed pressure at once (backend_table.set_outlets) */
    long written_step; /* step at which a start state was last written to the backend */
    double wall_links; /* number of interpolated wall links; 0 for wall vlbm */
    /* number in the whole lattice of the cell with the largest velocity, at the last monitor with a velocity above
     * FAST (run_observe.c); -1: there was none */
    int64_t fast_cell;
    double fast;                           /* velocity of fast_cell, lattice units */
    double openings_before[OPENING_PORTS]; /* pressures of the ports at the start of the last run_openings_step */
    opening_state *openings_kept;          /* [BACKEND_PLACES] networks of the stored states (run_openings.h) */
    long observed_step;                    /* step of the last run_openings_observe */
    run_acceleration acceleration;
    run_correct correct;
    /* largest relative standard error of all means, computed every 16 samples; NAN before the first 16, INFINITY below
     * 64 */
    double error;
} run_loop;

/* Advances `steps` steps, each with its own boundary values. */
MUST_CHECK int run_advance(run_loop *l, long steps);
/* Writes a checkpoint if one is due. */
MUST_CHECK int run_checkpoint(run_loop *l);

/* True when opening k is a prescribed outflow of a steady flow. Its boundary rule (kernels/link.h) has a flow error of
 * up to 0.3 %, which run_balance corrects. */
bool run_corrects_outflow(const run_loop *l, int k);
/* Time of the step `ahead` steps from now, s. In pulsatile flow it has the same bits as in an uninterrupted run. */
double run_loop_time(const run_loop *l, long ahead);
/* Scales prescribed outflows by 1 + correction. Shifts prescribed pressures from the opening planes to the outlet
 * cells. given [n_opening] in and out; passed [n_opening] flows, m3/s. */
void run_loop_apply_corrections(const run_loop *l, double correction, const double *passed, prescribed_value *given);
/* Converts the monitor's flows and densities to the planes of the openings. Divides corrected outflows by 1 +
 * correction. In pulsatile flow, replaces f_a of the monitor by f_a(t+1) in eq. 12 of solve/BOUNDARY_LINKS.md. */
void run_loop_at_planes(const run_loop *l, double correction, const backend_monitor *m);
/* Wall-clock seconds for flow_s seconds of flow at the average speed of this run. */
double run_wall_s(const run_loop *l, double flow_s);
#endif
