/* SPDX-License-Identifier: Apache-2.0 */
/* Time step, relaxation time and unit factors. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "solve/core/scale.h"
#include "tests/unit/near.h"

static scale_request portal(void) {
    return (scale_request){.dx_m = 0.4e-3,
                           .density_kg_m3 = 1060,
                           .viscosity_pa_s = 3.5e-3,
                           .velocity_m_s = 0.3,
                           .diameter_m = 8e-3,
                           .diameter_velocity_m_s = 0.15,
                           .velocity_limit = 0.1,
                           .tau = NAN,
                           .dt_s = NAN};
}

/* Slow blood: tau is the limit, and it is lower for cumulants of shear-thinning blood. */
static void limited_by_tau(void **state) {
    (void)state;
    scale_request r = portal();
    scale s;
    r.velocity_m_s = r.diameter_velocity_m_s = 1e-3;
    for (int k = 0; k < 4; k++) {
        r.cumulant = k & 1;
        r.shear_thinning = k & 2;
        assert_int_equal(scale_choose(&r, &s), OK);
        assert_near(s.tau, k == 3 ? 0.65 : 1, 1e-12);
    }
}

static void limited_by_velocity(void **state) {
    (void)state;
    const scale_request r = portal();
    scale s;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_near(s.velocity, 0.1, 1e-12);
    assert_string_equal(s.limit, "velocity");
    assert_near(s.dt_s, 0.1 * 0.4e-3 / 0.3, 1e-12);
    assert_near((s.tau - 0.5) / 3, 3.5e-3 / 1060 * s.dt_s / (s.dx_m * s.dx_m), 1e-12);
    assert_near(s.cell_reynolds, 0.3 * 0.4e-3 / (3.5e-3 / 1060), 1e-9); /* 36: too coarse for plain TRT */
    assert_true(s.regularized);
    assert_near(s.omega_minus, 0.5, 0);
    assert_near(scale_slip(&s), 0.125 - (s.tau - 0.5) * 2 / 3, 1e-12);
    assert_near(s.reynolds, 0.15 * 8e-3 / (3.5e-3 / 1060), 1e-9);
    /* a Pascal is a Pascal: p = rho cs^2 (dx/dt)^2 (density - 1) */
    assert_near(s.pressure_scale, 1060.0 / 3 * pow(s.dx_m / s.dt_s, 2), 1e-6);
    assert_near(s.flow_scale, pow(s.dx_m, 3) / s.dt_s, 1e-15);
}

static void slow_flow_is_limited_by_tau(void **state) {
    (void)state;
    scale_request r = portal();
    scale s;
    r.velocity_m_s = 1e-3;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_near(s.tau, 1.0, 1e-12);
    assert_false(s.regularized);
    assert_near((1 / s.omega_plus - 0.5) * (1 / s.omega_minus - 0.5), 3.0 / 16, 1e-12);
    assert_near(scale_slip(&s), 0, 0);
    r.bgk = true;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_near(s.omega_minus, s.omega_plus, 0);
}

