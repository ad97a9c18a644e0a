/* SPDX-License-Identifier: Apache-2.0 */
/* Half precision on the host: every half survives the way to float and back; rounding is to the nearest, even
 * on a tie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "solve/core/half.h"

static void round_trip(void **state) {
    (void)state;
    for (unsigned h = 0; h < 65536; h++) {
        const float v = half_to_float((uint16_t)h);
        if (isnan(v))
            assert_true(isnan(half_to_float(half_from_float(v))));
        else
            assert_int_equal(half_from_float(v), h);
    }
}

static void known(void **state) {
    (void)state;
    assert_int_equal(half_from_float(1.0f), 0x3c00);
    assert_int_equal(half_from_float(-2.0f), 0xc000);
    assert_int_equal(half_from_float(65504.0f), 0x7bff);
    assert_int_equal(half_from_float(65520.0f), 0x7c00);
    assert_int_equal(half_from_float(6.103515625e-05f), 0x0400);
    assert_int_equal(half_from_float(5.9604645e-08f), 0x0001);
    assert_int_equal(half_from_float(1e-9f), 0);
}

/* Half way between two halves the even one; a little off, the nearer. */
static void rounding(void **state) {
    (void)state;
    for (unsigned h = 0; h < 0x7bff; h++) {
        const float low = half_to_float((uint16_t)h), high = half_to_float((uint16_t)(h + 1)),
                    middle = 0.5f * (low + high);
        assert_int_equal(half_from_float(middle), h % 2 ? h + 1 : h);
        assert_int_equal(half_from_float(nextafterf(middle, 0)), h);
        assert_int_equal(half_from_float(nextafterf(middle, 1e9f)), h + 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(known),
                                       cmocka_unit_test(rounding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
