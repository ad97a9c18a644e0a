/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals: series whose limit is known, series without one, and how they are written. */
#include "common/record/interval.h"
#include "post/flow/solution.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static const double h[4] = {1, 1.5, 2.25, 3.375};

/* f(h) = 10 + a h^2 + b h^3 + c h^4 */
static interval series(int n, double a, double b, double c) {
    double f[4];
    for (int k = 0; k < 4; k++)
        f[k] = 10 + a * h[k] * h[k] + b * pow(h[k], 3) + c * pow(h[k], 4);
    return interval_of_lattices(n, h, f, false);
}

static void test_pure_order(void **state) {
    (void)state;
    for (int n = 2; n <= 4; n++) {
        const interval u = series(n, 0.1, 0, 0);
        assert_int_equal(u.kind, INTERVAL_EXTRAPOLATED);
        assert_near(u.value, 10, 1e-12);
        assert_near(u.finest, 10.1, 1e-12);
        assert_true(u.lattice > 0.01 && u.lattice <= 3 * 0.1 + 1e-12);
        assert_true(n == 2 ? isnan(u.order) : fabs(u.order - 2) < 1e-6);
    }
}

/* Beyond second order the interval holds the limit, and is not ten times too wide. */
static void test_next_order_inside(void **state) {
    (void)state;
    static const double more[][3] = {
        {0.1, 0.02, 0}, {0.1, -0.02, 0}, {0.05, 0, 0.01}, {0.1, 0, -0.003}, {0.02, 0.02, 0}};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        const interval u = series(3, more[k][0], more[k][1], more[k][2]);
        if (u.kind != INTERVAL_EXTRAPOLATED || !(fabs(u.value - 10) <= u.lattice) || u.lattice > 1)
            fail_msg("%zu: kind %d, %g +- %g", k, u.kind, u.value, u.lattice);
    }
}

/* Far too steep: the coarsest lattice is of no use, the two others are taken with a wide interval. */
static void test_steep(void **state) {
    (void)state;
    const double f[3] = {10.29, 10.43, 11.65};
    const interval u = interval_of_lattices(3, h, f, false);
    assert_true(u.order > 5 && u.kind == INTERVAL_EXTRAPOLATED);
    assert_near(u.value, 10.29 - 0.14 / 1.25, 1e-9);
    assert_near(u.lattice, 3 * 0.14 / 1.25, 1e-9);
}

/* Slower than first order and a half: the two finest alone, an interval of twice the part of the correction. */
static void test_slow(void **state) {
    (void)state;
    const double f[3] = {10, 11, 12.5};
    const interval u = interval_of_lattices(3, h, f, false);
    assert_near(u.order, 1, 1e-6);
    assert_near(u.value, 10 - 1 / 1.25, 1e-9);
    assert_true(u.lattice >= 1.25 * 2 * 0.33 * 0.8 - 1e-9);
}

/* From slow to trusted orders and on to steep ones value and interval have no jump. */
static void test_no_jump(void **state) {
    (void)state;
    interval before = {.value = NAN};
    for (double coarse = 0.52; coarse < 4; coarse += 0.002) { /* orders 0.65 to 5.7 */
        const double f[3] = {10, 10.4, 10.4 + coarse};
        const interval u = interval_of_lattices(3, h, f, false);
        if (!isnan(before.value)) {
            assert_near(u.value, before.value, 3e-3);
            assert_near(u.lattice, before.lattice, 3e-3);
        }
        before = u;
    }
    assert_true(before.order > 5);
}

static void test_refused_and_noise(void **state) {
    (void)state;
    const double away[3] = {10, 11.5, 11.6}, swings[3] = {10, 12, 10}, slow[3] = {1.648, 1.677, 1.713},
                 noise[3] = {10, 10.05, 9.98}, same[3] = {7, 7, 7}, unknown[3] = {1, NAN, 2};
    interval u = interval_of_lattices(3, h, away, false);
    assert_true(u.kind == INTERVAL_REFUSED && u.value == 10 && isnan(u.lattice));
    u = interval_of_lattices(3, h, swings, false);
    assert_true(u.kind == INTERVAL_REFUSED && isnan(u.lattice));
    u = interval_of_lattices(3, h, noise, false);
    assert_true(u.kind == INTERVAL_NOISE && u.value == 10);
    assert_near(u.lattice, 0.21, 1e-12);
    u = interval_of_lattices(3, h, slow, false);
    assert_true(u.kind == INTERVAL_NOISE && u.value == 1.648);
    assert_near(u.lattice, 3 * 0.065, 1e-12);
    u = interval_of_lattices(3, h, same, false);
    assert_true(u.value == 7 && u.lattice == 0);
    u = interval_of_lattices(3, h, unknown, false);
    assert_true(u.kind == INTERVAL_NONE && isnan(u.lattice));
    u = interval_of_lattices(1, h, same, false);
    assert_true(u.kind == INTERVAL_NONE && isnan(u.lattice) && u.value == 7);
}

/* A sum of readouts of trusted orders has the sum of their extrapolated values: pressures and their drops stay
 * consistent. */
