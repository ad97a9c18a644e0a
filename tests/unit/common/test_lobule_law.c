/* SPDX-License-Identifier: Apache-2.0 */
/* The lobule law against Darcy's law integrated numerically, its interval, and published resistances. */
#include "common/liver/lobule_law.h"
#include "common/base/units.h"
#include "tests/unit/near.h"
#include <math.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static lobule_liver liver_of(enum lobule_stage stage, double volume_ml) {
    lobule_liver l = lobule_default_liver(stage);
    l.volume_ml = (lobule_quantity){volume_ml, 0};
    l.viscosity_pa_s = (lobule_quantity){3.5e-3, 0.7e-3};
    return l;
}

/* Pressure drop from rim to central vein over the flow of one lobule of 1 m length, divided by the number of lobules:
 * the source w per volume gives the radial velocity w (b^2 - r^2) / (2 r), and Darcy's law the pressure gradient
 * mu / K times the velocity. */
static double integrate(const lobule_liver *l) {
    const double a = 1e-3 * l->vein_radius_mm.value, b = 1e-3 * l->radius_mm.value;
    const int n = 100000;
    double drop = 0;
    for (int k = 0; k < n; k++) {
        const double r = a + (k + 0.5) * (b - a) / n;
        drop += (b * b - r * r) / (2 * r) * (b - a) / n;
    }
    drop *= l->viscosity_pa_s.value / l->permeability_m2.value;
    return drop / (1e-6 * l->volume_ml.value) / (1 - l->arterial_share.value);
}

static void test_darcy(void **state) {
    (void)state;
    double error;
    for (int stage = 0; stage < LOBULE_STAGES; stage++) {
        const lobule_liver l = liver_of(stage, 1300);
        const double r = lobule_resistance(&l, &error), exact = integrate(&l);
        assert_near(r / exact, 1, 1e-7);
    }
}

static void test_interval(void **state) {
    (void)state;
    lobule_liver venous = liver_of(LOBULE_HEALTHY, 1500);
    assert_true(lobule_is_valid(&venous));
    venous.arterial_share = (lobule_quantity){0, 0};
    assert_true(lobule_is_valid(&venous));
    venous.permeability_m2.error = venous.permeability_m2.value;
    assert_false(lobule_is_valid(&venous));
    lobule_liver l = liver_of(LOBULE_HEALTHY, 1500);
    double error, exact;
    l.radius_mm.error = l.vein_radius_mm.error = l.permeability_m2.error = l.arterial_share.error = 0;
    const double r = lobule_resistance(&l, &error);
    assert_near(error / r, 0.2, 1e-12); /* viscosity only */
    l.volume_ml.error = 150;
    lobule_resistance(&l, &error);
    assert_near(error / r, hypot(0.2, 0.5 * (1 / 0.9 - 1 / 1.1)), 1e-12);
    l.volume_ml.error = l.viscosity_pa_s.error = 0;
    lobule_resistance(&l, &exact);
    assert_true(exact == 0);
}

/* A standard normal number from a sum of twelve uniform ones. */
static double draw_normal(unsigned *state) {
    double sum = -6;
    for (int k = 0; k < 12; k++) {
        *state = *state * 1664525u + 1013904223u;
        sum += (*state >> 8) / 16777216.0;
    }
    return sum;
}

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The bounds are the 2.5 and 97.5 % quantiles of normally distributed quantities; the half-width is too short above. */
static void test_bounds(void **state) {
    (void)state;
    enum { DRAWS = 40000 };
    static double r[DRAWS];
    unsigned seed = 1;
    for (int stage = 0; stage < LOBULE_STAGES; stage++) {
        const lobule_liver l = liver_of(stage, 1500);
        double error, bound[2];
        const double whole = lobule_resistance(&l, &error);
        lobule_bounds(&l, bound);
        for (int n = 0; n < DRAWS;) {
            lobule_liver now = l;
            for (int q = 0; q < LOBULE_QUANTITIES; q++) {
                now.quantity[q].value += l.quantity[q].error / 1.96 * draw_normal(&seed);
                now.quantity[q].error = 0;
            }
            if (lobule_is_valid(&now))
                r[n++] = lobule_resistance(&now, &(double){0});
        }
        qsort(r, DRAWS, sizeof *r, compare_numbers);
        assert_near(bound[0] / r[DRAWS / 40], 1, 0.05);
        assert_near(bound[1] / r[DRAWS - DRAWS / 40], 1, 0.05);
        assert_true(bound[1] > whole + 1.2 * error && bound[0] > whole - error);
    }
}

