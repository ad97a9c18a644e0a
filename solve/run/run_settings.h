/* What a run is given, where it stands and what it finds: the types of the time loop, and figures
 * that follow from them. */
#ifndef PORTAFLOW_RUN_SETTINGS_H
#define PORTAFLOW_RUN_SETTINGS_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"
#include "solve/core/scale.h"
#include "solve/boundary/boundary_values.h"
#include "solve/statistics/fluctuation.h"
#include "solve/boundary/heat_boundary_values.h"

typedef struct {
    long step;
    double time_s, change, velocity_max, mass;
    double balance;        /* |sum of flows| / sum of inflows; 0 without openings */
    const double *flow;    /* [n_opening] lattice units, positive into the fluid */
    const double *density; /* [n_opening] */
    double
        heat_change; /* with heat: relative change of the temperature in the time that heat takes to cross the radius */
    double heat_balance;     /* |sum of heat_flux| over half the sum of |heat_flux|; 0 without heat */
    const double *heat_flux; /* [n_side] lattice units, into the fluid */
} run_monitor;

/* Where a run stands: all that a checkpoint needs beside the slots. */
typedef struct {
    long step;
    int cycle;                  /* complete cycles */
    bool last_cycle;            /* the running cycle is the stored one */
    double cycle_change;        /* velocity change over the last complete cycle, NaN before there are two */
    double cycle_change_before; /* one cycle earlier, NaN before there are three */
    bool restless;              /* once the change did not fall from one cycle to the next: more cycles are no help */
    int stored;                 /* instants stored so far */
    double velocity_max;        /* pulsatile: largest of the running cycle, lattice units */
    double time_before_s;       /* wall-clock time of earlier parts of a resumed run */
    double mass_correction,
        mass_correction_before; /* of every wall link (kernels/link.h), now and before the last monitor */
    double mass_correction_from, mass_correction_goal; /* pulsatile: between which it is in this cycle */
    double leave, leave_before; /* what is asked for beyond a given flow that leaves, of it; now and before */
    double missed, asked;       /* mass that such flows brought beside what was asked, and that, since leave_step */
    long leave_step;            /* -1: the state is a new one */
    /* Flow through each opening into the fluid at the last monitor and the one before, m3/s: what
     * driving.setback_pa_s_m3 goes with. */
    double passed[BACKEND_OPENINGS], passed_before[BACKEND_OPENINGS];
    double entered, kept;      /* mass: through the openings since mass_correction_step (pulsatile: and what walls gave
                                            back), and in the cells then */
    long mass_correction_step; /* when the mass correction was set */
    double change, balance;    /* of the last monitor */
    double time_s;             /* physical time of `step` */
    double pace;               /* the step in units of the one chosen before the start, 1 */
    double dt_s;               /* the step */
    int retimes;               /* how often it was changed */
    bool diverged;             /* the flow did once, or was about to */
    long monitors;             /* since the start or the last change of the step */
    double target;             /* largest lattice velocity that the step was chosen for */
    double good_time_s[2], good_pace[2]; /* of run_result.good */
    bool averaging;                      /* the change has stopped falling */
    bool quiet;                          /* averaged: it changes a little, but is where it will be */
    bool share_used;                     /* share_steps are over, and it had not settled */
    bool falling;                        /* then: but its changes were falling */
    bool unmixed;                        /* steady acceleration is switched off, at plain_s */
    double plain_s;                      /* 0: never */
    long mixed_step;                     /* all steps since are plain */
    double begin_s;                      /* of averaging */
    long field_gap;                      /* monitors between two fields */
    const float
        *cycle_velocity; /* [n_cell][3] at the end of the last complete cycle, lattice units; NULL when steady */
} run_progress;

/* A flow that diverged. */
typedef struct {
    long step;
    int64_t cell; /* of the whole lattice (domain_number) */
    bool origin;  /* the fastest cell of the last good monitor at which the velocity was high; else the first bad one */
} run_trouble;

