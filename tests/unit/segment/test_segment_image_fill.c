/* SPDX-License-Identifier: Apache-2.0 */
/* The fill of masked images: found whatever its value and shape, replaced without a step; air, clipped air and images
 * without noise are kept. */
#include "common/base/status.h"
#include "segment/checks/image_fill.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { N = 40 };
static const double seed[1][3] = {{N / 2, N / 2, N / 2}};
typedef struct {
    double tissue, vessel, noise, fill, fill_noise;
    int mask; /* 0: none; 1: round, radius 14 voxels; 2: half of the image; 3: a frame of 4 voxels */
} scene;

static bool masked(int mask, int x, int y) {
    const double r = hypot(x - N / 2, y - N / 2);
    return mask == 1 ? r > 14 : mask == 2 ? x > N / 2 + 8 : mask == 3 && (x < 4 || y < 4 || x >= N - 4 || y >= N - 4);
}

static void make(volume *v, const scene *s) {
    const int dims[3] = {N, N, N};
    const double spacing[3] = {1, 1, 1}, origin[3] = {0, 0, 0};
    unsigned random = 7;
    assert_int_equal(volume_create(v, dims, spacing, origin, NULL), OK);
    for (int k = 0; k < N * N * N; k++) {
        const int x = k % N, y = k / N % N;
        const double r = hypot(x - N / 2, y - N / 2);
        double noise = 0;
        for (int i = 0; i < 4; i++) {
            random = random * 1103515245u + 12345u;
            noise += ((double)(random >> 16 & 1023) / 1023 - 0.5) * s->noise * sqrt(3);
        }
        v->value[k] = masked(s->mask, x, y) ? (float)round(s->fill + noise * s->fill_noise)
                                            : (float)round(s->tissue + (s->vessel - s->tissue) * (r < 4) + noise);
    }
}

static void found(void **state) {
    (void)state;
    const scene scenes[] = {{40, 200, 10, -1000, 0, 1}, {40, 200, 10, -2000, 0, 2}, {300, 900, 40, 0, 0, 3},
                            {300, 100, 30, 0, 0, 1},    {40, 200, 10, 3000, 0, 1},  {0, 100, 8, 0, 0, 1},
                            {40, 200, 10, -1000, 1, 1}, {300, 900, 40, 0, 0.3, 3},  {40, 200, 10, 0, 0, 1}};
    for (int k = 0; k < 9; k++) {
        volume v, before = {0};
        image_fill f;
        make(&v, &scenes[k]);
        assert_int_equal(volume_copy(&before, &v), OK);
        assert_int_equal(image_fill_replace(&v, 1, seed, &f), OK);
        if (k == 5) { /* the fill has the value of the tissue: no step */
            image_fill_free(&f);
            volume_free(&v);
            volume_free(&before);
            continue;
        }
        assert_true(f.fill && f.replaced);
        assert_true(fabs(f.value - scenes[k].fill) < 1);
        for (int i = 0; i < N * N * N; i++) {
            assert_int_equal(f.fill[i] != 0, masked(scenes[k].mask, i % N, i / N % N));
            if (f.fill[i])
                assert_true(fabs((double)v.value[i] - scenes[k].tissue) < 4 * scenes[k].noise);
            else
                assert_true(v.value[i] == before.value[i]);
        }
        image_fill_free(&f);
        volume_free(&v);
        volume_free(&before);
    }
}

static void kept(void **state) {
    (void)state;
    const scene scenes[] = {{40, 200, 10, 0, 0, 0}, {40, 200, 0, 0, 0, 0}, {40, 200, 10, 0, 0, 0}};
    for (int k = 0; k < 4; k++) {
        volume v;
        image_fill f;
        make(&v, &scenes[k < 3 ? k : 0]);
        for (int i = 0; k == 3 && i < N * N * N; i++) { /* air clipped at -1000 behind a blurred skin */
            const double part = 1 / (1 + exp((i % N - 30) / 0.8));
            v.value[i] = (float)fmax(-1000, round(part * (double)v.value[i] + (1 - part) * -1010));
        }
        assert_int_equal(image_fill_replace(&v, 1, seed, &f), OK);
        assert_false(f.replaced);
        assert_true(k == 3 || !f.fill);
        image_fill_free(&f);
        volume_free(&v);
    }
}

/* Part of a ring of points on the wall that lies in the fill or next to it. */
static double ring_in_fill(const image_fill *f, const volume *v, double radius) {
    enum { POINTS = 72 };
    double point[3 * POINTS];
    const surface ring = {.n_point = POINTS, .point_mm = point};
    for (int k = 0; k < POINTS; k++) {
        point[3 * k] = N / 2 + radius * cos(M_PI * k / 36);
        point[3 * k + 1] = N / 2 + radius * sin(M_PI * k / 36);
        point[3 * k + 2] = N / 2;
    }
    return image_fill_at_wall(f, v, &ring);
}