/* Lattices that are compared: all have the collision that the coarsest needs. */
static void one_collision(void **state) {
    (void)state;
    scale_request fine = portal(), coarse;
    scale s;
    fine.velocity_limit = NAN;
    fine.dx_m = 0.07e-3; /* cell Reynolds number 6.4 */
    assert_int_equal(scale_choose(&fine, &s), OK);
    assert_true(s.cell_reynolds < 8 && !s.regularized && fabs(s.velocity - 0.1) < 1e-12);
    fine.coarsest_part = 1.96;
    assert_int_equal(scale_choose(&fine, &s), OK);
    assert_true(s.regularized && fabs(s.velocity - 0.15) < 1e-12);
    coarse = fine;
    coarse.dx_m *= 1.96;
    coarse.coarsest_part = 1;
    coarse.finest_part = 1 / 1.96;
    assert_int_equal(scale_choose(&coarse, &s), OK);
    assert_true(s.cell_reynolds > 8 && s.regularized && s.fourth == 1 && s.omega_minus < 1);
    coarse.collision = SCALE_REGULARIZED; /* as the first was */
    assert_int_equal(scale_choose(&coarse, &s), OK);
    assert_true(s.regularized && s.fourth == 0 && s.omega_minus == 1);
    coarse.finest_part = 50; /* the finest above 44: the flow of this one is a little faster */
    coarse.fourth = 0.75;
    assert_int_equal(scale_choose(&coarse, &s), OK);
    assert_true(s.regularized && s.fourth == 0.75 && s.omega_minus == 1);
    assert_near(scale_slip(&s), 0.75 * (0.125 - (s.tau - 0.5) / 3), 1e-12);
    coarse.finest_part = 1 / 1.96;
    coarse.coarsest_part = 5; /* the coarsest at 63 */
    coarse.collision = SCALE_CHOOSES;
    assert_int_equal(scale_choose(&coarse, &s), OK);
    assert_true(s.regularized && s.fourth == 1 && s.omega_minus == 1);
    assert_near(scale_slip(&s), 0.125 - (s.tau - 0.5) / 3, 1e-12);
    coarse.collision = SCALE_THIRD;
    assert_int_equal(scale_choose(&coarse, &s), OK);
    assert_true(s.omega_minus < 1);
    coarse.collision = SCALE_PLAIN;
    assert_int_equal(scale_choose(&coarse, &s), OK);
    assert_true(!s.regularized && fabs(s.velocity - 0.1) < 1e-12);
}

static void impossible_is_refused_with_a_remedy(void **state) {
    (void)state;
    scale_request r = portal();
    scale s;
    status_clear();
    r.velocity_m_s = 9; /* cell Reynolds number 1090 */
    assert_int_equal(scale_choose(&r, &s), ERR_INPUT);
    assert_non_null(strstr(status_message(), "mm or less"));
    /* the remedy works */
    r.dx_m = 0.06e-3;
    status_clear();
    assert_int_equal(scale_choose(&r, &s), OK);
    r = portal();
    r.dt_s = 1;
    assert_int_equal(scale_choose(&r, &s), ERR_INPUT);
    status_clear();
}

static void a_period_has_an_even_number_of_steps(void **state) {
    (void)state;
    scale_request r = portal();
    scale s;
    r.period_s = 0.8567;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_int_equal(s.steps_per_period % 2, 0);
    assert_near(s.steps_per_period * s.dt_s, 0.8567, 1e-12);
    assert_true(s.velocity <= 0.1 + 1e-12);
    assert_near(s.womersley, 4e-3 * sqrt(2 * M_PI / 0.8567 / (3.5e-3 / 1060)), 1e-9);
    r.dx_m = 0.16e-3;
    r.length_m = 0.1; /* the error of the flow at the closed end stays below 1 % */
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_string_equal(s.limit, "speed of sound");
    assert_true(1 / cos(2 * M_PI / 0.8567 * 0.1 * sqrt(3.0) * s.dt_s / s.dx_m) - 1 <= 0.01);
}

/* Short steps on a coarse lattice add friction, and let slow blood oscillate by itself. */
static void slow_blood_on_a_coarse_lattice_is_damped(void **state) {
    (void)state;
    scale_request r = portal();
    scale s;
    r.period_s = 0.86;
    r.length_m = 0.06;
    assert_int_equal(scale_choose(&r, &s), OK);     /* cell Reynolds number 36 */
    assert_string_equal(s.limit, "speed of sound"); /* fast enough: u is 0.055 */
    r.length_m = 0.1;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_string_equal(s.limit, "damping");
    assert_near(s.velocity, 0.05, 1e-4);
    assert_near(s.sound_angle, 2 * M_PI / 0.86 * 0.1 * sqrt(3.0) * s.dt_s / s.dx_m, 1e-12);
    assert_true(s.sound_angle > 0.14 && s.sound_angle < 0.42);
    r.length_m = 1; /* not beyond 10 % */
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_string_equal(s.limit, "damping");
    assert_near(s.sound_angle, 0.42, 1e-3);
    r.bgk = true;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_string_equal(s.limit, "speed of sound");
    r.bgk = false;
    r.dx_m = 0.16e-3; /* cell Reynolds number 14.5 */
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_string_equal(s.limit, "speed of sound");
}

/* A pulsatile pipe of 16 mm, 24 cells across, at a cell Reynolds number of 9, which diverged with the steps of sound
 * (tau 0.5013, and with half of them) and third moments; steps of 0.2 ms bear them. */
