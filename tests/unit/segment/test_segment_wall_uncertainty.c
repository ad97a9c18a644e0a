/* SPDX-License-Identifier: Apache-2.0 */
/* How well the wall's place is known: cylinders seen through a known blur, with and without noise. */
#include "common/base/status.h"
#include "segment/voxel/distance.h"
#include "segment/checks/motion_blur.h"
#include "segment/checks/wall_uncertainty.h"
#include "segment/import/label_mask.h"
#include "tests/unit/near.h"
#include "tests/unit/segment/coverage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { N = 40 };

/* A tube along z, 100 inside and 20 outside, blurred by `width` mm; phi: its distance. */
static void tube(double radius, double width, double noise, volume *image, volume *phi) {
    const int dims[3] = {N, N, N};
    const double spacing[3] = {1, 1, 1}, origin[3] = {0, 0, 0};
    assert_int_equal(volume_create(image, dims, spacing, origin, NULL), OK);
    assert_int_equal(volume_create(phi, dims, spacing, origin, NULL), OK);
    unsigned state = 12345;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const double d = hypot(i - 19.7, j - 20.2) - radius;
                double sum = 0;
                for (int r = 0; r < 12; r++) {
                    state = state * 1664525u + 1013904223u;
                    sum += (double)(state >> 8) / (1 << 24);
                }
                phi->value[volume_index(phi, i, j, k)] = (float)fmax(d, fabs(k - 20.0) - 17);
                image->value[volume_index(image, i, j, k)] =
                    (float)(60 - 40 * erf(d / (sqrt(2) * width)) + noise * (sum - 6));
            }
}

static wall_uncertainty measured(double width, double noise, double support) {
    volume image = {0}, phi = {0}, exact = {0};
    surface wall = {0};
    wall_uncertainty e;
    tube(6, width, noise, &image, &phi);
    assert_int_equal(distance_rebuild(&phi, 3, &wall, &exact), OK);
    assert_int_equal(wall_uncertainty_measure(&image, &wall, noise, 0, support, 0, &e), OK);
    surface_free(&wall);
    volume_free(&exact);
    volume_free(&phi);
    volume_free(&image);
    return e;
}

static void test_width_and_noise(void **state) {
    (void)state;
    const wall_uncertainty sharp = measured(0.8, 0, 1), blurred = measured(1.1, 0, 1), noisy = measured(0.8, 12, 1),
                           halved = measured(0.8, 0, 0.5);
    assert_near(sharp.edge_width_mm, 0.8, 0.15); /* voxels are linear in between, slope over one of them */
    assert_near(blurred.edge_width_mm, 1.1, 0.2);
    assert_near(noisy.noise_to_contrast, 12 / 80.0, 0.02);
    assert_true(sharp.measured_mm > 0.1 && sharp.measured_mm < 0.25);
    assert_true(blurred.measured_mm > 1.2 * sharp.measured_mm);
    assert_true(noisy.measured_mm > 1.1 * sharp.measured_mm);
    assert_true(halved.measured_mm > 0.5);
    /* 60 % of a blurred step lies 0.2533 standard deviations from its middle; linear interpolation adds 1/6 voxel^2 */
    assert_near(sharp.threshold_mm, 0.2533 * sqrt(0.8 * 0.8 + 1 / 6.0), 0.02);
    assert_near(blurred.threshold_mm, 0.2533 * sqrt(1.1 * 1.1 + 1 / 6.0), 0.02);
    assert_near(noisy.threshold_mm, sharp.threshold_mm, 0.08);
    assert_near(sharp.resolution_mm, 0.35, 1e-12);
    assert_near(sharp.uncertainty_mm,
                sqrt(sharp.measured_mm * sharp.measured_mm + sharp.threshold_mm * sharp.threshold_mm + 0.35 * 0.35),
                1e-12);
    assert_near(sharp.shift_mm,
                sqrt(sharp.measured_mm * sharp.measured_mm + sharp.threshold_mm * sharp.threshold_mm + 0.13 * 0.13),
                1e-12);
}

static bool is_side(const double at[3], const void *with) {
    (void)with;
    return fabs(at[2] - 20) < 14;
}

typedef struct {
    double whole, resolution, narrower; /* part of the wall in the interval, in the resolution, in 0.85 resolutions */
} mask_coverage;

