/* SPDX-License-Identifier: Apache-2.0 */
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
    /* change: residual (run.h); NaN: there is no earlier velocity */
    double time_s, change, velocity_max, mass;
    /* flow balance: |sum of flows| over the sum of inflows; 0 without openings */
    double balance;
    const double *flow;    /* [n_opening] flow into the fluid, lattice units */
    const double *density; /* [n_opening] density at each opening, lattice units */
    double
        /* residual of the temperature: its relative change in the time in which heat crosses the radius */
        heat_change;
    double heat_balance;     /* |sum of heat_flux| over half the sum of |heat_flux|; 0 without heat */
    const double *heat_flux; /* [n_side] heat into the fluid through each side, lattice units */
} run_monitor;

/* Progress of a run: everything that a checkpoint holds in addition to the populations. */
typedef struct {
    long step;
    int cycle;       /* number of complete cycles */
    bool last_cycle; /* true: the running cycle is the last one, which is stored */
    /* velocity difference between the ends of the last two complete cycles, over the velocity there, or over half of
     * the root mean square velocity of the last one; NaN: fewer than two are complete */
    double cycle_change;
    /* largest remaining transient of a Windkessel, relative (opening_network_cycle); NaN: no cycle is complete */
    double openings_change;
    double cycle_change_before; /* cycle_change one cycle earlier; NaN: fewer than three cycles are complete */
    bool not_periodic;          /* true: cycle_change no longer falls from cycle to cycle */
    int stored;                 /* number of instants stored so far */
    double velocity_max;        /* for pulsatile flow: largest velocity in the running cycle, lattice units */
    double cycle_square; /* for pulsatile flow: sum over cells and steps of the running cycle of |u|^2, lattice units */
    double time_before_s; /* wall-clock time of the run before it was restarted, s */
    double mass_correction,
        /* mass that is added at every wall link in a step (kernels/link.h): now, and before the last monitor */
        mass_correction_before;
    /* for pulsatile flow: mass correction at the start and at the end of this cycle */
    double mass_correction_from, mass_correction_goal;
    double outflow_correction,
        outflow_correction_before; /* relative correction of prescribed outflows: now, and before the last monitor */
    double outflow_error,
        outflow_prescribed; /* outflow mass error and prescribed outflow mass, both summed since outflow_step */
    long outflow_step;      /* step from which both sums count; -1: the state was just replaced */
    /* flow into the fluid through each opening at the last two monitors, m3/s; for boundary_values.setback_pa_s_m3 */
    double passed[BACKEND_OPENINGS], passed_before[BACKEND_OPENINGS];
    /* entered: mass that entered since mass_correction_step through openings, in pulsatile flow also through wall
     * links; kept: mass of all cells at that step */
    double entered, kept;
    long mass_correction_step;           /* step of the last mass correction */
    double change, balance;              /* residual and flow balance of the last monitor */
    double time_s;                       /* time at `step`, s */
    double pace;                         /* time step now over the initial time step */
    double dt_s;                         /* time step now, s */
    int retimes;                         /* number of changes of the time step */
    bool diverged;                       /* true: the flow diverged, or was about to diverge */
    long monitors;                       /* number of monitors since the start, or since the time step changed */
    double target;                       /* expected largest lattice velocity with the chosen time step */
    double good_time_s[2], good_pace[2]; /* time and `pace` of each state in run_result.good */
    bool averaging;                      /* true: averaging has started */
    /* true: the flow fluctuates only a little about a steady mean, and no pressure or flow drifts (is_quiet) */
    bool quiet;
    bool share_used;                        /* true: share_steps ended the run before it settled */
    bool falling;                           /* true: share_used, and the residual was still falling */
    bool acceleration_off;                  /* true: Anderson acceleration was switched off, at plain_s */
    double plain_s;                         /* time at which Anderson acceleration was switched off, s; 0: never */
    long accelerated_step;                  /* last step that had an Anderson step or a coarse correction */
    double begin_s;                         /* time at which averaging started, s */
    long field_gap;                         /* number of monitors between two averaged fields */
    opening_state openings, openings_cycle; /* modelled openings: now, and at the start of the cycle */
    const float
        /* [n_cell][3] velocity at the end of the last complete cycle, lattice units; NULL in steady runs */
        *cycle_velocity;
} run_progress;

/* Step and cell of a divergence. */
typedef struct {
    long step;
    int64_t cell; /* number of the cell in the whole lattice (domain_number) */
    bool origin;  /* true: the cell was fastest at the last good monitor; false: it was the first with invalid values */
} run_trouble;