static void short_steps_keep_no_third_moments(void **state) {
    (void)state;
    scale_request r = {.dx_m = 16e-3 / 24,
                       .density_kg_m3 = 1060,
                       .viscosity_pa_s = 1.8944e-3,
                       .velocity_m_s = 0.023,
                       .diameter_m = 16e-3,
                       .diameter_velocity_m_s = 0.0115,
                       .velocity_limit = NAN,
                       .tau = NAN,
                       .dt_s = NAN,
                       .period_s = 1,
                       .length_m = 80e-3};
    scale s;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_string_equal(s.limit, "speed of sound");
    assert_true(s.cell_reynolds > 8 && s.regularized && s.fourth == 1 && s.tau < 0.502);
    assert_near(s.omega_minus, 1, 0);
    r.dt_s = 2e-4;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_true(s.regularized && s.tau > 0.502 && s.omega_minus < 1);
}

/* The short steps of a fast pulse make cumulants unstable; the spacing of the message, 0.13 mm, bears them. */
static void cumulants_need_longer_steps(void **state) {
    (void)state;
    scale_request r = portal();
    scale s;
    r.cumulant = true;
    r.dx_m = 0.5e-3;
    r.velocity_m_s = 0.05;
    r.length_m = 25e-3;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_int_equal(scale_check_cumulants(&r, &s), OK); /* steady */
    r.period_s = 0.08;
    status_clear();
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_int_equal(scale_check_cumulants(&r, &s), ERR_INPUT);
    assert_near(s.tau, 0.5008, 1e-4);
    assert_non_null(strstr(status_message(), "unstable in pulsatile flow at tau 0.5008 (minimum 0.503)"));
    assert_non_null(strstr(status_message(), "0.13 mm or less"));
    status_clear();
    r.dt_s = s.dt_s; /* a given step has no spacing to change */
    assert_int_equal(scale_check_cumulants(&r, &s), ERR_INPUT);
    assert_non_null(strstr(status_message(), "remove solve.time_step and solve.tau"));
    status_clear();
    r.dt_s = NAN;
    r.dx_m = 0.13e-3;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_int_equal(scale_check_cumulants(&r, &s), OK);
    r.dx_m = 0.5e-3;
    r.cumulant = false;
    assert_int_equal(scale_choose(&r, &s), OK);
    assert_int_equal(scale_check_cumulants(&r, &s), OK);
}

/* All of the fourth moments up to a cell Reynolds number of 42 of the finest lattice, none from 44 on; half of the
 * third up to 50 of the coarsest. */
static void moments_end(void **state) {
    static const struct {
        double cell_reynolds, fourth, third;
    } at[] = {{41.5, 1, 0.5}, {42.5, 0.75, 0.5}, {43.5, 0.25, 0.5}, {44.5, 0, 0.5}, {49.5, 0, 0.5}, {50.5, 0, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        scale_request r = {.dx_m = at[k].cell_reynolds * 3.5e-3 / 1060,
                           .density_kg_m3 = 1060,
                           .viscosity_pa_s = 3.5e-3,
                           .velocity_m_s = 1,
                           .velocity_limit = NAN,
                           .tau = NAN,
                           .dt_s = NAN};
        scale s;
        assert_int_equal(scale_choose(&r, &s), OK);
        assert_true(s.regularized);
        assert_near(s.fourth, at[k].fourth, 1e-9);
        assert_near(1 - s.omega_minus, at[k].third, 0);
        r.finest_part = 0.7;
        assert_int_equal(scale_choose(&r, &s), OK);
        assert_true(s.fourth == 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_steps_keep_no_third_moments),
                                       cmocka_unit_test(moments_end),
                                       cmocka_unit_test(cumulants_need_longer_steps),
                                       cmocka_unit_test(limited_by_tau),
                                       cmocka_unit_test(limited_by_velocity),
                                       cmocka_unit_test(slow_flow_is_limited_by_tau),
                                       cmocka_unit_test(one_collision),
                                       cmocka_unit_test(impossible_is_refused_with_a_remedy),
                                       cmocka_unit_test(a_period_has_an_even_number_of_steps),
                                       cmocka_unit_test(slow_blood_on_a_coarse_lattice_is_damped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