/* A mask within two voxels of the wall leaves too little tissue to replace the fill: it is found, the image is kept. */
static void tight_mask(void **state) {
    (void)state;
    const scene scenes[] = {{100, 300, 12, 0, 0, 0}, {60, 180, 12, 0, 0, 0}, {100, 300, 12, 35, 0, 0}};
    for (int k = 0; k < 6; k++) {
        const int beyond = k / 3; /* voxels between wall and mask */
        volume v, before = {0};
        image_fill f;
        make(&v, &scenes[k % 3]);
        for (int i = 0; i < N * N * N; i++)
            if (hypot(i % N - N / 2, i / N % N - N / 2) > 4 + beyond)
                v.value[i] = (float)scenes[k % 3].fill;
        assert_int_equal(volume_copy(&before, &v), OK);
        assert_int_equal(image_fill_replace(&v, 1, seed, &f), OK);
        assert_true(f.fill && !f.replaced);
        assert_memory_equal(v.value, before.value, N * N * N * sizeof *v.value);
        assert_true(f.value == scenes[k % 3].fill);
        assert_true(ring_in_fill(&f, &v, 4.2) > 0.2);
        assert_true(ring_in_fill(&f, &v, 2.5) == 0);
        image_fill_free(&f);
        volume_free(&v);
        volume_free(&before);
    }
}

/* A mask whose edge was interpolated: the blurred layers become fill. Not if vessels alone touch the fill. */
static void blurred(void **state) {
    (void)state;
    const scene scenes[] = {{40, 200, 10, -1000, 0, 0}, {300, 900, 40, 0, 0, 0}, {40, 200, 10, 3000, 0, 0}};
    for (int k = 0; k < 4; k++) {
        const bool lung = k == 3;
        volume v, before = {0};
        image_fill f;
        make(&v, &scenes[lung ? 0 : k]);
        for (int i = 0; i < N * N * N; i++) {
            const double r = hypot(i % N - N / 2, i / N % N - N / 2),
                         part = fmin(1, fmax(0, 0.5 + 0.5 * (r - (lung ? 5 : 9)))),
                         tissue = lung ? 200 + 0.1 * (double)v.value[i] : (double)v.value[i];
            v.value[i] = (float)((1 - part) * tissue + part * (lung ? -200 : scenes[k].fill));
        }
        assert_int_equal(volume_copy(&before, &v), OK);
        assert_int_equal(image_fill_replace(&v, 1, seed, &f), OK);
        if (lung) {
            assert_false(f.replaced);
        } else {
            assert_true(f.fill && f.replaced);
            for (int i = 0; i < N * N * N; i++) {
                const double r = hypot(i % N - N / 2, i / N % N - N / 2);
                assert_true(r > 6 || (!f.fill[i] && v.value[i] == before.value[i]));
                assert_true(r < 10 || fabs((double)v.value[i] - scenes[k].tissue) < 4 * scenes[k].noise);
            }
        }
        image_fill_free(&f);
        volume_free(&v);
        volume_free(&before);
    }
}

/* Padding (the value of the NaN voxels) is replaced everywhere. A seed in the padding is refused. The distance of the
 * wall to the padding is measured. */
static void padding(void **state) {
    (void)state;
    const scene plain = {40, 200, 10, 0, 0, 0};
    const float nan = -700;
    double point[3] = {N / 2 + 4, N / 2, N / 2}, away, place[3];
    const surface wall = {.n_point = 1, .point_mm = point};
    volume v;
    image_fill f;
    make(&v, &plain);
    assert_int_equal(image_fill_replace_padding(&v, nan, 1, seed, &f), OK);
    assert_true(!f.fill && !f.replaced);
    assert_int_equal(image_fill_distance(&f, &v, &wall, 12, &away, place), OK);
    assert_true(isinf(away));
    v.value[volume_index(&v, N / 2 + 12, N / 2, N / 2)] = nan; /* a single voxel, 8 mm from the wall */
    assert_int_equal(image_fill_replace_padding(&v, nan, 1, seed, &f), OK);
    assert_true(f.fill && f.replaced && fabs(f.part * N * N * N - 1) < 1e-9);
    assert_true(fabs((double)v.value[volume_index(&v, N / 2 + 12, N / 2, N / 2)] - 40) < 40);
    assert_int_equal(image_fill_distance(&f, &v, &wall, 12, &away, place), OK);
    assert_true(fabs(away - 8) < 0.6 && place[0] == point[0]);
    assert_int_equal(image_fill_distance(&f, &v, &wall, 6, &away, place), OK);
    assert_true(isinf(away));
    image_fill_free(&f);
    v.value[volume_index(&v, N / 2, N / 2, N / 2)] = nan;
    assert_int_equal(image_fill_replace_padding(&v, nan, 1, seed, &f), ERR_INPUT);
    status_clear();
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(kept), cmocka_unit_test(tight_mask),
                                       cmocka_unit_test(blurred), cmocka_unit_test(padding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
