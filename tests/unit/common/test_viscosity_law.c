/* SPDX-License-Identifier: Apache-2.0 */
/* The viscosity laws at given shear rates, and as the exact flow of a pipe. */
#include "common/blood/viscosity_law.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_points(void **state) {
    (void)state;
    const viscosity_law l = viscosity_law_of(VISCOSITY_CARREAU_YASUDA, VISCOSITY_ABRAHAM, 0);
    const double rate[] = {1e-4, 1e-2, 1, 1e2, 1e4};
    const double expected[] = {.1579855, .1283352, .02597279780, .0042825595, .003521182515};
    const double digits[] = {1e-7, 1e-7, 1e-11, 1e-10, 1e-12}; /* those that `expected` has */
    for (int k = 0; k < 5; k++)
        assert_near(viscosity_law_pa_s(&l, rate[k]), expected[k], digits[k]);
    const viscosity_law n = viscosity_law_newtonian(3.5e-3);
    assert_near(viscosity_law_pa_s(&n, 7), 3.5e-3, 0);
}

/* Flow in mL/s and centre over mean velocity of a pipe of radius 5.5 mm, gradient in Pa/m: Q = pi integral r^2 g dr. */
static double pipe_flow(const viscosity_law *l, double gradient, double *peak) {
    enum { N = 4000 };
    const double radius = 5.5e-3;
    double flow = 0, centre = 0;
    for (int k = 0; k < N; k++) {
        const double r = (k + 0.5) * radius / N, rate = viscosity_law_rate_1_s(l, 0.5 * gradient * r);
        flow += M_PI * r * r * rate * radius / N;
        centre += rate * radius / N;
    }
    *peak = centre / (flow / (M_PI * radius * radius));
    return 1e6 * flow;
}

static void test_pipes(void **state) {
    (void)state;
    const struct {
        int model, set;
        double flow[2], peak[2];
    } known[] = {
        {VISCOSITY_CARREAU_YASUDA, VISCOSITY_CHO_KENSEY, {0.4417, 7.8103}, {1.6788, 1.8250}},
        {VISCOSITY_CARREAU_YASUDA, VISCOSITY_ABRAHAM, {0.5119, 9.0111}, {1.6436, 1.8391}},
        {VISCOSITY_CASSON, VISCOSITY_SHIBESHI, {0.8198, 8.3930}, {1.7370, 1.9005}},
        {VISCOSITY_POWER_LAW, VISCOSITY_SHIBESHI, {0.66975, 6.75043}, {1.8736, 1.8736}},
    };
    double peak;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 2; i++) {
            const viscosity_law l = viscosity_law_of(known[k].model, known[k].set, 0);
            assert_near(pipe_flow(&l, i ? 120 : 20, &peak), known[k].flow[i], 2e-4 * known[k].flow[i]);
            assert_near(peak, known[k].peak[i], 3e-4);
        }
    const viscosity_law casson = viscosity_law_of(VISCOSITY_CASSON, VISCOSITY_SHIBESHI, 0);
    const double plug = casson.yield_pa / (0.5 * 20 * 5.5e-3); /* plug radius over radius; closed form of Casson flow */
    const double part = 1 - 16.0 / 7 * sqrt(plug) + 4.0 / 3 * plug - pow(plug, 4) / 21;
    const double exact = 1e6 * M_PI * pow(5.5e-3, 4) * 20 / (8 * casson.infinite_pa_s) * part;
    assert_near(pipe_flow(&casson, 20, &peak), exact, 1e-6 * exact);
    const viscosity_law newton = viscosity_law_newtonian(3.5e-3);
    assert_near(pipe_flow(&newton, 20, &peak), 2.0534, 1e-4);
}

/* Quemada: the limits of (4), and more cells make blood thicker. */
static void test_quemada(void **state) {
    (void)state;
    const viscosity_law l = viscosity_law_of(VISCOSITY_QUEMADA, VISCOSITY_COKELET, 0.45);
    const double room = 1 - 0.5 * l.k1 * 0.45;
    assert_near(viscosity_law_pa_s(&l, 1e14), 1.2e-3 / (room * room), 1e-8);
    assert_true(viscosity_law_pa_s(&l, 100) > 3e-3 && viscosity_law_pa_s(&l, 100) < 6e-3);
    assert_true(viscosity_law_pa_s(&l, 1e-3) > 20e-3);
    double last = 0;
    for (double h = VISCOSITY_HEMATOCRIT_LOW; h <= VISCOSITY_HEMATOCRIT_TOP; h += 0.05) {
        const viscosity_law thick = viscosity_law_of(VISCOSITY_QUEMADA, VISCOSITY_COKELET, h);
        assert_true(viscosity_law_pa_s(&thick, 100) > last);
        last = viscosity_law_pa_s(&thick, 100);
        for (double rate = 1e-4; rate < 1e4; rate *= 2) /* shear-thinning, and no pole in the range */
            assert_true(viscosity_law_pa_s(&thick, 2 * rate) < viscosity_law_pa_s(&thick, rate));
    }
}

static void test_sets(void **state) {
    (void)state;
    for (int model = VISCOSITY_CARREAU_YASUDA; model <= VISCOSITY_QUEMADA; model++)
        assert_true(viscosity_law_fits(model, viscosity_law_default_set(model)));
    assert_false(viscosity_law_fits(VISCOSITY_CASSON, VISCOSITY_ABRAHAM));
    assert_false(viscosity_law_fits(VISCOSITY_NEWTONIAN, VISCOSITY_SHIBESHI));
    const viscosity_law l = viscosity_law_of(VISCOSITY_POWER_LAW, VISCOSITY_SHIBESHI, 0);
    assert_near(viscosity_law_wall_pa_s(&l, 0.1, 0.01), viscosity_law_pa_s(&l, 80), 1e-12);
    assert_true(isfinite(viscosity_law_wall_pa_s(&l, 0, 0.01)));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_pipes),
                                       cmocka_unit_test(test_quemada), cmocka_unit_test(test_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
