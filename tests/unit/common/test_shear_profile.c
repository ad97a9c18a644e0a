/* SPDX-License-Identifier: Apache-2.0 */
/* The developed profile of a viscosity law: circle and plates against quadrature, other sections against the solution
 * of div (mu grad u) = -G over the section. */
#include "common/blood/shear_profile.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct {
    int model, set;
} LAW[] = {{VISCOSITY_CARREAU_YASUDA, VISCOSITY_CHO_KENSEY},
           {VISCOSITY_CARREAU_YASUDA, VISCOSITY_ABRAHAM},
           {VISCOSITY_CASSON, VISCOSITY_SHIBESHI},
           {VISCOSITY_POWER_LAW, VISCOSITY_SHIBESHI},
           {VISCOSITY_QUEMADA, VISCOSITY_COKELET}};
enum { LAWS = sizeof LAW / sizeof LAW[0], RINGS = 4000, HALF = 32 };

/* speed [RINGS + 1]: velocity at the places k / RINGS, where the stress at the wall is stress_pa. Returns the mean:
 * across a circle with power 2, between plates with power 1. */
static double integrate(const viscosity_law *l, double stress_pa, double width_m, int power, double *speed) {
    double mean = 0;
    speed[RINGS] = 0;
    for (int k = RINGS - 1; k >= 0; k--) {
        const double at = (k + 0.5) / RINGS, step = viscosity_law_rate_1_s(l, stress_pa * at) * width_m / RINGS;
        speed[k] = speed[k + 1] + step;
        mean += step * pow(at, power);
    }
    return mean;
}

static void circle_and_plates(void **state) {
    (void)state;
    double *speed = malloc((RINGS + 1) * sizeof *speed);
    shear_profile p;
    assert_non_null(speed);
    for (int k = 0; k < LAWS; k++)
        for (int power = 1; power <= 2; power++)
            for (double stress = 0.02; stress < 3; stress *= 10) {
                const viscosity_law l = viscosity_law_of(LAW[k].model, LAW[k].set, 0.45);
                const double width = 8e-3, peak = power == 2 ? 2 : 1.5; /* radius, or half distance of the plates */
                const double mean = integrate(&l, stress, width, power, speed);
                const shear_section s = {power == 2 ? M_PI * width * width : 2 * width,
                                         power == 2 ? 2 * M_PI * width : 2, peak};
                shear_profile_of_mean(&l, &s, mean, &p);
                assert_near(p.wall_stress_pa, stress, 2e-3 * stress);
                assert_near(p.mean_m_s, mean, 1e-6 * mean);
                for (int i = 0; i < RINGS; i += 100) {
                    const double at = (double)i / RINGS;
                    assert_near(shear_profile_value(&p, peak * (1 - at * at)), speed[i] / mean, 0.005);
                }
                assert_near(shear_profile_value(&p, -0.1), -shear_profile_value(&p, 0.1), 1e-12);
                shear_profile_of_peak(&l, &s, speed[0], &p);
                assert_near(p.mean_m_s, mean, 2e-3 * mean);
            }
    free(speed);
}

static void constant_viscosity(void **state) {
    (void)state;
    const viscosity_law l = viscosity_law_newtonian(3.5e-3);
    const shear_section s = {1e-4, 0.05, 2.1};
    shear_profile p;
    shear_profile_of_mean(&l, &s, 0.1, &p);
    for (double w = -2; w <= 2.1; w += 0.1)
        assert_near(shear_profile_value(&p, w), w, 1e-3);
}

/* A quarter of a section of half-widths 1 and `high`, in cells of 1 / HALF. u is 0 outside. */
typedef struct {
    double high, u[HALF + 2][HALF + 2], mu[HALF + 2][HALF + 2];
    int inside[HALF + 2][HALF + 2];
} quarter;

/* Solves div (mu grad u) = -1 with mirror images on the axes of symmetry. */
static void relax(quarter *q) {
    for (int sweep = 0; sweep < 600; sweep++)
        for (int i = 1; i <= HALF; i++)
            for (int j = 1; j <= HALF; j++) {
                const int to[4][2] = {{i + 1, j}, {i > 1 ? i - 1 : i, j}, {i, j + 1}, {i, j > 1 ? j - 1 : j}};
                double sum = 1.0 / (HALF * HALF), weights = 0;
                for (int side = 0; side < 4 && q->inside[i][j]; side++) {
                    const int a = to[side][0], b = to[side][1];
                    const double g = q->inside[a][b] ? 0.5 * (q->mu[i][j] + q->mu[a][b]) : 2 * q->mu[i][j];
                    sum += g * q->u[a][b];
                    weights += g;
                }
                if (q->inside[i][j])
                    q->u[i][j] += 1.85 * (sum / weights - q->u[i][j]);
            }
}

