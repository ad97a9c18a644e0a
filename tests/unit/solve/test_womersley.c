/* SPDX-License-Identifier: Apache-2.0 */
/* The momentum of pulsatile flow against its limits and against the flow itself, solved by finite differences. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <complex.h>
#include <math.h>
#include "solve/boundary/womersley.h"
#include "tests/unit/near.h"

/* u'' + u' / r - i alpha^2 u = -1 in r = 0..1, u(1) = 0, on n cells (Thomas' algorithm): mean of |u|^2 for a mean of
 * |u| = 1; *wall: |u'| there at r = 1. */
static double by_differences(double alpha, double *wall) {
    enum { N = 2000 };
    static double complex upper[N], u[N];
    const double h = 1.0 / N;
    double complex mean = 0;
    double square = 0;
    for (int k = 0; k < N; k++) {
        const double r = (k + 0.5) * h, below = (r - 0.5 * h) / (r * h * h), above = (r + 0.5 * h) / (r * h * h);
        const double last = k == N - 1 ? 2 * above : above; /* the wall is half a cell away */
        const double complex low = k ? below : 0, middle = -below * (k > 0) - last - I * alpha * alpha;
        const double complex by = middle - (k ? low * upper[k - 1] : 0);
        upper[k] = (k == N - 1 ? 0 : above) / by;
        u[k] = (-1 - (k ? low * u[k - 1] : 0)) / by;
    }
    for (int k = N - 2; k >= 0; k--)
        u[k] -= upper[k] * u[k + 1];
    for (int k = 0; k < N; k++)
        mean += 2 * (k + 0.5) * h * h * u[k];
    for (int k = 0; k < N; k++)
        square += 2 * (k + 0.5) * h * h * pow(cabs(u[k] / mean), 2);
    *wall = cabs(0.5 * (I * alpha * alpha - 1 / mean)); /* the equation, over the section */
    return square;
}

static void momentum(void **state) {
    (void)state;
    assert_near(womersley_momentum(0), 4.0 / 3.0, 1e-12);
    const double alpha[] = {0.3, 2, 5, 15, 29};
    double wall;
    for (size_t k = 0; k < sizeof alpha / sizeof *alpha; k++) {
        assert_near(womersley_momentum(alpha[k]), by_differences(alpha[k], &wall), 2e-4);
        assert_near(womersley_wall(alpha[k]) / wall, 1, 1e-3);
    }
    assert_near(womersley_momentum(80), by_differences(80, &wall), 3e-3);
    assert_near(womersley_wall(80) / wall, 1, 0.03);
    assert_near(womersley_wall(0), 4, 1e-12);
}

/* Two harmonics, each on its own. */
static void excess(void **state) {
    (void)state;
    enum { N = 60 };
    const double period_s = 0.8, nu = 3.3e-6, radius_m = 3e-3;
    double time[N], flow[N];
    waveform w;
    for (int k = 0; k < N; k++) {
        const double phase = 2 * M_PI * k / N;
        time[k] = period_s * k / N;
        flow[k] = 1e-6 * (2 + 1.6 * cos(phase) + 0.5 * sin(3 * phase));
    }
    assert_int_equal(waveform_create(&w, N, time, flow, period_s), OK);
    const double a1 = radius_m * sqrt(2 * M_PI / (period_s * nu)), a3 = radius_m * sqrt(6 * M_PI / (period_s * nu));
    const double wanted = 1e-12 * ((4.0 / 3 - womersley_momentum(a1)) * 0.5 * 1.6 * 1.6 +
                                   (4.0 / 3 - womersley_momentum(a3)) * 0.5 * 0.5 * 0.5);
    assert_near(womersley_excess(&w, radius_m, nu) / wanted, 1, 1e-3);
    /* of a momentum flux that grows by 1 / cos^2, about 2 / cos - 2; the third harmonic by three times the angle */
    const double grown = 1e-12 * (womersley_momentum(a1) * 1.6 * 1.6 * (1 / cos(0.2) - 1) +
                                  womersley_momentum(a3) * 0.5 * 0.5 * (1 / cos(0.6) - 1));
    const womersley_series s = womersley_series_of(&w, radius_m, nu);
    assert_near(womersley_growth(&s, 0, false, 0.2) / grown, 1, 1e-3);
    assert_true(womersley_growth(&s, 2e-4, true, 0.2) > grown);
    waveform_free(&w);
}

/* One harmonic: that of womersley_lattice. Beside it a fourth, a tenth of the flow, whose layer is half as thick. */
static void layer(void **state) {
    (void)state;
    enum { N = 64 };
    const double period_s = 1, nu = 3.3e-6, radius_m = 6e-3, dx_m = 5e-4, layer_m = sqrt(nu * period_s / M_PI);
    double time[N], flow[N];
    waveform w;
    womersley_layer found[2];
    for (int n = 0; n < 2; n++) {
        for (int k = 0; k < N; k++) {
            const double phase = 2 * M_PI * k / N;
            time[k] = period_s * k / N;
            flow[k] = 1e-6 * (2 + sin(phase) + 0.1 * n * cos(4 * phase));
        }
        assert_int_equal(waveform_create(&w, N, time, flow, period_s), OK);
        found[n] = womersley_layer_of(&w, radius_m, nu, dx_m, false);
        assert_near(found[n].layer_m / layer_m, 1, 1e-12);
        waveform_free(&w);
    }
    const double alpha = radius_m * sqrt(2 * M_PI / (period_s * nu)), one = womersley_lattice(layer_m / dx_m, false),
                 other = womersley_lattice(0.5 * layer_m / dx_m, false);
    const double part = 0.1 * womersley_wall(2 * alpha) / womersley_wall(alpha);
    assert_near(found[0].wall / one, 1, 1e-3);
    assert_near(found[0].pulse / (womersley_wall(alpha) * sqrt(0.5) / 8), 1, 1e-3);
    assert_near(found[0].drop / (one * 2 * womersley_wall(alpha) / hypot(8, alpha * alpha)), 1, 1e-3);
    assert_near(found[1].wall / sqrt((one * one + pow(part * other, 2)) / (1 + part * part)), 1, 2e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum), cmocka_unit_test(excess), cmocka_unit_test(layer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
