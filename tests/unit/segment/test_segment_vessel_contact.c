/* SPDX-License-Identifier: Apache-2.0 */
/* Two tubes that touch are found at their contact. A bifurcation and a side branch are no contact. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/vessel_contact.h"
#include "tests/unit/fill.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { BRANCHES = 64 };

/* A straight tube from a to b. Radius 0: none. */
typedef struct {
    double a[3], b[3], radius;
} tube;

static double distance_mm(const tube *t, const double p[3]) {
    double d[3], q[3];
    vec_add(t->b, -1, t->a, d);
    vec_add(p, -1, t->a, q);
    vec_add(q, -fmin(1, fmax(0, vec_dot(q, d) / vec_dot(d, d))), d, q);
    return vec_length(q) - t->radius;
}

/* Blood of 190 in tissue of 90. The walls are blurred over 1 mm, so tubes at a small distance are joined. */
static double intensity(const void *tubes, const double p[3]) {
    const tube *t = tubes;
    double blood = 0;
    for (int k = 0; k < 3; k++)
        if (t[k].radius > 0)
            blood += 0.5 - 0.5 * tanh(2 * distance_mm(&t[k], p));
    return 90 + 100 * fmin(1, blood);
}

/* Number of contacts of the tubes. Each is near the origin and within 2 mm of the walls of the first two tubes. */
static int count_contacts(const tube tubes[3]) {
    volume image, mask = {0};
    centerline_tree t;
    double place_mm[BRANCHES][3];
    int n;
    const int dims[3] = {52, 34, 66};
    assert_int_equal(
        volume_create(&image, dims, (const double[3]){1.2, 1.2, 1.2}, (const double[3]){-31, -20, -39}, NULL), OK);
    fill_volume(&image, intensity, tubes);
    assert_int_equal(volume_copy(&mask, &image), OK);
    for (size_t i = 0; i < volume_size(&mask); i++)
        mask.value[i] = image.value[i] > 140;
    assert_int_equal(centerline_tree_find(&mask, &t), OK);
    assert_true(t.n > 1); /* one tree for all tubes */
    assert_int_equal(vessel_contact_find(&image, 90, &t, place_mm, &n), OK);
    for (int k = 0; k < n; k++) {
        assert_true(vec_length(place_mm[k]) < 15);
        assert_true(fabs(distance_mm(&tubes[0], place_mm[k])) < 2);
        assert_true(fabs(distance_mm(&tubes[1], place_mm[k])) < 2);
    }
    centerline_tree_free(&t);
    volume_free(&image);
    volume_free(&mask);
    return n;
}

static void touching_tubes_are_found(void **state) {
    (void)state;
    const double apart[2] = {9.8, 10.4}; /* between both axes, mm: the walls overlap, or a gap is blurred */
    for (int k = 0; k < 2; k++) {
        const tube crossing[3] = {{{-6, 0, -36}, {-6, 0, 36}, 5},
                                  {{-6 + apart[k], -18, -30}, {-6 + apart[k], 18, 30}, 5}};
        assert_true(count_contacts(crossing) > 0);
    }
    const tube wide[3] = {{{-8, 0, -36}, {-8, 0, 36}, 5}, {{5, -14, -34}, {5, 14, 34}, 8}};
    assert_true(count_contacts(wide) > 0);
}

static void bifurcations_are_no_contacts(void **state) {
    (void)state;
    const tube fork[3] = {{{0, 0, -36}, {0, 0, 0}, 6}, {{0, 0, 0}, {-18, 0, 33}, 4.5}, {{0, 0, 0}, {16, 4, 34}, 4.5}};
    assert_int_equal(count_contacts(fork), 0);
    const tube side[3] = {{{-5, 0, -36}, {-5, 0, 36}, 6}, {{-5, 0, 0}, {27, 0, 6}, 3.5}};
    assert_int_equal(count_contacts(side), 0);
    const tube acute[3] = {{{0, 0, -36}, {0, 0, 36}, 5}, {{0, 0, -6}, {18, 0, 34}, 4}};
    assert_int_equal(count_contacts(acute), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(touching_tubes_are_found),
                                       cmocka_unit_test(bifurcations_are_no_contacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
