/* SPDX-License-Identifier: Apache-2.0 */
/* Level set on synthetic MR images: tubes with partial volume, blur, bias and Rician noise at a signal-to-noise ratio
 * of 8, against the exact shape. */
#include "common/base/message.h"
#include "common/surface/shape.h"
#include "common/base/status.h"
#include "segment/voxel/distance.h"
#include "segment/voxel/grid.h"
#include "segment/level_set/level_set.h"
#include "segment/level_set/working_grid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double vessel, tissue, snr, bias; /* bias: +- part across the image */
    int dims[3];
    double spacing[3];
} scanner;

static double uniform(uint64_t *state) { /* xorshift64* */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return ((double)((*state * 2685821657736338717ULL) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state) {
    return sqrt(-2 * log(uniform(state))) * cos(2 * acos(-1) * uniform(state));
}

/* What the scanner would show: partial volume from 4^3 points, point spread of half a voxel, bias, Rician noise. */
static volume scan(const shape *s, const scanner *m, uint64_t seed) {
    volume v;
    double origin[3], half[3];
    for (int a = 0; a < 3; a++) {
        half[a] = 0.5 * (m->dims[a] - 1) * m->spacing[a];
        origin[a] = -half[a];
    }
    assert_int_equal(volume_create(&v, m->dims, m->spacing, origin, NULL), OK);
    for (int k = 0; k < m->dims[2]; k++)
        for (int j = 0; j < m->dims[1]; j++)
            for (int i = 0; i < m->dims[0]; i++) {
                int in = 0;
                for (int n = 0; n < 64; n++) {
                    const double index[3] = {i + (n % 4 - 1.5) / 4, j + (n / 4 % 4 - 1.5) / 4, k + (n / 16 - 1.5) / 4};
                    double p[3];
                    volume_to_lps(&v, index, p);
                    in += shape_distance_mm(s, p) < 0;
                }
                v.value[volume_index(&v, i, j, k)] = (float)(m->tissue + (m->vessel - m->tissue) * in / 64);
            }
    assert_int_equal(grid_smooth(&v, (const double[3]){0.5, 0.5, 0.5}), OK);
    double sigma = fmax(m->vessel, m->tissue) / m->snr;
    for (size_t i = 0; i < volume_size(&v); i++) {
        double x = (double)(i % (size_t)m->dims[0]) / m->dims[0] - 0.5;
        double z = (double)(i / ((size_t)m->dims[0] * (size_t)m->dims[1])) / m->dims[2] - 0.5;
        double signal = (double)v.value[i] * (1 + m->bias * (x + z));
        double a = signal + sigma * normal(&seed), b = sigma * normal(&seed);
        v.value[i] = (float)sqrt(a * a + b * b);
    }
    return v;
}

typedef struct {
    double dice, mean_voxel, worst_voxel, bias_voxel;
} agreement;

static agreement compare(const shape *s, const volume *image, const volume *level) {
    surface wall;
    volume phi;
    agreement a = {0};
    double h = volume_thinnest_mm(image);
    int64_t both = 0, ours = 0, truth = 0, n = 0;
    assert_int_equal(distance_rebuild(level, 4, &wall, &phi), OK);
    for (int k = 0; k < image->dims[2]; k++)
        for (int j = 0; j < image->dims[1]; j++)
            for (int i = 0; i < image->dims[0]; i++) {
                double p[3];
                volume_to_lps(image, (const double[3]){i, j, k}, p);
                bool t = shape_distance_mm(s, p) < 0, o = volume_contains(&phi, p) && volume_sample(&phi, p) < 0;
                both += t && o, ours += o, truth += t;
            }
    a.dice = 2.0 * (double)both / (double)(ours + truth);
    for (int64_t i = 0; i < wall.n_point; i++) {
        double index[3], d = shape_distance_mm(s, wall.point_mm + 3 * i) / h;
        bool at_border = false;
        volume_to_index(image, wall.point_mm + 3 * i, index);
        for (int k = 0; k < 3; k++)
            at_border = at_border || index[k] < 1 || index[k] > image->dims[k] - 2;
        if (at_border)
            continue;
        a.mean_voxel += fabs(d);
        a.bias_voxel += d;
        a.worst_voxel = fmax(a.worst_voxel, fabs(d));
        n++;
    }
    a.mean_voxel /= (double)n;
    a.bias_voxel /= (double)n;
    surface_free(&wall);
    volume_free(&phi);
    return a;
}

static const level_set_options automatic = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN};

static agreement segment(const shape *s, const scanner *m, int n_seed, const double (*seed)[3], const char *name) {
    volume image = scan(s, m, 42), level;
    level_set_report report;
    status_clear();
    int rc = level_set_run(&image, n_seed, seed, &automatic, &level, &report);
    if (rc != OK)
        print_message("%s\n", status_message());
    assert_int_equal(rc, OK);
    agreement a = compare(s, &image, &level);
    print_message(
        "%s: Dice %.4f, wall off by %.3f voxel (mean), %.2f (worst), %+.3f (outwards); noise %.3g, radius %.2f mm, "
        "%d iterations\n",
        name, a.dice, a.mean_voxel, a.worst_voxel, a.bias_voxel, report.seeds.noise, report.seeds.radius_mm,
        report.iterations_done);
    assert_true(report.seeds.bright == (m->vessel > m->tissue));
    volume_free(&image);
    volume_free(&level);
    return a;
}

static const shape_segment confluence[] = {{{-14, 6, -30}, {0, 0, 0}, 4, 4.5},  /* SMV */
                                           {{26, 10, -8}, {0, 0, 0}, 3.5, 4},   /* SV */
                                           {{0, 0, 0}, {-8, -4, 20}, 5.5, 5.5}, /* PV */
                                           {{-8, -4, 20}, {-24, -8, 34}, 4, 3.5},
                                           {{-8, -4, 20}, {12, -6, 34}, 3.5, 3}};

static void bright_confluence(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_TREE, .n_segment = 5, .segment = confluence};
    const scanner m = {100, 30, 8, 0.3, {64, 48, 64}, {1, 1, 1}};
    const double seed[2][3] = {{-4, -2, 10}, {10, 4, -3}};
    agreement a = segment(&s, &m, 2, seed, "confluence, SNR 8, bias 30 %");
    assert_true(a.dice >= 0.97 && a.mean_voxel <= 0.15);
}

