/* SPDX-License-Identifier: Apache-2.0 */
/* See scale.h. */
#include "solve/core/scale.h"
#include "common/base/status.h"
#include "common/lattice/resolution.h"
#include <math.h>

/* TAU_HIGH: upper limit of tau, which limits the time step. MAGIC: product (tau+ - 1/2) (tau- - 1/2) of the TRT
 * collision, with which half-way walls are exact in Poiseuille flow along the grid. */
static const double TAU_HIGH = 1.0, MAGIC = 3.0 / 16.0;
/* Upper limit of tau at the wall for cumulants of shear-thinning blood. The viscosity grows towards the axis, and with
 * it the error of the rates of third order. In the pipes of test_shear_pipe it is 1.1 % of the flow at tau 1, 0.5 % at
 * 0.8 and below 0.1 % at 0.65. */
static const double TAU_SHEAR_THINNING = 0.65;
static const double REGULARIZED = 8; /* cell Reynolds number u dx / nu above which the collision is regularized */
static const double DAMPED_VELOCITY = 0.05;
/* omega_minus of the regularized collision (kernels/collide.h). It is THIRD if the cell Reynolds number of the coarsest
 * level is THIRD_REYNOLDS or lower, otherwise 1. A bend with 8 cells per diameter is steady at cell Reynolds number 49
 * and unsteady at 59. */
static const double THIRD = 0.5, THIRD_REYNOLDS = 50;
/* smallest tau - 1/2 for which omega_minus may be THIRD. An oblique pulsatile pipe is stable at 0.0024 and diverges at
 * 0.0013. */
static const double THIRD_TAU = 0.002;
/* Smallest tau - 1/2 of cumulants in pulsatile flow. The short steps that sound requires reach it. In a fork with two
 * pressure outlets a circulation grows at 0.0022; 0.0031 is stable. */
static const double CUMULANT_TAU = 0.003;
/* Default lattice velocity. VELOCITY_STEADY is for steady flow with cumulants, or regularized up to cell Reynolds
 * number STEADY_REYNOLDS; VELOCITY for others. A larger velocity needs fewer steps, and between 0.05 and 0.2 the error
 * of the regularized collision does not depend on it. A jet at cell Reynolds number 94 diverges at 0.2. */
static const double VELOCITY = 0.1, VELOCITY_STEADY = 0.15, STEADY_REYNOLDS = 60;
/* Factor of the fourth moments (collide_rates.fourth): 1 below cell Reynolds number FOURTH_REYNOLDS, 0 above
 * FOURTH_END, linear between. Fourth moments reduce the error of pipes at all velocities. Above 44 they make the jet of
 * the FDA nozzle decay too early. */
static const double FOURTH_REYNOLDS = 42, FOURTH_END = 44;

static double shortest_period(const scale_request *r) {
    return r->beat_s > 0 ? r->beat_s : r->period_s;
}

/* Phase in radians, omega L / c_s, by which sound lags over the vessel of length L at time step dt. omega: angular
 * frequency, c_s: speed of sound on the lattice. */
static double sound_angle(const scale_request *r, double dt) {
    return r->period_s > 0 && r->length_m > 0
               ? 2.0 * M_PI * sqrt(3.0) * r->length_m * dt / (shortest_period(r) * r->dx_m)
               : 0.0;
}

static double finest_part(const scale_request *r) {
    return r->finest_part > 0 ? r->finest_part : 1;
}

static double coarsest_part(const scale_request *r) {
    return r->coarsest_part > 0 ? r->coarsest_part : 1;
}

/* True if the coarsest level needs the regularized collision. Without it, some flows above cell Reynolds number
 * REGULARIZED diverge at any time step, such as a tube with 8 cells per diameter at 12. */
static bool is_regularized(const scale_request *r, double cell_reynolds) {
    if (r->cumulant)
        return false;
    if (r->collision != SCALE_CHOOSES)
        return r->collision != SCALE_PLAIN;
    return !r->bgk && cell_reynolds * coarsest_part(r) > REGULARIZED;
}

/* Factor of the fourth moments. It follows from the cell Reynolds number of the finest level, because compared levels
 * must share one factor although their velocities differ. */
static double part_of_fourth(const scale_request *r, const scale *s) {
    const double reynolds = finest_part(r) * s->cell_reynolds;
    if (!s->regularized)
        return 0;
    if (r->collision != SCALE_CHOOSES)
        return r->fourth;
    return fmin(1, fmax(0, (FOURTH_END - reynolds) / (FOURTH_END - FOURTH_REYNOLDS)));
}

static bool keeps_third(const scale_request *r, const scale *s) {
    if (r->collision != SCALE_CHOOSES)
        return r->collision == SCALE_THIRD;
    return coarsest_part(r) * s->cell_reynolds <= THIRD_REYNOLDS && s->tau - 0.5 >= THIRD_TAU;
}

