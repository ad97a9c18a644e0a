/* SPDX-License-Identifier: Apache-2.0 */
/* The Reynolds number of a section, and the warning above what laminar flow allows. */
#include "common/base/message.h"
#include "post/readouts/readout_place.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static void of_a_pipe(void **state) {
    (void)state;
    /* 10 mm, 0.35 m/s, 1060 kg/m3, 3.5 mPa s: 1060 0.35 0.01 / 0.0035 */
    const viscosity_law newton = viscosity_law_newtonian(0.0035),
                        power = viscosity_law_of(VISCOSITY_POWER_LAW, VISCOSITY_SHIBESHI, 0);
    assert_float_equal(readout_place_reynolds(25 * M_PI, 0.35, 1060, &newton), 1060, 1e-6);
    assert_float_equal(readout_place_reynolds(25 * M_PI, -0.35, 1060, &newton), 1060, 1e-6);
    assert_true(isnan(readout_place_reynolds(NAN, 0.35, 1060, &newton)));
    assert_true(isnan(readout_place_reynolds(25 * M_PI, NAN, 1060, &power)));
    /* wall shear rate 8 * 0.35 / 0.01 = 280 1/s */
    assert_float_equal(readout_place_reynolds(25 * M_PI, 0.35, 1060, &power),
                       1060 * 0.35 * 0.01 / (14.67e-3 * pow(280, -0.2245)), 1e-3);
}

static void the_worst_place_is_told(void **state) {
    (void)state;
    place p[] = {{.name = "IN", .role = 0, .reynolds = 1500},
                 {.name = "OUT", .role = 1, .reynolds = NAN},
                 {.name = "throat", .role = -1, .reynolds = 1900}};
    message_clear();
    readout_place_warn_turbulent(3, p, NAN, false, false);
    assert_int_equal(message_warning_count(), 0);
    readout_place_warn_turbulent(3, p, NAN, true, false); /* lower in pulsatile flow */
    assert_int_equal(message_warning_count(), 1);
    assert_non_null(strstr(message_warning(0), "section 'throat': Reynolds number 1900"));
    assert_non_null(strstr(message_warning(0), "cycles then differ"));
    message_clear();
    p[0].reynolds = 5000;
    readout_place_warn_turbulent(3, p, NAN, false, false);
    assert_int_equal(message_warning_count(), 1);
    assert_non_null(strstr(message_warning(0), "opening 'IN': Reynolds number 5000"));
    assert_non_null(strstr(message_warning(0), "has a larger pressure drop"));
    message_clear();
    p[0].reynolds = 1500; /* a coarctation: quiet at its openings */
    readout_place_warn_turbulent(3, p, 2570, false, true);
    assert_int_equal(message_warning_count(), 1);
    assert_non_null(strstr(message_warning(0), "fastest place inside: Reynolds number 2570"));
    assert_non_null(strstr(message_warning(0), "the values are averages of the unsteady flow"));
    message_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_pipe), cmocka_unit_test(the_worst_place_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
