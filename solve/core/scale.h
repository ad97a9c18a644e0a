/* SPDX-License-Identifier: Apache-2.0 */
/* Choice of time step and relaxation time; conversion between SI and lattice units.
 *   velocity: u = U dt / dx       viscosity: nu = (tau - 1/2) / 3 = nu_SI dt / dx^2
 *   pressure: p = rho_SI (dx/dt)^2 (rho - 1) / 3
 *   acceleration: g = G dt^2 / dx
 * Capitals and the index SI: SI units; omega: angular frequency of the shortest waveform. dt is the largest step with
 *   u <= velocity_limit    default 0.15 in steady flow (cumulants; regularized up to cell Reynolds number 60), else 0.1
 *   tau <= scale_tau_most
 *   omega L / c_s <= 0.14  unsteady flow: pressure travels at c_s = dx / (sqrt(3) dt), which changes the flow in a
 *                          vessel of length L by 1 / cos(omega L / c_s) - 1, here 1 %
 * Above a cell Reynolds number of 15 the limit of sound is relaxed, because short steps add friction and slow blood may
 * oscillate (solve/PULSATILE.md). dt then gives u = 0.05, but no more than omega L / c_s = 0.42 (10 %), less where
 * this would change mean pressure drops (pulse_error_sound_angle). A cell Reynolds
 * number above 1000 is refused. */
#ifndef PORTAFLOW_SCALE_H
#define PORTAFLOW_SCALE_H
#include "common/base/must_check.h"
#include <stdbool.h>

#define SCALE_SOUND         "speed of sound"              /* values of scale.limit */
#define SCALE_HEAT          "relaxation time of the heat" /* the relaxation time 1/2 + 4 diffusivity is limited to 1 */
#define SCALE_DAMPING       "damping" /* dt exceeds the sound limit, because shorter steps add friction */
#define SCALE_SOUND_ANGLE   0.14      /* limit of omega L / c_s, unless dt is given or damping needs longer steps */
#define SCALE_SOUND_MOST    0.42      /* upper limit of omega L / c_s where scale.limit is SCALE_DAMPING */
#define SCALE_SHORT         0.03      /* a prescribed time step with a lower lattice velocity gets a warning */
#define SCALE_SHORTEST      0.005 /* lower: refused if regularized, or with cumulants above cell Reynolds number 8 */
#define SCALE_UNSTEADY      15    /* cell Reynolds number above which slow blood may oscillate */
#define SCALE_VELOCITY_MOST 0.3   /* upper limit of the expected lattice velocity */

typedef struct {
    double dx_m, density_kg_m3, viscosity_pa_s;
    double velocity_m_s; /* reference velocity: the largest velocity that is expected */
    /* diameter at the cross-section with the fastest flow, for the Reynolds number; if unknown, diameter of the
     * smallest opening */
    double diameter_m;
    double diameter_velocity_m_s; /* mean velocity at this diameter */
    double length_m;              /* length of the vessel; unsteady flow only */
    double sound_most;            /* upper limit of omega L / c_s; 0: SCALE_SOUND_MOST */
    double period_s;              /* 0: steady */
    double beat_s;                /* shortest period of a waveform; 0: period_s */
    double velocity_limit;        /* lattice units; NaN: default */
    double tau, dt_s;             /* prescribed relaxation time and time step; NaN: chosen here */
    bool bgk;                     /* true: equal relaxation times */
    bool cumulant;                /* collision of cumulants, D3Q27 */
    bool shear_thinning;          /* viscosity_pa_s is the viscosity at the wall, the lowest one */
    double diffusivity_m2_s;      /* thermal diffusivity; 0: no heat */
    /* spacing of the finest and of the coarsest grid level, each divided by dx_m; 0 counts as 1. All compared grid
     * levels use the same collision, so these two spacings select it. */
    double finest_part, coarsest_part;
    /* Collision. Grid level 1 uses SCALE_CHOOSES, and every other level repeats the choice of level 1. SCALE_PLAIN: two
     * relaxation times. SCALE_REGULARIZED: regularized, omega_minus 1. SCALE_THIRD: regularized, omega_minus 1/2.
     * fourth: factor of the fourth moments, not used by SCALE_CHOOSES. */
    enum { SCALE_CHOOSES, SCALE_PLAIN, SCALE_REGULARIZED, SCALE_THIRD } collision;
    double fourth;
} scale_request;

typedef struct {
    double dx_m, dt_s, tau, omega_plus, omega_minus, viscosity; /* all but dx_m and dt_s: lattice units */
    double heat_tau;                                            /* relaxation time of the temperature; 0: no heat */
    double velocity;                                            /* reference velocity, lattice units */
    double mach, reynolds, womersley;                           /* womersley: based on the radius, 0 in steady flow */
    double velocity_scale;                                      /* m/s per lattice unit */
    double pressure_scale; /* Pa per unit of density deviation: rho (dx/dt)^2 / 3 */
    double stress_scale;   /* Pa per lattice unit of stress: rho (dx/dt)^2 */
    double flow_scale;     /* m3/s per cell^3 per step */
    int steps_per_period;  /* even number; dt_s is adjusted so that a period has this many steps; 0: steady */
    double cell_reynolds;  /* u dx / nu with the reference velocity u */
    /* true: use collide_regularized (kernels/collide.h), above a cell Reynolds number of 8; omega_minus is then 1/2 or
     * 1 */
    bool regularized;
    bool cumulant;      /* as in scale_request */
    double fourth;      /* collide_rates.fourth, 0 if not regularized: 1 up to cell Reynolds number 42, 0 from 44 on */
    double sound_angle; /* omega L / c_s; 0: steady */
    const char *limit;  /* name of the limit that determines dt, for messages */
} scale;

/* Upper limit of tau at the wall. */
double scale_tau_most(const scale_request *r);

/* Chooses the time step and sets *s. Errors: ERR_INPUT if the lattice is too coarse, or dt_s or tau do not fit; the
 * message says what to change. */
MUST_CHECK int scale_choose(const scale_request *r, scale *s);

/* Checks the time step at the start of a run. Errors: ERR_INPUT if cumulants would be unstable in pulsatile flow. */
MUST_CHECK int scale_check_cumulants(const scale_request *r, const scale *s);

/* Checks a time step that the case gives. With the regularized collision short steps add friction: at cell Reynolds
 * number 9 the pressure drop of a pipe is 4 % too large at lattice velocity 0.02 and 18 % too large at 0.005. Errors:
 * ERR_INPUT below SCALE_SHORTEST. */
MUST_CHECK int scale_check_given(const scale *s);

/* Factor s, in cells^2, of the velocity deficit of a developed flow: deficit = s times the negative Laplacian of the
 * velocity. s = 1/8 - 2/3 Lambda, for the regularized collision with fourth moments and half-way walls along the grid
 * (Ginzburg and d'Humieres 2003). Lambda is (tau - 1/2) / 2 for omega_minus = 1. For omega_minus = 1/2 it is tau - 1/2,
 * within 10 % in pipes at tau 0.505 to 0.6. At single points of a pipe with interpolated walls the deficit is 0.7 to
 * 1.4 times this value. s is proportional to the factor of the fourth moments. It is 0 without fourth moments and with
 * two relaxation times. */
double scale_slip(const scale *s);
#endif