static double velocity_limit(const scale_request *r) {
    const double cell_reynolds = r->velocity_m_s * r->dx_m * r->density_kg_m3 / r->viscosity_pa_s;
    if (!isnan(r->velocity_limit))
        return r->velocity_limit;
    if (r->cumulant)
        return r->period_s > 0 ? VELOCITY : VELOCITY_STEADY;
    return r->period_s > 0 || !is_regularized(r, cell_reynolds) || cell_reynolds > STEADY_REYNOLDS ? VELOCITY
                                                                                                   : VELOCITY_STEADY;
}

double scale_tau_most(const scale_request *r) {
    return r->cumulant && r->shear_thinning ? TAU_SHEAR_THINNING : TAU_HIGH;
}

static void derive_quantities(const scale_request *r, scale *s) {
    const double ratio = s->dx_m / s->dt_s, nu = r->viscosity_pa_s / r->density_kg_m3;
    s->viscosity = nu * s->dt_s / (s->dx_m * s->dx_m);
    s->tau = 0.5 + 3.0 * s->viscosity;
    s->omega_plus = 1.0 / s->tau;
    s->omega_minus = r->bgk ? s->omega_plus : 1.0 / (0.5 + MAGIC / (s->tau - 0.5));
    s->velocity = r->velocity_m_s / ratio;
    s->cell_reynolds = s->velocity / s->viscosity;
    s->regularized = is_regularized(r, s->cell_reynolds);
    s->cumulant = r->cumulant;
    s->fourth = part_of_fourth(r, s);
    if (s->regularized)
        s->omega_minus = keeps_third(r, s) ? THIRD : 1.0;
    if (s->cumulant)
        s->omega_minus = 1.0;
    s->heat_tau = r->diffusivity_m2_s > 0 ? 0.5 + 4.0 * r->diffusivity_m2_s * s->dt_s / (s->dx_m * s->dx_m) : 0;
    s->mach = s->velocity * sqrt(3.0);
    s->reynolds = r->diameter_velocity_m_s * r->diameter_m / nu;
    s->womersley = r->period_s > 0 ? 0.5 * r->diameter_m * sqrt(2.0 * M_PI / shortest_period(r) / nu) : 0.0;
    s->sound_angle = sound_angle(r, s->dt_s);
    s->velocity_scale = ratio;
    s->stress_scale = r->density_kg_m3 * ratio * ratio;
    s->pressure_scale = s->stress_scale / 3.0;
    s->flow_scale = s->dx_m * s->dx_m * ratio;
}

/* Time step of pulsatile flow. It keeps the phase lag of sound over the vessel below SCALE_SOUND_ANGLE. Above the cell
 * Reynolds number SCALE_UNSTEADY the step may be longer: up to DAMPED_VELOCITY and the looser limit
 * SCALE_SOUND_MOST. */
static double dt_pulsatile(const scale_request *r, double dt, const char **limit) {
    const double sound = SCALE_SOUND_ANGLE / sound_angle(r, 1.0),
                 most = (r->sound_most > 0 ? r->sound_most : SCALE_SOUND_MOST) / sound_angle(r, 1.0);
    const double damped = fmin(fmin(dt, DAMPED_VELOCITY * r->dx_m / r->velocity_m_s), most);
    const bool coarse = !r->bgk && r->velocity_m_s * r->dx_m * r->density_kg_m3 / r->viscosity_pa_s > SCALE_UNSTEADY;
    if (!(sound < dt))
        return dt;
    *limit = coarse && damped > sound ? SCALE_DAMPING : SCALE_SOUND;
    return coarse && damped > sound ? damped : sound;
}

/* Largest allowed time step and its reason. */
static double dt_limit(const scale_request *r, const char **limit) {
    const double nu = r->viscosity_pa_s / r->density_kg_m3, dx = r->dx_m;
    double dt = (scale_tau_most(r) - 0.5) / 3.0 * dx * dx / nu;
    *limit = "relaxation time";
    if (r->diffusivity_m2_s > 0 && (TAU_HIGH - 0.5) / 4.0 * dx * dx / r->diffusivity_m2_s < dt) {
        dt = (TAU_HIGH - 0.5) / 4.0 * dx * dx / r->diffusivity_m2_s;
        *limit = SCALE_HEAT;
    }
    if (r->velocity_m_s > 0 && velocity_limit(r) * dx / r->velocity_m_s < dt) {
        dt = velocity_limit(r) * dx / r->velocity_m_s;
        *limit = "velocity";
    }
    return r->period_s > 0 && r->length_m > 0 ? dt_pulsatile(r, dt, limit) : dt;
}