static void dark_torus(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_TORUS, .a = {0.2, 0.1, 0.3}, .b = {0.2, 0.1, 1.3}, .radius = {4, 16}};
    const scanner m = {25, 100, 8, 0.2, {56, 56, 24}, {0.9, 0.9, 0.9}};
    const double seed[1][3] = {{16.2, 0.1, 0.3}};
    agreement a = segment(&s, &m, 1, seed, "dark torus, SNR 8");
    assert_true(a.dice >= 0.97 && a.mean_voxel <= 0.15);
}

static void thick_slices(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_CYLINDER, .b = {0.35, 0.2, 1}, .radius = {5}};
    const scanner m = {100, 20, 15, 0.2, {50, 50, 14}, {1, 1, 3}};
    const double seed[1][3] = {{0, 0, 0}};
    agreement a = segment(&s, &m, 1, seed, "tube in slices of 3 mm, SNR 15");
    assert_true(a.dice >= 0.97 && a.mean_voxel <= 0.15);
}

static void thin_vessel(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_CYLINDER, .b = {0.35, 0.2, 1}, .radius = {2}};
    const scanner m = {100, 20, 15, 0.2, {40, 40, 40}, {1, 1, 1}};
    const double seed[1][3] = {{0, 0, 0}};
    agreement a = segment(&s, &m, 1, seed, "tube of 4 voxels, SNR 15");
    assert_true(a.dice >= 0.95 && a.mean_voxel <= 0.15);
}

static void bad_seeds(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {4}};
    const scanner m = {100, 20, 20, 0, {40, 40, 20}, {1, 1, 1}};
    volume image = scan(&s, &m, 7), level;
    level_set_report report;
    const double outside[1][3] = {{500, 0, 0}}, both[2][3] = {{0, 0, 0}, {15, 15, 0}};
    status_clear();
    assert_int_equal(level_set_run(&image, 1, outside, &automatic, &level, &report), ERR_INPUT);
    assert_non_null(strstr(status_message(), "outside the image"));
    status_clear();
    for (size_t i = 0; i < volume_size(&image); i++)
        image.value[i] = 50;
    assert_int_equal(level_set_run(&image, 1, both, &automatic, &level, &report), ERR_INPUT);
    assert_non_null(strstr(status_message(), "no vessel wall"));
    status_clear();
    volume_free(&image);
}

/* A lumen that reaches the end of the working grid was cut there; the border of the image is no such end. */
static void lumen_at_the_end_of_the_grid(void **state) {
    (void)state;
    const double one[3] = {1, 1, 1}, origin[3] = {10, 20, 30};
    front_grid g = {.parts = {1, 1, 1}};
    volume level = {0};
    int axes[3];
    double place[3] = {-1, -1, -1};
    assert_int_equal(volume_create(&level, (const int[3]){12, 12, 12}, one, origin, NULL), OK);
    for (size_t i = 0; i < volume_size(&level); i++)
        level.value[i] = 3;
    for (int i = 3; i < 9; i++)
        level.value[volume_index(&level, i, 6, 5)] = -1;
    assert_false(working_grid_reaches_side(&g, &level, axes, place));
    assert_float_equal(place[0], -1, 0);
    for (int i = 9; i < 12; i++)
        level.value[volume_index(&level, i, 6, 5)] = -1;
    assert_true(working_grid_reaches_side(&g, &level, axes, place));
    assert_true(axes[0] == 1 && axes[1] == 0 && axes[2] == 0);
    assert_float_equal(place[0], 20, 1e-9); /* the first cell within one voxel of the side */
    assert_float_equal(place[1], 26, 1e-9);
    assert_true(working_grid_needs_room(&g, &level));
    assert_true(g.extra_margin[0] > 0 && g.extra_margin[1] == 0);
    g.ends[0][1] = true;
    assert_false(working_grid_reaches_side(&g, &level, axes, place));
    volume_free(&level);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bright_confluence), cmocka_unit_test(dark_torus),
        cmocka_unit_test(thick_slices),      cmocka_unit_test(thin_vessel),
        cmocka_unit_test(bad_seeds),         cmocka_unit_test(lumen_at_the_end_of_the_grid)};
    message_init("test", argc > 1 && strcmp(argv[1], "-v") == 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