static void test_linear(void **state) {
    (void)state;
    const double a[3] = {10, 10.3, 11}, b[3] = {4, 4.15, 4.5}, d[3] = {6, 6.15, 6.5};
    assert_near(interval_of_lattices(3, h, a, false).value - interval_of_lattices(3, h, b, false).value,
                interval_of_lattices(3, h, d, false).value, 1e-12);
}

static void test_parts(void **state) {
    (void)state;
    interval u = series(3, 0.1, 0, 0);
    u.lattice = 0.3;
    u.image = interval_of_image(&u, 12, 10, 9.2);
    assert_near(u.image, 1.4, 1e-12);
    u.inputs = 0;
    interval_add_up(&u);
    assert_near(u.total, sqrt(0.09 + 1.96), 1e-12);
    assert_near(interval_known(&u), u.total, 1e-12);
    u.image = interval_of_image(&u, NAN, 10, 9);
    interval_add_up(&u);
    assert_true(isnan(u.total));
    assert_near(interval_known(&u), 0.3, 1e-12);
}

static unsigned next(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Normal, of deviation 1: the sum of twelve. */
static double normal(unsigned *seed) {
    double sum = -6;
    for (int k = 0; k < 12; k++)
        sum += next(seed) / 16777216.0;
    return sum;
}

/* Cumulants: third order from two lattices, lower limit 1.25 %; a second lattice 8 % off gives 1.5 %. */
static void test_cumulants(void **state) {
    (void)state;
    const double step[2] = {1, 1.4}, cubic[2] = {10 + 0.05, 10 + 0.05 * 1.4 * 1.4 * 1.4}, far[2] = {10, 10.8};
    interval u = interval_of_lattices(2, step, cubic, true);
    assert_near(u.value, 10, 1e-9);
    assert_near(u.measured, 3 * 0.05, 1e-9);
    assert_near(u.lattice, 3 * 0.05, 1e-9);
    u = interval_of_lattices(2, step, far, true);
    assert_near(u.value, 10 - 0.8 / 1.744, 1e-9);
    assert_near(u.lattice, 3 * 0.8 / 1.744, 1e-9);
    const double near[2] = {10, 10.01};
    u = interval_of_lattices(2, step, near, true);
    assert_near(u.lattice, 0.125, 1e-9);
    interval_of_two_flows(2, step, near, (const double[]){1e-3, 0}, &u);
    assert_near(u.lattice, 0.125, 1e-9);
    /* time averages: the weight of the extrapolation, second order from three lattices */
    const double three[3] = {1, 1.4, 1.96}, square[3] = {11, 11.96, 13.8416}, error[3] = {0.01, 0.01, 0.01};
    u = interval_of_lattices(3, three, square, true);
    const double before = u.lattice, q = 1 / 0.96;
    interval_of_means(3, three, square, error, &u);
    assert_near(u.lattice, hypot(before, 2 * hypot((1 + q) * 0.11, q * 0.1196)), 1e-9);
}

/* The measured part is the discretization part before its lower limit of 2 %. */
static void test_measured(void **state) {
    (void)state;
    const double near[3] = {10.001, 10.002, 10.004}, far[3] = {10.5, 11.2, 12.6};
    for (int n = 2; n <= 3; n++) {
        interval u = interval_of_lattices(n, h, near, false);
        assert_true(u.measured > 0 && u.measured < 0.01);
        assert_near(u.lattice, 0.2, 1e-3);
        u = interval_of_lattices(n, h, far, false);
        assert_true(u.measured > 0.3);
        assert_near(u.measured, u.lattice, 0);
    }
    const double same[2] = {10, 10};
    assert_true(interval_of_lattices(2, h, same, false).measured == 0);
    assert_true(isnan(interval_of_lattices(1, h, same, false).measured));
}

/* How large the discretization part may be: a third of the rest, 1 %, or as requested. */
static void test_limit(void **state) {
    (void)state;
    interval u = {.value = -10, .image = 3, .inputs = 4};
    assert_near(interval_rest(&u), 5, 1e-12);
    assert_near(interval_lattice_limit(&u, NAN), 5.0 / 3, 1e-12);
    assert_near(interval_lattice_limit(&u, 0.05), 0.5, 1e-12);
    u.blood = 12;
    u.lattice = 84;
    interval_add_up(&u);
    assert_near(u.total, 85, 1e-12);
    assert_near(interval_known(&u), 85, 1e-12);
    assert_near(interval_lattice_limit(&u, NAN), 13.0 / 3, 1e-12);
    u.blood = NAN;
    interval_add_up(&u);
    assert_true(isnan(u.total) && interval_known(&u) < 85);
    u.blood = 0;
    u.image = NAN;
    assert_near(interval_lattice_limit(&u, NAN), 4.0 / 3, 1e-12);
    u.inputs = 0.1;
    assert_near(interval_lattice_limit(&u, NAN), 0.1, 1e-12);
    assert_near(interval_of_input(8, 10, -1, 1.4), -2.8, 1e-12); /* lowered by 1, known to 1.4 */
    assert_true(isnan(interval_of_input(NAN, 10, -1, 1)));
}

/* Means of unsteady flows, known to 2 % each: the interval holds the limit as often as it says, and it is not twice as
 * wide as that takes. */
static void test_means(void **state) {
    (void)state;
    enum { DRAWS = 1000 };
    const double error[2] = {0.02, 0.02};
    int without = 0, with = 0;
    double width = 0;
    unsigned seed = 7;
    for (int k = 0; k < DRAWS; k++) {
        const double f[2] = {10.02 * (1 + error[0] * normal(&seed)), 10.045 * (1 + error[1] * normal(&seed))};
        interval u = interval_of_lattices(2, h, f, false);
        without += fabs(u.value - 10) <= u.lattice;
        interval_of_means(2, h, f, error, &u);
        with += fabs(u.value - 10) <= u.lattice;
        width += u.lattice / DRAWS;
    }
    printf("means: %d of %d hold the limit without their error, %d with; half-width %.2f\n", without, DRAWS, with,
           width);
    assert_true(without < 0.9 * DRAWS && with >= 0.95 * DRAWS);
    assert_true(width < 4 * hypot(1.8 * 0.2, 0.8 * 0.2));
    const double same[2] = {10, 10};
    interval given = interval_of_lattices(2, h, same, false);
    interval_of_means(2, h, same, error, &given);
    assert_true(given.lattice == 0);
}

/* An S-bend with a throat of 70 %: turned in the grid 102.8 and 102.9, along it unsteady on the finest lattice alone,
 * 101.14 there and 104.20, 108 on the steady ones: extrapolated 98.0 +- 2.7, which misses the others. */
static void test_two_flows(void **state) {
    (void)state;
    const double step[3] = {1, 1.4, 1.96}, f[3] = {101.14, 104.20, 108.04}, finest[3] = {8e-4, 0, 0},
                 coarsest[3] = {0, 0, 2e-3}, all[3] = {8e-4, 1e-3, 2e-3}, far[3] = {111.5, 127.4, 130},
                 given[2] = {5, 4.99999999};
    interval u = interval_of_lattices(3, step, f, false);
    assert_true(u.value + u.lattice < 102.8);
    interval_of_two_flows(3, step, f, finest, &u);
    assert_true(u.kind == INTERVAL_NOISE && u.value == f[0]);
    assert_near(u.lattice, 3 * 3.06, 1e-9);
    u = interval_of_lattices(3, step, f, false);
    interval_of_two_flows(3, step, f, coarsest, &u);
    assert_near(u.value, interval_of_lattices(2, step, f, false).value, 0);
    assert_near(u.lattice, interval_of_lattices(2, step, f, false).lattice, 0);
    const interval before = u = interval_of_lattices(3, step, f, false);
    interval_of_two_flows(3, step, f, all, &u);
    assert_near(u.value, before.value, 0);
    assert_near(u.lattice, before.lattice, 0);
    u = interval_of_lattices(2, step, far, false);
    interval_of_two_flows(2, step, far, finest, &u);
    assert_true(u.value == far[0]);
    assert_near(u.lattice, 3 * 15.9, 1e-9);
    u = interval_of_lattices(2, step, given, false); /* the given flow of an inlet is exact on every lattice */
    interval_of_two_flows(2, step, given, finest, &u);
    assert_true(u.value == 5 && u.lattice == 0);
}

/* A coarse lattice that was cut before it had settled is no steady flow, whatever its few samples say. */
static void test_cut(void **state) {
    (void)state;
    const struct {
        const char *result;
        double error;
    } t[] = {{"{\"converged\": true}", 0},
             {"{\"unsteady\": {\"pressure_differences\": [{\"mean_pa\": -50, \"error_pa\": 1}, "
              "{\"mean_pa\": 20, \"error_pa\": 3}]}}",
              0.02},
             {"{\"unsteady\": {\"pressure_differences\": [{\"mean_pa\": 50, \"error_pa\": null}]}, "
              "\"share_used\": true}",
              0.01},
             {"{\"converged\": true, \"share_used\": true}", 0.01},
             {"{\"unsteady\": {\"pressure_differences\": [{\"mean_pa\": 50, \"error_pa\": 2}]}, "
              "\"share_used\": true}",
              0.04}};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        cJSON *result = cJSON_Parse(t[k].result);
        assert_non_null(result);
        assert_near(solution_error_of_means(result), t[k].error, 1e-15);
        cJSON_Delete(result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pure_order), cmocka_unit_test(test_next_order_inside),
                                       cmocka_unit_test(test_steep),      cmocka_unit_test(test_slow),
                                       cmocka_unit_test(test_no_jump),    cmocka_unit_test(test_refused_and_noise),
                                       cmocka_unit_test(test_linear),     cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_measured),   cmocka_unit_test(test_limit),
                                       cmocka_unit_test(test_cumulants),  cmocka_unit_test(test_two_flows),
                                       cmocka_unit_test(test_means),      cmocka_unit_test(test_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