/* Mask of the voxels above `part` of the contrast. */
static mask_coverage cover_mask(double radius, double width, double part) {
    volume image = {0}, phi = {0}, level = {0}, smooth = {0}, exact = {0};
    surface wall = {0}, true_wall = {0};
    label_mask_report report;
    tube(radius, width, 0, &image, &phi);
    assert_int_equal(distance_rebuild(&phi, 3, &true_wall, &exact), OK);
    for (size_t i = 0; i < volume_size(&image); i++)
        image.value[i] = (double)image.value[i] > 20 + 80 * part && (double)phi.value[i] < radius;
    assert_int_equal(label_mask_to_level_set(&image, &level, &report), OK);
    assert_int_equal(distance_rebuild(&level, 3, &wall, &smooth), OK);
    const wall_uncertainty e = wall_uncertainty_of_mask(&image);
    coverage c = coverage_measure(&smooth, &true_wall, is_side, NULL);
    const mask_coverage covered = {coverage_within(&c, e.uncertainty_mm), coverage_within(&c, e.resolution_mm),
                                   coverage_within(&c, 0.85 * e.resolution_mm)};
    print_message("mask at %.0f %%, radius %.0f, blur %.1f voxels: +-%.2f mm covers %.0f %%, +-%.2f mm %.0f %%\n",
                  100 * part, radius, width, e.uncertainty_mm, 100 * covered.whole, e.resolution_mm,
                  100 * covered.resolution);
    coverage_free(&c);
    surface_free(&wall);
    surface_free(&true_wall);
    volume_free(&exact);
    volume_free(&smooth);
    volume_free(&level);
    volume_free(&phi);
    volume_free(&image);
    return covered;
}

static void test_mask(void **state) {
    (void)state;
    const volume v = {.spacing_mm = {1, 1, 8}};
    assert_near(wall_uncertainty_of_mask(&v).uncertainty_mm, 2 * sqrt(0.35 * 0.35 + 0.3 * 0.3), 1e-12);
    assert_near(wall_uncertainty_of_mask(&v).shift_mm, 2 * sqrt(0.13 * 0.13 + 0.3 * 0.3), 1e-12);
    /* Observers choose thresholds of 40 to 60 %. */
    double mean = 0;
    for (int k = 0; k < 5; k++)
        mean += cover_mask(6, 1.2, 0.4 + 0.05 * k).whole / 5;
    assert_true(mean >= 0.9);
    /* At the half height only the voxels move the wall. */
    const mask_coverage thin = cover_mask(3, 0.5, 0.5);
    assert_true(thin.resolution >= 0.95 && thin.narrower < 0.95);
}

/* The tube seen twice, `shift` mm apart along y, or as it moved over that; its wall where each is half as bright. */
static motion_blur moved(double shift, bool twice) {
    volume image = {0}, phi = {0}, exact = {0}, still = {0};
    surface wall = {0};
    motion_blur s;
    tube(6, 0.5, 4, &still, &phi);
    assert_int_equal(volume_create_like(&image, &still), OK);
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                double sum = 0;
                for (int n = 0; n < 7; n++) {
                    const double y = j + shift * (twice ? (n % 2) - 0.5 : n / 6.0 - 0.5);
                    double at[3];
                    volume_to_lps(&still, (const double[3]){i, fmin(N - 1, fmax(0, y)), k}, at);
                    sum += n < 6 || !twice ? volume_sample(&still, at) : 0;
                }
                image.value[volume_index(&image, i, j, k)] = (float)(sum / (twice ? 6 : 7));
            }
    assert_int_equal(distance_rebuild(&phi, 3, &wall, &exact), OK);
    assert_int_equal(motion_blur_find(&image, &wall, 6, &s), OK);
    print_message("moved by %.1f voxels: %.2f, %.2f voxels wide\n", shift, s.widest, s.narrowest);
    surface_free(&wall);
    volume_free(&exact);
    volume_free(&phi);
    volume_free(&still);
    volume_free(&image);
    return s;
}

static void test_motion(void **state) {
    (void)state;
    assert_false(moved(0, false).seen);
    assert_true(moved(5, false).seen);
    assert_true(moved(5, true).seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_width_and_noise), cmocka_unit_test(test_mask),
                                       cmocka_unit_test(test_motion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
