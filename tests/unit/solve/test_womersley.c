/* The momentum of pulsatile flow against its limits and against the flow itself, solved by finite differences. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <complex.h>
#include <math.h>
#include "solve/run/womersley.h"
#include "tests/unit/near.h"

/* u'' + u' / r - i alpha^2 u = -1 in r = 0..1, u(1) = 0, on n cells (Thomas' algorithm). */
static double by_differences(double alpha) {
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
    return square;
}

static void momentum(void **state) {
    (void)state;
    assert_near(womersley_momentum(0), 4.0 / 3.0, 1e-12);
    const double alpha[] = {0.3, 2, 5, 15, 29};
    for (size_t k = 0; k < sizeof alpha / sizeof *alpha; k++)
        assert_near(womersley_momentum(alpha[k]), by_differences(alpha[k]), 2e-4);
    assert_near(womersley_momentum(80), by_differences(80), 3e-3);
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
    waveform_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum), cmocka_unit_test(excess)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
