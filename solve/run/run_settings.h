/* Types of the time loop: settings, progress, result, hooks; and figures that follow from them. */
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
    const double *density; /* [n_opening] lattice units */
    double
        /* with heat: relative change of the temperature, scaled to the time in which heat crosses the radius */
        heat_change;
    double heat_balance;     /* |sum of heat_flux| over half the sum of |heat_flux|; 0 without heat */
    const double *heat_flux; /* [n_side] lattice units, positive into the fluid */
} run_monitor;

/* Progress of a run: everything that a checkpoint holds in addition to the populations. */
typedef struct {
    long step;
    int cycle;       /* complete cycles */
    bool last_cycle; /* the running cycle is the stored one */
    /* relative velocity difference between the last two complete cycles; NaN before there are two */
    double cycle_change;
    double cycle_change_before; /* the same one cycle earlier; NaN before there are three */
    bool not_periodic;          /* the difference stopped falling from cycle to cycle */
    int stored;                 /* instants stored so far */
    double velocity_max;        /* pulsatile: largest velocity of the running cycle, lattice units */
    double time_before_s;       /* wall-clock time before a restart, s */
    double mass_correction,
        mass_correction_before; /* mass added at every wall link (kernels/link.h), now and before the last monitor */
    /* pulsatile: mass correction at the start and at the end of this cycle */
    double mass_correction_from, mass_correction_goal;
    double outflow_correction,
        outflow_correction_before; /* relative correction of prescribed outflows, now and before the last monitor */
    double outflow_error,
        outflow_prescribed; /* outflow mass error and prescribed outflow mass, summed since outflow_step */
    long outflow_step;      /* step from which these sums count; -1: the state was just replaced */
    /* flow through each opening into the fluid at the last two monitors, m3/s; used with
     * boundary_values.setback_pa_s_m3 */
    double passed[BACKEND_OPENINGS], passed_before[BACKEND_OPENINGS];
    /* mass that entered through openings since mass_correction_step (pulsatile: and through wall links); mass in all
     * cells at that step */
    double entered, kept;
    long mass_correction_step;           /* step of the last mass correction */
    double change, balance;              /* values of the last monitor */
    double time_s;                       /* time of `step`, s */
    double pace;                         /* present time step over the initial one */
    double dt_s;                         /* present time step, s */
    int retimes;                         /* number of changes of the time step */
    bool diverged;                       /* the flow diverged or was about to */
    long monitors;                       /* monitors since the start or the last change of the step */
    double target;                       /* largest lattice velocity that the step was chosen for */
    double good_time_s[2], good_pace[2]; /* times and values of `pace` of run_result.good */
    bool averaging;                      /* averaging has started */
    /* averaged a flow that is nearly steady: it varies a little about its final state */
    bool quiet;
    bool share_used;       /* ended by share_steps before it settled */
    bool falling;          /* share_used, and the residual was still falling */
    bool acceleration_off; /* Anderson acceleration was switched off, at plain_s */
    double plain_s;        /* time at which acceleration was switched off, s; 0: never */
    long accelerated_step; /* last step with an Anderson step or coarse correction */
    double begin_s;        /* start of averaging, s */
    long field_gap;        /* monitors between two averaged fields */
    const float
        /* [n_cell][3] velocity at the end of the last complete cycle, lattice units; NULL in steady runs */
        *cycle_velocity;
} run_progress;

/* Step and cell of a divergence. */
typedef struct {
    long step;
    int64_t cell; /* number in the whole lattice (domain_number) */
    bool origin;  /* true: fastest cell of the last good monitor; false: first cell with invalid values */
} run_trouble;