/* Published: 3.3 to 6 mmHg min/L of healthy livers, 15 to 25 of cirrhotic ones. */
static void test_published(void **state) {
    (void)state;
    double error[2], r[2];
    for (int stage = LOBULE_HEALTHY; stage <= LOBULE_CIRRHOSIS; stage++) {
        const lobule_liver l = liver_of(stage, 1500);
        r[stage] = lobule_resistance(&l, &error[stage]) / UNITS_PA_S_M3_PER_MMHG_MIN_L;
        error[stage] /= UNITS_PA_S_M3_PER_MMHG_MIN_L;
        print_message("stage %d: %.1f +- %.1f mmHg min/L\n", stage, r[stage], error[stage]);
    }
    assert_near(r[LOBULE_HEALTHY] * 0.75 * 1.6, 8.66, 0.01); /* mmHg at a whole flow of 1.6 L/min */
    assert_true(r[0] - error[0] < 3.3 && r[0] + error[0] > 6 && r[1] - error[1] < 15 && r[1] + error[1] > 25);
}

/* Resistances of the assumed stages and classes for 1.5 L, beside gradients that catheters measured. NaN: no source
 * gives a mean. Wadhawan 2006: Child A to C. The portal flow is 1 L/min for all; that of Child B and C is lower. */
static void test_assumed(void **state) {
    (void)state;
    static const struct {
        enum lobule_stage stage;
        const char *name;
        bool assumed;
        double measured_mmhg;
    } row[] = {{LOBULE_HEALTHY, "healthy", false, NAN},
               {LOBULE_F1, "F1", true, NAN},
               {LOBULE_F2, "F2", true, NAN},
               {LOBULE_F3, "F3", true, NAN},
               {LOBULE_CIRRHOSIS, "cirrhosis", false, NAN},
               {LOBULE_CHILD_A, "Child A", true, 12.2},
               {LOBULE_CHILD_B, "Child B", true, 17.4},
               {LOBULE_CHILD_C, "Child C", true, 19.0}};
    enum { ROWS = sizeof row / sizeof *row, FIBROSIS = 5 };
    double r[ROWS], error[ROWS];
    for (int k = 0; k < ROWS; k++) {
        const lobule_liver l = liver_of(row[k].stage, 1500);
        assert_true(lobule_is_valid(&l));
        assert_string_equal(lobule_stage_name(row[k].stage), row[k].name);
        assert_int_equal(lobule_stage_is_assumed(row[k].stage), row[k].assumed);
        r[k] = lobule_resistance(&l, &error[k]) / UNITS_PA_S_M3_PER_MMHG_MIN_L;
        error[k] /= UNITS_PA_S_M3_PER_MMHG_MIN_L;
        print_message("%s: %.1f +- %.1f mmHg min/L; measured %.1f mmHg\n", row[k].name, r[k], error[k],
                      row[k].measured_mmhg);
        assert_true(error[k] < r[k]);
        if (!isnan(row[k].measured_mmhg)) /* at 1 L/min */
            assert_true(fabs(row[k].measured_mmhg - r[k]) < error[k]);
    }
    for (int k = 0; k < ROWS; k++) {
        if (k != 0 && k != FIBROSIS) { /* one step from stage to stage and from class to class */
            assert_near(r[k] / r[k - 1], 1.275, 0.002);
            assert_true(r[k] - error[k] < r[k - 1] && r[k - 1] + error[k - 1] > r[k]);
        }
        if (k >= FIBROSIS) /* range of published resistances in cirrhosis */
            assert_true(r[k] > 12 && r[k] < 25);
    }
    assert_true(r[2] - error[2] < r[0] && r[2] + error[2] > r[4]); /* F2: from F0 to F4 */
    /* The interval of an assumed stage is wider than that of the stages between which it lies. */
    assert_true(error[1] / r[1] > error[0] / r[0] && error[6] / r[6] > error[4] / r[4]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_darcy), cmocka_unit_test(test_interval),
                                       cmocka_unit_test(test_bounds), cmocka_unit_test(test_published),
                                       cmocka_unit_test(test_assumed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
