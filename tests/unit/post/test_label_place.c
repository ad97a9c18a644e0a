/* SPDX-License-Identifier: Apache-2.0 */
/* Names on a picture: apart afterwards, within the page, and left alone where nothing was wrong. */
#include "common/base/status.h"
#include "common/draw/label_separate.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double page[2] = {800, 600};

static void check(int n, double (*centre)[2], const double (*half)[2]) {
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < 2; d++)
            assert_true(centre[i][d] >= half[i][d] - 1e-9 && centre[i][d] <= page[d] - half[i][d] + 1e-9);
        for (int j = 0; j < i; j++)
            assert_true(fabs(centre[i][0] - centre[j][0]) >= half[i][0] + half[j][0] - 1e-9 ||
                        fabs(centre[i][1] - centre[j][1]) >= half[i][1] + half[j][1] - 1e-9);
    }
}

static void test_apart_stay(void **state) {
    (void)state;
    double centre[2][2] = {{100, 100}, {300, 100}};
    const double half[2][2] = {{50, 15}, {50, 15}};
    label_separate(2, 0, centre, half, page);
    assert_true(centre[0][0] == 100 && centre[0][1] == 100 && centre[1][0] == 300 && centre[1][1] == 100);
    label_separate(0, 0, centre, half, page);
}

static void test_overlaps(void **state) {
    (void)state;
    double side[2][2] = {{400, 300}, {460, 302}}, same[3][2] = {{400, 300}, {400, 300}, {400, 300}};
    double corner[3][2] = {{799, 2}, {790, 5}, {805, -40}};
    const double half[3][2] = {{50, 15}, {50, 15}, {70, 15}};
    label_separate(2, 0, side, half, page);
    check(2, side, half);
    assert_true(fabs(side[0][0] - 400) < 1 && fabs(side[0][1] - 300) < 20); /* no further than needed */
    label_separate(3, 0, same, half, page);
    check(3, same, half);
    label_separate(3, 0, corner, half, page);
    check(3, corner, half);
}

static void test_fixed(void **state) {
    (void)state;
    double centre[3][2] = {{400, 585}, {402, 590}, {398, 580}};
    const double half[3][2] = {{15, 15}, {50, 15}, {50, 15}};
    label_separate(3, 1, centre, half, page);
    check(3, centre, half);
    assert_true(centre[0][0] == 400 && centre[0][1] == 585);
}

/* More than fit: it ends, and stays in the page. */
static void test_no_room(void **state) {
    (void)state;
    double centre[4][2] = {{400, 300}, {400, 300}, {400, 300}, {400, 300}};
    const double half[4][2] = {{300, 200}, {300, 200}, {300, 200}, {300, 200}};
    label_separate(4, 0, centre, half, page);
    for (int i = 0; i < 4; i++)
        assert_true(centre[i][0] >= 300 && centre[i][0] <= 500 && centre[i][1] >= 200 && centre[i][1] <= 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_apart_stay), cmocka_unit_test(test_overlaps),
                                       cmocka_unit_test(test_fixed), cmocka_unit_test(test_no_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
