/* SPDX-License-Identifier: Apache-2.0 */
/* What looks like a vessel in an image of which nothing is known. */
#include "common/base/status.h"
#include "segment/ends/vessel_candidates.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Uniform noise from -1 to 1 that is the same on every machine. */
static double noise(uint64_t *state) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/* A trunk in CT: tissue of 60 HU in air, fat inside, a vessel with contrast of 180 HU, radius 5 mm, that is shorter
 * than the skin is long. */
static void draw(volume *v) {
    uint64_t state = 7;
    const int dims[3] = {88, 72, 66};
    assert_int_equal(volume_create(v, dims, (const double[3]){1.5, 1.5, 1.5}, (const double[3]){-66, -54, -50}, NULL),
                     OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                const double x = 1.5 * i - 66, y = 1.5 * j - 54, z = 1.5 * k - 50;
                const double skin = sqrt(x * x / (60 * 60) + y * y / (48 * 48)),
                             fat = hypot(hypot(x / 44, y / 30), z / 25);
                const double from_wall = (1 - skin) * 52, blood = 5 - hypot(x - 0.5 * z, y - 6);
                const double in = fmin(1, fmax(0, 0.5 + from_wall / 2)), tissue = fat < 1 ? -60 : 60;
                const double vessel = fabs(z) < 36 ? fmin(1, fmax(0, 0.5 + blood / 2)) : 0;
                v->value[volume_index(v, i, j, k)] =
                    (float)(-1000 * (1 - in) + in * (tissue + vessel * (180 - tissue)) + 45 * noise(&state));
            }
}

static void the_skin_is_no_vessel(void **state) {
    (void)state;
    volume v;
    vessel_candidate list[VESSEL_CANDIDATES_MAX];
    int n;
    draw(&v);
    assert_int_equal(vessel_candidates_find(&v, list, &n), OK);
    assert_true(n > 0);
    for (int c = 0; c < n; c++) {
        int within = 0, all = 0, skin = 0;
        for (int k = 0; k < list[c].mask.dims[2]; k++)
            for (int j = 0; j < list[c].mask.dims[1]; j++)
                for (int i = 0; i < list[c].mask.dims[0]; i++) {
                    double p[3];
                    if (!(list[c].mask.value[volume_index(&list[c].mask, i, j, k)] > 0))
                        continue;
                    volume_to_lps(&list[c].mask, (const double[3]){i, j, k}, p);
                    within += hypot(p[0] - 0.5 * p[2], p[1] - 6) < 8;
                    skin += sqrt(p[0] * p[0] / (60 * 60) + p[1] * p[1] / (48 * 48)) > 0.9;
                    all++;
                }

        assert_int_equal(skin, 0); /* the widest scale answers beyond the wall, too */
        assert_true(within > 0.85 * all);
        vessel_candidate_free(&list[c]);
    }
    volume_free(&v);
}

static double within(double away, double radius) {
    return fmin(1, fmax(0, 0.5 + (radius - away) / 1.5));
}

/* CT of the upper abdomen without its skin: a vessel of 180 HU from z = -40 to 40 mm that narrows from 5 to 3 mm, with
 * liver round its narrow half, and four ribs beside it, longer than it: marrow in 1.5 mm of cortex. */
static void draw_ribs(volume *v) {
    uint64_t state = 11;
    const int dims[3] = {96, 80, 80};
    assert_int_equal(volume_create(v, dims, (const double[3]){1.2, 1.2, 1.2}, (const double[3]){-57, -48, -48}, NULL),
                     OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                const double x = 1.2 * i - 57, y = 1.2 * j - 48, z = 1.2 * k - 48;
                const double blood = fabs(z) < 40 ? within(hypot(x - 0.2 * z, y), 4 - z / 40) : 0;
                double value = fabs(y) > 40 ? -100 : z > 0 && hypot(x - 0.2 * z, y) < 15 ? 105 : 60;
                value += blood * (180 - value);
                for (int rib = 0; rib < 4; rib++) {
                    const double away = hypot(fabs(y) - 30, x - (rib % 2 ? 36 : -36) - 0.1 * (rib < 2 ? z : -z));
                    if ((rib < 2) == (y < 0))
                        value += within(away, 5.5) * (750 - value) + within(away, 4) * (170 - 750);
                }
                v->value[volume_index(v, i, j, k)] = (float)(value + 20 * noise(&state));
            }
}

/* Ribs are longer and have more contrast; the vessel comes first, with both of its ends, and what bone is listed is
 * called bone. */
static void bone_comes_after_vessels(void **state) {
    (void)state;
    volume v;
    vessel_candidate list[VESSEL_CANDIDATES_MAX];
    int n;
    draw_ribs(&v);
    assert_int_equal(vessel_candidates_find(&v, list, &n), OK);
    assert_true(n > 1);
    for (int c = 0; c < n; c++) {
        double low = INFINITY, high = -INFINITY, middle = 0, all = 0;
        for (int k = 0; k < list[c].mask.dims[2]; k++)
            for (int j = 0; j < list[c].mask.dims[1]; j++)
                for (int i = 0; i < list[c].mask.dims[0]; i++) {
                    double p[3];
                    if (!(list[c].mask.value[volume_index(&list[c].mask, i, j, k)] > 0))
                        continue;
                    volume_to_lps(&list[c].mask, (const double[3]){i, j, k}, p);
                    low = fmin(low, p[2]);
                    high = fmax(high, p[2]);
                    middle += hypot(p[0] - 0.2 * p[2], p[1]) < 7;
                    all++;
                }
        assert_int_equal(list[c].look, c == 0 ? LOOKS_VESSEL : LOOKS_BONE);
        assert_true(c == 0 ? middle > 0.9 * all && low < -34 && high > 34 : middle < 1);
        vessel_candidate_free(&list[c]);
    }
    volume_free(&v);
}

/* A field of view of which 4 % are two vessels of 4 mm, one of 60 mm from end to end, one of 43 mm within: both. */
static void two_in_a_small_field(void **state) {
    (void)state;
    const int dims[3] = {60, 40, 60};
    volume v;
    vessel_candidate list[VESSEL_CANDIDATES_MAX];
    int n;
    assert_int_equal(volume_create(&v, dims, (const double[3]){1, 1, 1}, (const double[3]){0, 0, 0}, NULL), OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                const bool in = hypot(i - 14, j - 20) < 4 || (hypot(i - 44, j - 20) < 4 && k > 8 && k < 52);
                v.value[volume_index(&v, i, j, k)] = (in ? 800.0F : 100.0F) + (float)((i * 13 + j * 7) % 11);
            }
    assert_int_equal(vessel_candidates_find(&v, list, &n), OK);
    assert_int_equal(n, 2);
    for (int c = 0; c < n; c++) {
        assert_int_equal(list[c].look, LOOKS_VESSEL);
        vessel_candidate_free(&list[c]);
    }
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_skin_is_no_vessel), cmocka_unit_test(two_in_a_small_field),
                                       cmocka_unit_test(bone_comes_after_vessels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
