/* Choice of time step and relaxation time, and the way between SI and lattice units.
 *
 *   velocity: u = U dt / dx       viscosity: nu = (tau - 1/2) / 3 = nu_SI dt / dx^2
 *   pressure: p = rho_SI (dx/dt)^2 (rho - 1) / 3   (incompressible form: p is the deviation of the first moment)
 *   acceleration: g = G dt^2 / dx
 *
 * dt is the largest that keeps the reference velocity below `velocity_limit` (chosen: 0.15 for a steady flow with the
 * regularized collision up to a cell Reynolds number of 60, else 0.1), tau <= 1 and, for unsteady
 * flow, omega L / c_s <= 0.14: pressure travels at the lattice's speed of sound c_s = dx / (sqrt(3) dt), not at once,
 * which puts the flow in a vessel of length L off by 1 / cos(omega L / c_s) - 1, here 1 %. A cell Reynolds number u dx
 * / nu above 1000 is refused with what would help.
 *
 * The last limit gives way above a cell Reynolds number of 15. There short steps add friction, and slow blood may
 * oscillate by itself and not settle, not even a steady flow (measured: README.md). Then dt keeps the reference
 * velocity at 0.05, as far as omega L / c_s <= 0.42, which is 10 %. Blood in arteries is so fast that sound asks for no
 * shorter steps. */
#ifndef PORTAFLOW_SCALE_H
#define PORTAFLOW_SCALE_H
#include "common/base/must_check.h"
#include <stdbool.h>

#define SCALE_SOUND       "speed of sound"              /* what may limit the step: scale.limit */
#define SCALE_HEAT        "relaxation time of the heat" /* tau = 1/2 + 4 diffusivity, at most 1 */
#define SCALE_DAMPING     "damping"                     /* longer than sound asks for */
#define SCALE_SOUND_ANGLE 0.14 /* omega L / c_s, unless dt is given or that would damp too little */
#define SCALE_SOUND_MOST  0.42 /* then, at most */
#define SCALE_SHORT       0.03 /* lattice velocity below which a given step is short, scale_check_given */
#define SCALE_SHORTEST    0.005
#define SCALE_RESTLESS    15 /* cell Reynolds number above which it may */

typedef struct {
    double dx_m, density_kg_m3, viscosity_pa_s;
    double velocity_m_s;               /* reference: the largest expected */
    double diameter_m;                 /* of the narrowest opening, for the Reynolds number */
    double diameter_velocity_m_s;      /* mean velocity there */
    double length_m;                   /* of the whole vessel, unsteady only */
    double period_s;                   /* 0: steady */
    double beat_s;                     /* the shortest period of a waveform, 0: period_s */
    double velocity_limit;             /* lattice units; NaN: chosen */
    double tau, dt_s;                  /* NaN: chosen */
    bool bgk;                          /* both relaxation times equal */
    double diffusivity_m2_s;           /* of the heat; 0: none */
    double finest_part, coarsest_part; /* spacing of the finest and of the coarsest of the lattices that are compared,
                                          over dx_m: they have one collision; 0: 1 */
    /* as that of the first of them: regularized without third moments, with half of them; this part of the fourth */
    enum { SCALE_CHOOSES, SCALE_PLAIN, SCALE_REGULARIZED, SCALE_THIRD } collision;
    double fourth;
} scale_request;

typedef struct {
    double dx_m, dt_s, tau, omega_plus, omega_minus, viscosity; /* the last in lattice units */
    double heat_tau;                                            /* of the temperature; 0: there is none */
    double velocity;                                            /* reference, lattice units */
    double mach, reynolds, womersley;                           /* womersley 0 when steady; radius-based */
    double velocity_scale;                                      /* m/s per lattice unit */
    double pressure_scale; /* Pa per unit of density deviation: rho (dx/dt)^2 / 3 */
    double stress_scale;   /* Pa per lattice unit of stress: rho (dx/dt)^2 */
    double flow_scale;     /* m3/s per cell^3 per step */
    int steps_per_period;  /* even; dt_s is adjusted to it; 0 when steady */
    double cell_reynolds;  /* u dx / nu of the reference velocity */
    bool regularized;      /* above a cell Reynolds number of 8 (kernels/collide.h); omega_minus is 1/2 or 1 then */
    double fourth;         /* of the regularized collision: 1 up to a cell Reynolds number of 42, 0 from 44 on */
    double sound_angle;    /* omega L / c_s; 0 when steady */
    const char *limit;     /* what dt was limited by, for the message */
} scale;

/* Errors: ERR_INPUT when the lattice is too coarse, or dt_s or tau do not fit; the sentence says what to change. */
MUST_CHECK int scale_choose(const scale_request *r, scale *s);

/* Steps that the case made short: with the regularized collision each of them changes the friction by a little, so that
 * a pipe (cell Reynolds numbers 9 and 29) loses 4 % more and 7 % less at a lattice velocity of 0.02, 18 % more and 32 %
 * less at 0.005. Errors: ERR_INPUT below SCALE_SHORTEST. */
MUST_CHECK int scale_check_given(const scale *s);

/* By how much a developed flow is slower than its exact profile where the collision is regularized with the fourth
 * moments, over the negative of the Laplacian of its velocity, in cells^2: 1/8 - 2/3 Lambda (half-way walls along the
 * grid: Ginzburg, d'Humieres 2003). Lambda is (tau - 1/2) / 2 at omega_minus 1; at 1/2 tau - 1/2 is within a tenth of
 * what pipes have at tau 0.505 to 0.6. At single places of a pipe with interpolated walls 0.7 to 1.4 times that. Of
 * a part of the fourth moments as large a part. Without them 0: the friction depends on the velocity then; with two
 * relaxation times there is none. */
double scale_slip(const scale *s);
#endif
