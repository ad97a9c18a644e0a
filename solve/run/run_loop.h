/* What the parts of run() share, and one step after another. Errors of all parts, which end the run: ERR_NUMERIC (the
 * flow diverged), ERR_RESOURCE, those of run_hooks. */
#ifndef PORTAFLOW_RUN_LOOP_H
#define PORTAFLOW_RUN_LOOP_H
#include "common/base/must_check.h"
#include "solve/run/anderson.h"
#include "solve/run/run_settings.h"

/* Anderson mixing of a steady run. */
typedef struct {
    int window;   /* steps, a multiple of monitor_every; 0: none */
    bool running; /* a window is */
    anderson states;
    double before;   /* residual of the last window, INFINITY: not to compare with */
    double least;    /* residual so far */
    double fastest;  /* lattice velocity at the start of the window */
    int still, back; /* windows without a residual that falls; times a mix was taken back */
    int grows;       /* windows in a row that show a steady flow which plain steps leave */
    double restless; /* part of the last windows that show one, about */
    bool waits;      /* until changes fall (run_settings.restless) */
} run_acceleration;

/* The correction of a run (run_hooks.correct). */
typedef struct {
    int wanted; /* still */
    state_fields before;
    double before_s; /* its time */
    long begin;      /* its step */
} run_correct;

typedef struct {
    const run_settings *r;
    run_result *result;
    run_progress *p;         /* = &result->progress */
    prescribed_value *given; /* [monitor_every][n_opening] */
    float *cycle_old;        /* [n_cell][3] velocity at the end of the last cycle; pulsatile */
    float *cycle_new;
    double started_s, checkpoint_at_s;
    long first_step;
    bool near;         /* steady, and it began with a flow near the one that it settles to */
    bool at_once;      /* outlets follow at once */
    long written_step; /* when the flow that it begins with was written to the backend */
    double wall_links; /* that interpolate, 0 for vlbm */
    int64_t fast_cell; /* in the whole lattice: the fastest when the velocity was last seen to be high, -1: never */
    double fast;       /* its velocity */
    run_acceleration mix;
    run_correct correct;
    double error; /* of the means, the worst standard error of 16, 32, .. samples, relative; NAN before */
} run_loop;

/* Steps, with the openings' values at each. */
MUST_CHECK int run_advance(run_loop *l, long steps);
/* A checkpoint when it is time for one. */
MUST_CHECK int run_keep(run_loop *l);

/* Does opening k have a given flow that leaves, in steady flow, which is corrected (run_balance.h)? */
bool run_led_out(const run_loop *l, int k);
/* Time of a step `ahead` of where the run stands; of cycles exactly as of a run in one go. */
double run_loop_time(const run_loop *l, long ahead);
/* given [n_opening], as the case prescribes it: outflows times 1 + leave, pressures shifted from the openings' planes
 * to where the lattice has them; passed [n_opening] (m3/s): the flows. */
void run_loop_apply_corrections(const run_loop *l, double leave, const double *passed, prescribed_value *given);
/* The monitor's flows and densities become those of the openings' planes: flows as given, not as asked for. */
void run_loop_at_planes(const run_loop *l, double leave, const backend_monitor *m);
/* Wall-clock time that `flow_s` of the flow takes at the speed of this run so far. */
double run_wall_s(const run_loop *l, double flow_s);
#endif