/* Callbacks. Any return value but OK ends the run. */
typedef struct {
    void *data;
    MUST_CHECK int (*monitor)(void *data, const run_monitor *m);
    /* Called at a monitor when checkpoint_s has passed. */
    MUST_CHECK int (*checkpoint)(void *data, const run_progress *p);
    /* stores the fields at an instant of the last cycle */
    MUST_CHECK int (*store)(void *data, int index, double time_s);
    MUST_CHECK int (*diverged)(void *data, const run_trouble *t); /* reports a divergence and returns ERR_NUMERIC */
    void (*not_periodic)(void *data, const run_progress *p); /* called once, when progress.not_periodic becomes true */
    /* Multiplies the time step by `factor` and writes the state f (lattice units of the old step; changed) into a new
     * backend. Updates settings.s and settings.b. diverged: the flow did or is about to. NULL: fixed step. */
    MUST_CHECK int (*retime)(void *data, double factor, bool diverged, state_fields *f);
    void (*averaging)(void *data, const run_progress *p); /* called once, when averaging starts */
    /* Coarse correction, called `corrections` times in a steady run that starts from a flow: adds an estimate of the
     * remaining transient to `now`, the end state of a window of time_s that started at `before`, and writes it into a
     * new backend. Updates settings.b. NULL: no correction. */
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
    int monitor_every;         /* steps, even */
    int cycles, stores;        /* pulsatile only: requested cycles, number of stored instants */
    double radius_cells;       /* radius of the reference time T, cells */
    int mass_correction_every; /* smallest number of steps between two mass corrections */
    double length_cells;       /* length of the vessel, cells */
    double fastest_across;     /* cells per diameter at the fastest cross-section */
    int anderson_window_steps; /* steady: approximate steps per Anderson window; 0: no acceleration */
    bool endless;              /* max_steps is a default; a flow that is still settling may exceed it */
    /* steady: after this number of steps, or four times this number while the flow is about to settle, the flow is
     * averaged over one passage and the run ends; 0: no limit */
    long share_steps;
    /* steady: starts from the mean of an unsteady flow; no Anderson steps until the residual falls */
    bool starts_unsteady;
    int corrections;                  /* number of calls of hooks.correct */
    double ramp_s;                    /* time in which boundary values rise from rest, s */
    double checkpoint_s;              /* wall-clock seconds between checkpoints; 0: none */
    const heat_boundary_values *heat; /* NULL: no heat */
    run_hooks hooks;
} run_settings;

typedef struct {
    bool converged;
    double cycles_left;   /* pulsatile: remaining transient of the velocity, relative (settling.h) */
    bool unsteady;        /* averaged: `statistics` holds means and fluctuations; flow and density are means */
    double unsteady_s;    /* averaged time, s; 0: not averaged */
    double largest_swing; /* unsteady: largest relative standard deviation of a pressure or flow */
    fluctuation statistics;
    /* if the step may change: the last two good states, newest first; pulsatile: [0] is the start of the running
     * cycle */
    state_fields good[2];
    run_progress progress;
    run_monitor last;    /* flow and density point into this result */
    double velocity_max; /* largest velocity: steady at the end, pulsatile in the last cycle; lattice units */
    double flow[256], density[256], heat_flux[HEAT_SIDES];
    double seconds, mlups; /* wall-clock time and speed of this call, monitors included; mlups is NaN without a step */
} run_result;

/* Default of monitor_every: the relaxation time of the widest passage in steps, even, 20 to 100. */
int run_monitor_every(double radius_cells, double viscosity);

/* Cell Reynolds number of velocity_max, and the relative pressure drop error by numerical viscosity
 * (common/lattice/resolution.h). */
double run_cell_reynolds(const run_settings *r, const run_result *result);
double run_friction(const run_settings *r, const run_result *result);

/* Viscous time of the widest passage, in steps. */
double run_viscous_steps(const run_settings *r);

/* Reference time T (run.h), in steps. */
double run_reference_steps(const run_settings *r);

/* Sum of the densities over all cells of the whole lattice. Errors: see ranks_sums. */
MUST_CHECK int run_mass(const domain *d, const state_fields *f, double *mass);

/* Frees the result; safe on a zeroed one. */
void run_result_free(run_result *result);
#endif
