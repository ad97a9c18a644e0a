/* SPDX-License-Identifier: Apache-2.0 */
/* Openings between which the lumen is cut are found, with the place of the gap. */
#include "common/base/status.h"
#include "segment/ends/disconnection.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* A vessel of 3 mm radius along x, closed from 20 to 20 + gap mm, voxels of half a millimetre; a grain beside it. */
static void draw(double gap, volume *phi) {
    assert_int_equal(volume_create(phi, (const int[3]){80, 30, 30}, (const double[3]){0.5, 0.5, 0.5},
                                   (const double[3]){0, 0, 0}, NULL),
                     OK);
    for (int k = 0; k < 30; k++)
        for (int j = 0; j < 30; j++)
            for (int i = 0; i < 80; i++) {
                const double x = 0.5 * i, r = hypot(0.5 * j - 7, 0.5 * k - 7);
                const double closed = gap > 0 ? 0.5 * gap - fabs(x - 20 - 0.5 * gap) : -1;
                phi->value[volume_index(phi, i, j, k)] = (float)fmax(r - 3, closed);
            }
    phi->value[volume_index(phi, 5, 1, 1)] = -0.1F;
}

static void cut(void **state) {
    (void)state;
    const double opening[3][3] = {{90, 7, 7}, {1, 8, 7}, {38, 7, 5}};
    for (int n = 0; n < 3; n++) {
        const double gap = n == 0 ? 0 : n == 1 ? 2 : 8;
        volume phi;
        disconnection a;
        draw(gap, &phi);
        assert_int_equal(disconnection_find(&phi, 3, opening, 5, &a), OK);
        if (gap <= 0) {
            assert_int_equal(a.opening[0], -1);
        } else {
            assert_int_equal(a.opening[0], 1); /* the first one lies outside */
            assert_int_equal(a.opening[1], 2);
            assert_true(fabs(a.gap_mm - gap) <= 1);
            assert_true(fabs(a.place_mm[0] - 20 - 0.5 * gap) < 0.6);
            assert_true(hypot(a.place_mm[1] - 7, a.place_mm[2] - 7) < 3.5);
        }
        volume_free(&phi);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