static double mean_of(const quarter *q, int *n) {
    double sum = 0;
    *n = 0;
    for (int i = 1; i <= HALF; i++)
        for (int j = 1; j <= HALF; j++)
            if (q->inside[i][j]) {
                sum += q->u[i][j];
                ++*n;
            }
    return sum / *n;
}

static double slope(const quarter *q, int i, int j, int di, int dj) {
    double from = q->u[i - di < 1 ? 1 : i - di][j - dj < 1 ? 1 : j - dj], to = q->u[i + di][j + dj];
    if (!q->inside[i + di][j + dj]) /* the wall is half a cell away */
        to = -q->u[i][j];
    return 0.5 * HALF * (to - from);
}

/* Solves for the law at a pressure gradient; lengths are in length_m. */
static void solve_law(quarter *q, const viscosity_law *l, double gradient, double length_m) {
    for (int round = 0; round < 40; round++) {
        relax(q);
        for (int i = 1; i <= HALF; i++)
            for (int j = 1; j <= HALF; j++) {
                const double rate = hypot(slope(q, i, j, 1, 0), slope(q, i, j, 0, 1)) * gradient * length_m;
                if (q->inside[i][j]) /* u is in units of gradient * length_m^2 */
                    q->mu[i][j] = sqrt(q->mu[i][j] * viscosity_law_pa_s(l, fmax(rate, 0.05)));
            }
    }
    relax(q);
}

/* Root mean square of the differences from the solution, in mean velocities: of the profile, and of that of constant
 * viscosity. */
typedef struct {
    double profile, newtonian;
} differences;

static void fill_quarter(double high, bool ellipse, quarter *q) {
    for (int i = 1; i <= HALF; i++)
        for (int j = 1; j <= HALF; j++) {
            const double x = (i - 0.5) / HALF, y = (j - 0.5) / HALF / high;
            q->inside[i][j] = ellipse ? x * x + y * y < 1 : y < 1;
            q->mu[i][j] = 1;
        }
    relax(q);
}

/* Perimeter of a section of half-widths 1 and `high`; of an ellipse by Ramanujan's formula. */
static double perimeter_of(double high, bool ellipse) {
    const double h = pow((1 - high) / (1 + high), 2);
    return ellipse ? M_PI * (1 + high) * (1 + 3 * h / (10 + sqrt(4 - 3 * h))) : 4 * (1 + high);
}

static differences compare(double high, bool ellipse, const viscosity_law *l, double gradient) {
    const double length = 8e-3;
    quarter *newton = calloc(1, sizeof *newton), *q = calloc(1, sizeof *q);
    differences d = {0};
    double peak = 0;
    int n;
    shear_profile p;
    assert_true(newton && q);
    fill_quarter(high, ellipse, newton);
    *q = *newton;
    for (int i = 1; i <= HALF; i++)
        for (int j = 1; j <= HALF; j++)
            q->mu[i][j] = l->infinite_pa_s;
    solve_law(q, l, gradient, length);
    const double newton_mean = mean_of(newton, &n), mean = mean_of(q, &n);
    for (int i = 1; i <= HALF; i++)
        peak = fmax(peak, newton->u[i][1] / newton_mean);
    const shear_section s = {4.0 * n / (HALF * HALF) * length * length, perimeter_of(high, ellipse) * length, peak};
    shear_profile_of_mean(l, &s, mean * gradient * length * length, &p);
    for (int i = 1; i <= HALF; i++)
        for (int j = 1; j <= HALF; j++) {
            const double w = newton->u[i][j] / newton_mean, u = q->u[i][j] / mean;
            if (q->inside[i][j]) {
                d.profile += pow(shear_profile_value(&p, w) - u, 2) / n;
                d.newtonian += pow(w - u, 2) / n;
            }
        }
    d = (differences){sqrt(d.profile), sqrt(d.newtonian)};
    printf(
        "%s 1:%g, %g Pa/m: centre %.3f, constant viscosity %.3f; differences %.2f %% of the mean, constant viscosity "
        "%.2f %%\n",
        ellipse ? "ellipse" : "rectangle", high, gradient, q->u[1][1] / mean, peak, 100 * d.profile, 100 * d.newtonian);
    free(newton);
    free(q);
    return d;
}

static void other_sections(void **state) {
    (void)state;
    const viscosity_law l = viscosity_law_of(VISCOSITY_CARREAU_YASUDA, VISCOSITY_CHO_KENSEY, 0);
    const struct {
        double high;
        bool ellipse;
        double limit;
    } section[] = {{1, true, 0.003}, {0.75, true, 0.02}, {0.5, true, 0.04}, {1, false, 0.025}, {0.5, false, 0.05}};
    for (int k = 0; k < 5; k++) {
        const differences d = compare(section[k].high, section[k].ellipse, &l, 30);
        assert_true(d.profile < section[k].limit);
        assert_true(d.profile < 0.5 * d.newtonian);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(circle_and_plates), cmocka_unit_test(constant_viscosity),
                                       cmocka_unit_test(other_sections)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
