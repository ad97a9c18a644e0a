/* SPDX-License-Identifier: Apache-2.0 */
/* The lobule law against Darcy's law integrated numerically, its interval, and published resistances. */
#include "common/liver/lobule_law.h"
#include "common/base/units.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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
    for (int stage = LOBULE_HEALTHY; stage <= LOBULE_CIRRHOSIS; stage++) {
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_darcy), cmocka_unit_test(test_interval),
                                       cmocka_unit_test(test_published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
