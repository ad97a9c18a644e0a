/* SPDX-License-Identifier: Apache-2.0 */
/* The direction of a vessel at a place in it, beside it, at its blunt end and near a fork. */
#include "segment/ends/cross_section_normal.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double radius = 5, length = 60;

/* Signed distance of a cylinder with flat ends from `from` along d, and of the same along e where e is given. */
static double flat_cylinder(const double from[3], const double d[3], const double p[3]) {
    double q[3], side[3];
    vec_add(p, -1, from, q);
    const double along = vec_dot(q, d), end = fabs(along - length / 2) - length / 2;
    vec_add(q, -along, d, side);
    const double away = vec_length(side) - radius;
    return end <= 0 || away <= 0 ? fmax(end, away) : hypot(end, away);
}

static void draw(const double from[3], const double d[3], const double *e, volume *phi) {
    const int dims[3] = {70, 70, 70};
    const double spacing[3] = {1, 1, 1}, origin[3] = {-10, -10, -10};
    assert_int_equal(volume_create(phi, dims, spacing, origin, NULL), OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                double p[3];
                volume_to_lps(phi, (const double[3]){i, j, k}, p);
                double f = flat_cylinder(from, d, p);
                f = e ? fmin(f, flat_cylinder(from, e, p)) : f;
                phi->value[volume_index(phi, i, j, k)] = (float)f;
            }
}

static double degrees_off(const volume *phi, const double at[3], const double d[3]) {
    double n[3];
    assert_true(cross_section_normal(phi, at, n));
    assert_true(fabs(vec_length(n) - 1) < 1e-9);
    return acos(fmin(1, fabs(vec_dot(n, d)))) * 180 / M_PI;
}

static void cuts_straight_across(void **state) {
    (void)state;
    static const double way[][3] = {{0, 0, 1}, {1, 0, 0}, {1, 1, 1}, {0.3, 1, 0.5}, {0.9, 0.1, 0.4}};
    static const double from[3] = {2, 3, 4};
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        double d[3] = {way[k][0], way[k][1], way[k][2]}, at[3], beside[3];
        volume phi;
        assert_true(vec_normalize(d));
        draw(from, d, NULL, &phi);
        for (int place = 0; place < 4; place++) { /* at its blunt end, near it, well inside, beside the vessel */
            vec_add(from, place < 3 ? 6.0 * place : 20, d, at);
            vec_add(at, place == 3 ? 1.6 * radius : 0, (const double[3]){d[1], -d[0], 0}, beside);
            const double off = degrees_off(&phi, beside, d);
            print_message("direction %zu, place %d: %.1f degrees off\n", k, place, off);
            assert_true(off < 4);
        }
        double n[3];
        assert_false(cross_section_normal(&phi, (const double[3]){-300, 0, 0}, n));
        volume_free(&phi);
    }
}

/* One and a half diameters behind a fork the other branch does not turn the plane. */
static void near_a_fork(void **state) {
    (void)state;
    static const double from[3] = {5, 5, 5}, e[3] = {0, 0, 1};
    double d[3] = {1, 1, 0.3}, at[3];
    volume phi;
    assert_true(vec_normalize(d));
    draw(from, d, e, &phi);
    vec_add(from, 3 * radius, d, at);
    const double off = degrees_off(&phi, at, d);
    print_message("behind a fork: %.1f degrees off\n", off);
    assert_true(off < 10);
    volume_free(&phi);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cuts_straight_across), cmocka_unit_test(near_a_fork)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