/* What they return but OK ends the run. */
typedef struct {
    void *data;
    MUST_CHECK int (*monitor)(void *data, const run_monitor *m);
    /* Called at monitor steps when checkpoint_s has passed. */
    MUST_CHECK int (*checkpoint)(void *data, const run_progress *p);
    MUST_CHECK int (*store)(void *data, int index, double time_s); /* pulsatile instants */
    MUST_CHECK int (*diverged)(void *data, const run_trouble *t);  /* records the sentence, returns ERR_NUMERIC */
    void (*restless)(void *data, const run_progress *p);           /* once, of progress.restless */
    /* Makes the step `factor` times as long and puts the state f (lattice units of the old step, changed) into a
     * backend for it: settings.s and settings.b are new afterwards; diverged: the flow did, or is about to. NULL: the
     * step stays. */
    MUST_CHECK int (*retime)(void *data, double factor, bool diverged, state_fields *f);
    void (*averaging)(void *data, const run_progress *p); /* once, when it begins */
    /* Of a steady run that begins with a flow, `corrections` times: adds what is left of the way to the steady flow, as
     * far as something knows it, to `now`, the state at the end of a window of time_s that began with `before`, and
     * puts it into a backend: settings.b is new afterwards. NULL: nothing does. */
    MUST_CHECK int (*correct)(void *data, const state_fields *before, double time_s, state_fields *now);
} run_hooks;

typedef struct {
    const domain *d;
    const boundary_values *g;
    const scale *s;
    const backend_table *table;
    backend *b;
    double tolerance;
    long max_steps;
    int monitor_every;         /* even */
    int cycles, stores;        /* pulsatile */
    double radius_cells;       /* of the reference time T */
    int mass_correction_every; /* least number of steps between two settings of the mass correction */
    double length_cells;       /* of the vessel */
    double fastest_across;     /* cells across the fastest place */
    int mix_every;             /* steady: steps between two mixes of states (anderson.h), about; 0: none */
    bool endless;              /* max_steps is the program's: a flow that still settles may pass it */
    long share_steps;          /* steady: a flow that is not about to settle, within four times as many, after so many
                                 steps is averaged over one passage, and that is the result; 0: never */
    bool restless;             /* steady: it begins with the mean of an unsteady flow; no mixing until changes fall */
    int corrections;           /* calls of hooks.correct */
    double ramp_s;             /* time over which flows rise from rest */
    double checkpoint_s;       /* 0: never */
    const heat_boundary_values *heat; /* NULL: none */
    run_hooks hooks;
} run_settings;

typedef struct {
    bool converged;
    double cycles_left;   /* pulsatile: what is left of the way of the velocity, of it (settling.h) */
    bool unsteady;        /* means and swings are in `statistics`; flow and density are means */
    double unsteady_s;    /* time that was averaged; 0: none was */
    double largest_swing; /* then: standard deviation of the pressure or flow that varies most, relative */
    fluctuation statistics;
    state_fields good[2]; /* of a run whose step may change: the last two good states, newest first; pulsatile: [0], at
                             the start of the running cycle */
    run_progress progress;
    run_monitor last;    /* flow and density point into the result */
    double velocity_max; /* largest seen: steady at the end, pulsatile in the last cycle; lattice units */
    double flow[256], density[256], heat_flux[HEAT_SIDES];
    double seconds, mlups; /* of this call's steps, monitors included; mlups NaN without a step */
} run_result;

/* Default of monitor_every: a relaxation time of the widest passage, even, 20..100. */
int run_monitor_every(double radius_cells, double viscosity);

/* Of the largest velocity that was found, steady at the end, pulsatile in the last cycle: its cell Reynolds number, and
 * the part of a drop that is the lattice's own (common/lattice/resolution.h). */
double run_cell_reynolds(const run_settings *r, const run_result *result);
double run_friction(const run_settings *r, const run_result *result);

/* Steps in which viscosity crosses the widest passage. */
double run_viscous_steps(const run_settings *r);

/* Steps in which blood moves on by one radius, or viscosity crosses it if that is sooner. */
double run_reference_steps(const run_settings *r);

/* Sum of the densities over the cells of the whole lattice. Errors: those of ranks_sums. */
MUST_CHECK int run_mass(const domain *d, const state_fields *f, double *mass);

/* The result must be freed (safe on a zeroed one). */
void run_result_free(run_result *result);
#endif
