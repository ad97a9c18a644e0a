/* What the parts of run() share: run.c (one step after another, monitors), run_pace.c (another time step),
 * run_steady.c, run_average.c (a flow that does not become steady), run_cycles.c. Errors of all, which
 * end the run: ERR_NUMERIC (the flow diverged), ERR_RESOURCE, those of run_hooks. */
#ifndef PORTAFLOW_RUN_LOOP_H
#define PORTAFLOW_RUN_LOOP_H
#include "common/base/must_check.h"
#include "solve/run/mixing.h"
#include "solve/run/run.h"

/* Anderson mixing of a steady run. */
typedef struct {
    int window;   /* steps, a multiple of monitor_every; 0: none */
    bool running; /* a window is */
    mixing states;
    double before;   /* residual of the last window, INFINITY: not to compare with */
    double least;    /* residual so far */
    double fastest;  /* lattice velocity at the start of the window */
    int still, back; /* windows without a residual that falls; times a mix was taken back */
    int grows;       /* windows in a row that show a steady flow which plain steps leave */
    double restless; /* part of the last windows that show one, about */
    bool waits;      /* until changes fall (run_settings.restless) */
} run_mix;

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
    run_progress *p;  /* = &result->progress */
    double *value;    /* [monitor_every][n_opening] */
    float *cycle_old; /* [n_cell][3] velocity at the end of the last cycle; pulsatile */
    float *cycle_new;
    double started_s, checkpoint_at_s;
    long first_step;
    bool near;         /* steady, and it began with a flow near the one that it settles to */
    bool at_once;      /* outlets follow at once */
    long written_step; /* when the flow that it begins with was written to the backend */
    double wall_links; /* that interpolate, 0 for vlbm */
    int64_t fast_cell; /* in the whole lattice: the fastest when the velocity was last seen to be high, -1: never */
    double fast;       /* its velocity */
    run_mix mix;
    run_correct correct;
    double error; /* of the means, the worst standard error of 16, 32, .. samples, relative; NAN before */
} run_loop;

/* Steps, with the openings' values at each. */
MUST_CHECK int run_advance(run_loop *l, long steps);
/* One monitor: result->last, flow and density; the walls' balance; a flow that diverged goes on with half the step
 * (`retimes` is larger then) or ends with the sentence of hooks.diverged. */
MUST_CHECK int run_observe(run_loop *l);
/* A checkpoint when it is time for one. */
MUST_CHECK int run_keep(run_loop *l);

/* run_balance.c. A given flow that leaves, in steady flow: the rule does not quite keep what it is asked for. After a
 * good monitor: the gain of the walls, and what is asked for beside the flows that leave. */
bool run_led_out(const run_loop *l, int k);
void run_balance(run_loop *l, const backend_monitor *m);

/* run_pace.c. Whether the step may still be changed; on from the last good state with half of it; after a good
 * monitor: fit it to the velocity that was found, and keep a good state now and then. */
bool run_pace_free(const run_loop *l);
MUST_CHECK int run_pace_recover(run_loop *l);
MUST_CHECK int run_pace_adapt(run_loop *l);
/* The state at the start of a cycle, from which run_pace_recover goes on where steps_per_period is above 0. */
MUST_CHECK int run_pace_keep_cycle(run_loop *l);

/* run_average.c. Is share_steps over, and the flow not about to settle? Is so much more over that it ends without a
 * result? May it be averaged: it has had the time that its slowest ways to settle take, or is known to be restless? One
 * monitor into the means (the first call begins them); whether it was the last: flow and density of the result are
 * means then. For the progress: what to say, and the time of the flow that is left until they are done (of a flow that
 * settles, NAN or INFINITY before it is seen to: `settle_s`). */
bool run_average_share_used(const run_loop *l);
bool run_average_spent(const run_loop *l);
bool run_average_due(const run_loop *l);
MUST_CHECK int run_average_add(run_loop *l);
bool run_average_done(run_loop *l);
void run_average_note(const run_loop *l, char *note, size_t size);
double run_average_left_s(const run_loop *l, double settle_s);

/* run_mix.c. Is the run mixing states? After a good monitor: a window may end here, and the next one begin at a mixed
 * state. Did the last window pass in plain steps (what a steady state is judged by), and is it not one that
 * plain steps may leave? After a divergence: on from the
 * last state that was kept, without mixing; recovered: there was one. restart: the backend is another one. */
void run_mix_create(run_loop *l);
void run_mix_free(run_loop *l);
bool run_mix_on(const run_loop *l);
MUST_CHECK int run_mix_add(run_loop *l);
bool run_mix_plain(const run_loop *l);
MUST_CHECK int run_mix_recover(run_loop *l, bool *recovered);
void run_mix_restart(run_loop *l);
/* The flow calms down: its changes fell by a third and more, and by more than chance, in the second half of the run so
 * far. */
bool run_mix_falls(const run_loop *l);
/* It is switched off, with a line. */
void run_mix_end(run_loop *l, const char *why);

/* run_correct.c. Is the correction still to come (no states are mixed, nothing has converged)? After a good monitor: it
 * may be made here. */
void run_correct_create(run_loop *l);
void run_correct_free(run_loop *l);
bool run_correct_on(const run_loop *l);
MUST_CHECK int run_correct_add(run_loop *l);

/* Wall-clock time that `flow_s` of the flow takes at the speed of this run so far; run.c. */
double run_wall_s(const run_loop *l, double flow_s);

/* The two loops. */
MUST_CHECK int run_steady(run_loop *l);
MUST_CHECK int run_cycles(run_loop *l);
#endif