int scale_check_cumulants(const scale_request *r, const scale *s) {
    if (!r->cumulant || !(r->period_s > 0) ||
        s->tau - 0.5 >= 0.99 * CUMULANT_TAU) /* a period is a whole number of steps */
        return OK;
    if (isfinite(r->tau) || isfinite(r->dt_s))
        return fail(ERR_INPUT,
                    "the collision cumulant is unstable in pulsatile flow at tau %.4f (minimum %.3f), the result of a "
                    "given time step; remove solve.time_step and solve.tau, or write solve: {collision: trt}",
                    s->tau, 0.5 + CUMULANT_TAU);
    return fail(
        ERR_INPUT,
        "the collision cumulant is unstable in pulsatile flow at tau %.4f (minimum %.3f), the result of a time "
        "step of %.3g s and a spacing of %.3g mm; write solve: {collision: trt}, or use a spacing of %.2g mm or "
        "less",
        s->tau, 0.5 + CUMULANT_TAU, s->dt_s, s->dx_m * 1e3,
        0.95e3 * s->dx_m * (s->tau - 0.5) / CUMULANT_TAU); /* dt grows with the spacing */
}

int scale_choose(const scale_request *r, scale *s) {
    const double nu = r->viscosity_pa_s / r->density_kg_m3, dx = r->dx_m;
    *s = (scale){.dx_m = dx, .limit = "case"};
    if (isfinite(r->dt_s))
        s->dt_s = r->dt_s;
    else if (isfinite(r->tau))
        s->dt_s = (r->tau - 0.5) / 3.0 * dx * dx / nu;
    else
        s->dt_s = dt_limit(r, &s->limit);
    if (r->period_s > 0) {
        const double half = ceil(0.5 * r->period_s / s->dt_s - 1e-9);
        if (half > 5e8)
            return fail(ERR_INPUT, "one period of %g s needs %.3g steps of %.3g s, more than 1e9; use a larger spacing",
                        r->period_s, 2 * half, s->dt_s);
        s->steps_per_period = 2 * (int)half;
        s->dt_s = r->period_s / s->steps_per_period;
    }
    derive_quantities(r, s);
    if (s->cell_reynolds > RESOLUTION_REYNOLDS_REFUSED)
        return fail(
            ERR_INPUT,
            "the lattice is too coarse for this flow: cell Reynolds number %.0f (velocity %.3g m/s, spacing %.3g mm, "
            "tau %.4f) exceeds the limit %.0f; use a spacing of %.2g mm or less, or check the flow and its unit",
            s->cell_reynolds, r->velocity_m_s, dx * 1e3, s->tau, RESOLUTION_REYNOLDS_REFUSED,
            0.95e3 * RESOLUTION_REYNOLDS_REFUSED * nu /
                r->velocity_m_s); /* factor 0.95: the message rounds the suggested value to two digits, which must
                                   * not exceed the limit */
    if (s->heat_tau > 2.0)
        return fail(ERR_INPUT,
                    "the time step %.3g s gives the heat a tau of %.3f (limit 2); remove solve.time_step and solve.tau "
                    "to use the default",
                    s->dt_s, s->heat_tau);
    if (s->tau > 2.0)
        return fail(ERR_INPUT,
                    "the time step %.3g s gives tau %.3g (limit 2) with a spacing of %.3g mm; remove solve.time_step "
                    "and solve.tau to use the default",
                    s->dt_s, s->tau, dx * 1e3);
    if (s->velocity > SCALE_VELOCITY_MOST)
        return fail(ERR_INPUT,
                    "the time step %.3g s gives a lattice velocity of %.3g (limit %.1f) at a velocity of %.3g m/s and "
                    "a spacing of %.3g mm; remove solve.time_step and solve.tau to use the default",
                    s->dt_s, s->velocity, SCALE_VELOCITY_MOST, r->velocity_m_s, dx * 1e3);
    return OK;
}

int scale_check_given(const scale *s) {
    const bool sensitive = s->regularized || (s->cumulant && s->cell_reynolds > REGULARIZED);
    if (!sensitive || !(s->velocity > 0) || s->velocity >= SCALE_SHORTEST)
        return OK;
    return fail(
        ERR_INPUT,
        "the time step %.3g s is too short for this lattice: at a lattice velocity of %.2g (minimum %g) and a cell "
        "Reynolds number of %.0f, the flow diverges or pressure drops have errors of 20 %% and more; remove "
        "solve.time_step, "
        "solve.tau and solve.max_lattice_velocity to use the default",
        s->dt_s, s->velocity, SCALE_SHORTEST, s->cell_reynolds);
}

double scale_slip(const scale *s) {
    return s->regularized ? s->fourth * (1.0 / 8.0 - (s->omega_minus < 1 ? 2.0 : 1.0) / 3.0 * (s->tau - 0.5)) : 0;
}