/* Callbacks. Any return value but OK ends the run. */
typedef struct {
    void *data;
    MUST_CHECK int (*monitor)(void *data, const run_monitor *m);
    /* called at the first monitor after checkpoint_s seconds */
    MUST_CHECK int (*checkpoint)(void *data, const run_progress *p);
    /* stores the fields at an instant of the last cycle */
    MUST_CHECK int (*store)(void *data, int index, double time_s);
    MUST_CHECK int (*diverged)(void *data, const run_trouble *t); /* reports a divergence and returns ERR_NUMERIC */
    void (*not_periodic)(void *data, const run_progress *p); /* called once, when progress.not_periodic becomes true */
    /* Multiplies the time step by `factor`, and writes the state f into a new backend. f is in lattice units of the old
     * time step, and is changed. Updates settings.s and settings.b. diverged: the flow diverged or is about to diverge.
     * NULL: the time step is fixed. */
    MUST_CHECK int (*retime)(void *data, double factor, bool diverged, state_fields *f);
    /* Upper limit of the factor on the time step at the largest velocity `velocity`, lattice units. Shear-thinning
     * blood that flows more slowly than expected is more viscous at the wall, where tau has an upper limit. NULL: no
     * limit. */
    double (*longest)(const void *data, double velocity);
    void (*averaging)(void *data, const run_progress *p); /* called once, when averaging starts */
    /* Coarse correction, called `corrections` times in a steady run that starts from a flow. `before` and `now` are the
     * states at the start and the end of a window of time_s. Adds an estimate of the remaining transient to `now`, and
     * writes it into a new backend. Updates settings.b. NULL: no correction. */
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
    int monitor_every;         /* number of steps between two monitors, even */
    int cycles, stores;        /* for pulsatile flow: number of cycles to compute, number of instants to store */
    double radius_cells;       /* radius that defines the reference time T, in cells */
    int mass_correction_every; /* smallest number of steps between two mass corrections */
    double length_cells;       /* length of the vessel, cells */
    double fastest_across;     /* cells per diameter in the cross-section with the largest velocity */
    /* for steady flow: approximate number of steps per Anderson window; 0: no acceleration */
    int anderson_window_steps;
    bool endless; /* true: max_steps is a default, which a flow that is still settling may exceed */
    /* for steady flow: number of steps after which the flow is averaged over one passage and the run ends; 0: no limit.
     * While the flow is about to settle, four times this number. */
    long share_steps;
    /* for steady flow: the start is the mean of an unsteady flow, so there is no Anderson step until the residual
     * falls */
    bool starts_unsteady;
    int corrections;                  /* number of calls of hooks.correct */
    double ramp_s;                    /* time in which boundary values rise from rest, s */
    double checkpoint_s;              /* wall-clock seconds between checkpoints; 0: none */
    bool corners;                     /* D3Q27 */
    const heat_boundary_values *heat; /* NULL: no heat */
    run_hooks hooks;
} run_settings;

typedef struct {
    bool converged;
    double cycles_left; /* for pulsatile flow: remaining transient of the velocity, relative (settling.h) */
    /* true: the flow was averaged; `statistics` has its means and fluctuations, and flow and density are means */
    bool unsteady;
    double unsteady_s;    /* time over which the flow was averaged, s; 0: not averaged */
    double largest_swing; /* for an unsteady flow: largest relative standard deviation of a pressure or flow */
    fluctuation statistics;
    /* if the time step may change: the last two good states, newest first. In pulsatile flow the first one is the start
     * of the running cycle. */
    state_fields good[2];
    run_progress progress;
    run_monitor last; /* last monitor; its flow and density point into this result */
    /* largest velocity, lattice units: at the end of a steady run, in the last cycle of a pulsatile run */
    double velocity_max;
    double flow[256], density[256], heat_flux[HEAT_SIDES];
    /* wall-clock time, s, and speed, MLUPS, of this call. Both include the monitors. mlups: NaN if no step was computed
     * */
    double seconds, mlups;
} run_result;

/* Default of monitor_every: the viscous time R^2 / (6 nu) in steps, limited to 20 .. 100 and rounded down to an even
 * number. radius_cells: R, radius of the widest cross-section; viscosity: nu, lattice units. */
int run_monitor_every(double radius_cells, double viscosity);
/* backend_settings.advection_rate a for monitors every n steps. Between two monitors the advection correction is
 * constant. In these n steps a carried wave of wave number k along an axis grows by a factor exp(g) with g <= k^2 / 6 *
 * 2 a / (2 - a), and viscosity nu damps it by exp(-k^2 nu n). a makes g half of the damping or less: a = 2 y / (1 + y)
 * with y = 3 n nu / 2, at most 1. Waves nearly perpendicular to the flow have no such bound (test_advection: noise). */
double run_advection_rate(int monitor_every, double viscosity);

/* run_cell_reynolds: cell Reynolds number of velocity_max. run_friction: relative error of the pressure drop by
 * numerical viscosity (common/lattice/resolution.h). */
double run_cell_reynolds(const run_settings *r, const run_result *result);
double run_friction(const run_settings *r, const run_result *result);

/* Pressure in Pa at density deviation 0 of the lattice: boundary_values_reference_pa. In pulsatile flow with modelled
 * openings: the present pressure of the port `level`. flow, density [n_opening]: values of a steady flow. */
double run_reference_pa(const run_settings *r, const run_progress *p, const double *flow, const double *density);

/* Pressure of opening k, Pa: the pressure of its model, otherwise the measured density plus reference_pa
 * (run_reference_pa). The density differs from the prescribed density by the discretization error of the opening. */
double run_opening_pressure_pa(const run_settings *r, const run_progress *p, int k, double flow, double density,
                               double reference_pa);

/* Viscous time of the widest cross-section, in steps. */
double run_viscous_steps(const run_settings *r);

/* Reference time T (run.h), in steps. */
double run_reference_steps(const run_settings *r);

/* Sum of the densities over all cells of the whole lattice. Errors: see ranks_sums. */
MUST_CHECK int run_mass(const domain *d, const state_fields *f, double *mass);

/* Frees the result; safe on a zeroed one. */
void run_result_free(run_result *result);
#endif
