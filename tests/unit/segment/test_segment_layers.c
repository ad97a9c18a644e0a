/* SPDX-License-Identifier: Apache-2.0 */
/* Contrast of two inflows that has not mixed: one half of a vessel 211, the other 161 HU, tissue 108, a loop of bowel
 * (140) against the darker half. Against the exact lumen; and what only touches a vessel is none of its layers. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/level_set/level_set.h"
#include "segment/vessel/contrast_layers.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 80, NODES = 24 };
static const double spacing = 0.8, radius = 6.2, blood = 186, tissue = 108, bowel = 140, bowel_radius = 9, noise = 20;
static const double axis[3] = {0.36, 0.48, 0.8}, side_way[3] = {0.8, -0.6, 0}; /* unit, across each other */

static double uniform(uint64_t *state) { /* splitmix64 */
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/* Distance to a line along the axis, `aside` mm off it. */
static double line_distance(const double p[3], double aside) {
    double q[3];
    vec_add(p, -aside, side_way, q);
    const double along = vec_dot(q, axis);
    return sqrt(fmax(0, vec_dot(q, q) - along * along));
}

static double intensity(const double p[3], double step) {
    if (line_distance(p, 0) < radius)
        return blood + (vec_dot(p, side_way) > 0 ? step : -step);
    return line_distance(p, -radius - bowel_radius) < bowel_radius ? bowel : tissue;
}

/* The halves are `step` above and below the mean. */
static volume draw(double step) {
    volume v;
    uint64_t state = 11;
    const double low = -0.5 * spacing * (SIDE - 1);
    assert_int_equal(volume_create(&v, (int[3]){SIDE, SIDE, SIDE}, (double[3]){spacing, spacing, spacing},
                                   (double[3]){low, low, low}, NULL),
                     OK);
    for (int k = 0; k < SIDE; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                double sum = 0;
                for (int n = 0; n < 27; n++) {
                    double p[3];
                    volume_to_lps(
                        &v, (double[3]){i + (n % 3 - 1) / 3.0, j + (n / 3 % 3 - 1) / 3.0, k + (n / 9 - 1) / 3.0}, p);
                    sum += intensity(p, step);
                }
                v.value[volume_index(&v, i, j, k)] = (float)(sum / 27);
            }
    assert_int_equal(grid_smooth(&v, (const double[3]){0.6, 0.6, 0.6}), OK);
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] += (float)(noise * sqrt(-2 * log(uniform(&state))) * cos(2 * M_PI * uniform(&state)));
    return v;
}

/* From two seeds and openings on the axis, defaults: Dice in the middle. */
static double dice(double step) {
    volume image = draw(step), level;
    level_set_report report;
    level_set_options o = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN};
    double seed[2][3], end[2][3], both = 0, ours = 0, theirs = 0;
    for (int a = 0; a < 3; a++)
        for (int s = 0; s < 2; s++) {
            seed[s][a] = (s ? 10 : -10) * axis[a];
            end[s][a] = (s ? 18 : -18) * axis[a];
        }
    o.n_opening = 2, o.opening_mm = (const double(*)[3])end;
    assert_int_equal(level_set_run(&image, 2, (const double(*)[3])seed, &o, &level, &report), OK);
    for (int k = 0; k < SIDE; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                double p[3];
                volume_to_lps(&image, (const double[3]){i, j, k}, p);
                if (fabs(vec_dot(p, axis)) > 14)
                    continue;
                const bool in = volume_contains(&level, p) && volume_sample(&level, p) < 0;
                const bool truth = line_distance(p, 0) < radius;
                both += in && truth, ours += in, theirs += truth;
            }
    volume_free(&image);
    volume_free(&level);
    print_message("layers %.0f HU apart: Dice %.4f, volume %+.1f %%\n", 2 * step, 2 * both / (ours + theirs),
                  100 * (ours / theirs - 1));
    return 2 * both / (ours + theirs);
}

