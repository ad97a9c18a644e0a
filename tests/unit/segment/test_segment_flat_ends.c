/* SPDX-License-Identifier: Apache-2.0 */
/* Flat and bulged ends of closed tubes with sharp, beveled and rounded rims; round tips are no ends. */
#include "common/base/status.h"
#include "segment/ends/flat_ends.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND = 40, PROFILE = 16, LENGTH = 14 };
static const double RADIUS = 2;

/* Profile of one end: n points from the middle of the end outwards, distance from the end's plane and radius, in radii
 * of the tube. */
typedef struct {
    const char *name;
    int n, certain;
    double at[PROFILE][2];
} profile;

static void add(surface *s, int32_t a, int32_t b, int32_t c) {
    memcpy(s->triangle + 3 * s->n_triangle++, (int32_t[]){a, b, c}, 3 * sizeof(int32_t));
}

/* A tube along z whose two ends have the profile. */
static void draw(const profile *p, surface *s) {
    const int rings = 2 * p->n;
    assert_int_equal(surface_create(s, rings * ROUND + 2, 2 * rings * ROUND), OK);
    s->n_point = s->n_triangle = 0;
    for (int k = 0; k < rings; k++)
        for (int i = 0; i < ROUND; i++) {
            const double *at = p->at[k < p->n ? k : rings - 1 - k], turn = 2 * M_PI * i / ROUND,
                         z = k < p->n ? RADIUS * at[0] : LENGTH - RADIUS * at[0];
            const double q[3] = {RADIUS * at[1] * cos(turn), RADIUS * at[1] * sin(turn), z};
            memcpy(s->point_mm + 3 * s->n_point++, q, sizeof q);
        }
    for (int k = 0; k + 1 < rings; k++)
        for (int i = 0; i < ROUND; i++) {
            const int32_t a = k * ROUND + i, b = k * ROUND + (i + 1) % ROUND;
            add(s, a, b, b + ROUND);
            add(s, a, b + ROUND, a + ROUND);
        }
    for (int end = 0; end < 2; end++) {
        const double q[3] = {0, 0, end ? LENGTH - RADIUS * p->at[0][0] : RADIUS * p->at[0][0]};
        const int32_t middle = (int32_t)s->n_point, rim = end ? (rings - 1) * ROUND : 0;
        memcpy(s->point_mm + 3 * s->n_point++, q, sizeof q);
        for (int i = 0; i < ROUND; i++)
            add(s, middle, rim + (end ? i : (i + 1) % ROUND), rim + (end ? (i + 1) % ROUND : i));
    }
}

static void rims(void **state) {
    (void)state;
    const profile all[] = {
        {"sharp", 2, 2, {{0, 1}, {2, 1}}},
        {"beveled, 5 %", 3, 2, {{0, 0.95}, {0.05, 1}, {2, 1}}},
        {"beveled, 15 %", 3, 2, {{0, 0.85}, {0.15, 1}, {2, 1}}},
        {"beveled flatly, 10 %", 3, 2, {{0, 0.85}, {0.06, 1}, {2, 1}}},
        {"rounded, 12 %", 5, 2, {{0, 0.88}, {0.016, 0.926}, {0.06, 0.984}, {0.12, 1}, {2, 1}}},
        {"bulged", 4, 2, {{0, 0.3}, {0.1, 0.6}, {0.3, 1}, {2, 1}}},
        {"cone", 3, 2, {{0, 0.05}, {0.4, 1}, {2, 1}}},
        {"blunt cone", 3, 0, {{0, 0.5}, {0.5, 1}, {2, 1}}},
        {"hemisphere", 7, 0, {{0, 0.26}, {0.1, 0.5}, {0.26, 0.71}, {0.47, 0.87}, {0.7, 0.966}, {1, 1}, {2, 1}}}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        surface s = {0};
        cap *list = NULL;
        int n = 0, rings = 0, certain = 0;
        draw(&all[k], &s);
        assert_int_equal(flat_ends_find(&s, &n, &list, &rings), OK);
        for (int i = 0; i < n; i++)
            certain += list[i].certain;
        print_message("%s: %d flat ends, %d certain\n", all[k].name, n, certain);
        assert_int_equal(certain, all[k].certain);
        for (int i = 0; i < n && all[k].certain; i++)
            assert_true(fabs(fabs(list[i].normal[2]) - 1) < 1e-6);
        free(list);
        surface_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