static void both_layers_are_lumen(void **state) {
    (void)state;
    assert_true(dice(25) > 0.95);
}

static void mixed_as_well(void **state) {
    (void)state;
    assert_true(dice(0) > 0.96);
}

/* A tube along the axis whose middle lies `aside` mm off. */
static tube straight(double aside, double radius_mm, double inside, double outside) {
    static tube_node node[NODES];
    static int first[2] = {0, NODES};
    const double across[3] = {axis[1] * side_way[2] - axis[2] * side_way[1],
                              axis[2] * side_way[0] - axis[0] * side_way[2],
                              axis[0] * side_way[1] - axis[1] * side_way[0]};
    memset(node, 0, sizeof node);
    for (int i = 0; i < NODES; i++) {
        tube_node *t = &node[i];
        t->radius_mm = radius_mm, t->inside = inside, t->outside = outside, t->seen = 1, t->opening = -1;
        for (int a = 0; a < 3; a++) {
            t->at_mm[a] = (1.5 * (i - 0.5 * NODES)) * axis[a] + aside * side_way[a];
            t->direction[a] = axis[a], t->across[0][a] = side_way[a], t->across[1][a] = across[a];
        }
        for (int k = 0; k < TUBE_RAYS; k++)
            t->wall_mm[k] = radius_mm;
    }
    return (tube){NODES, node, 1, first};
}

static double mean_round(const volume *v, double aside) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < volume_size(v); i++) {
        double p[3];
        const int at[3] = {(int)(i % SIDE), (int)(i / SIDE % SIDE), (int)(i / SIDE / SIDE)};
        volume_to_lps(v, (const double[3]){at[0], at[1], at[2]}, p);
        if (line_distance(p, aside) > 1.5 || fabs(vec_dot(p, axis)) > 8)
            continue;
        sum += (double)v->value[i];
        n++;
    }
    return sum / n;
}

/* Measured in the brighter half, it is found and the darker one made as bright; tissue and bowel stay. */
static void evened(void **state) {
    (void)state;
    double length, place[3] = {NAN, NAN, NAN};
    volume v = draw(25);
    const tube t = straight(2.5, 4, 208, 160);
    assert_int_equal(contrast_layers_even(&t, 1, 208, 6, &v, &length, place), OK);
    print_message("%.0f mm; halves %.0f and %.0f, bowel %.0f, tissue %.0f\n", length, mean_round(&v, 3),
                  mean_round(&v, -3), mean_round(&v, -radius - bowel_radius), mean_round(&v, 2 * radius));
    assert_true(length > 0.7 * 1.5 * NODES);
    assert_true(line_distance(place, 0) < 0.3 * radius);
    assert_true(fabs(mean_round(&v, 3) - 208) < 8);
    assert_true(fabs(mean_round(&v, -3) - 208) < 12);
    assert_true(fabs(mean_round(&v, -radius - bowel_radius) - bowel) < 5);
    assert_true(fabs(mean_round(&v, 2 * radius) - tissue) < 5);
    volume_free(&v);
}

static void one_brightness_is_left_alone(void **state) {
    (void)state;
    double length, place[3] = {NAN, NAN, NAN};
    volume v = draw(0), was;
    assert_int_equal(volume_create_like(&was, &v), OK);
    memcpy(was.value, v.value, volume_size(&v) * sizeof *v.value);
    const tube t = straight(0, radius, blood, tissue);
    assert_int_equal(contrast_layers_even(&t, 1, blood, radius, &v, &length, place), OK);
    assert_true(length <= 0 && isnan(place[0]));
    assert_memory_equal(was.value, v.value, volume_size(&v) * sizeof *v.value);
    volume_free(&v);
    volume_free(&was);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_layers_are_lumen), cmocka_unit_test(mixed_as_well),
                                       cmocka_unit_test(evened), cmocka_unit_test(one_brightness_is_left_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
