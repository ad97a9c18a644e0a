/* SPDX-License-Identifier: Apache-2.0 */
/* Images of phantoms: statistics of noise, partial volume against exact volumes, truth against the shape, same seed. */
#include "common/base/status.h"
#include "data/phantom/scan.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static phantom tube;
static const scan_settings plain = {.spacing_mm = {1, 1.2, 1.5}, .margin_mm = 18, .seed = 1};

static int make_tube(void **state) {
    (void)state;
    return phantom_make(PHANTOM_TUBE, 1, &tube);
}

static void image_make(const phantom *p, const scan_settings *settings, volume *image, volume *phi) {
    assert_int_equal(scan_grid(p, settings, image), OK);
    assert_int_equal(scan_image(p, settings, image), OK);
    if (phi) {
        assert_int_equal(volume_create_like(phi, image), OK);
        scan_phi(p, phi);
    }
}

/* Mean and standard deviation of the voxels whose distance to the wall lies in low..high; air: signal
 * 0 before noise. */
static double statistics(const volume *image, const volume *where, double low, double high, double *sigma) {
    double n = 0, sum = 0, square = 0;
    for (size_t i = 0; i < volume_size(image); i++)
        if (where->value[i] >= low && where->value[i] <= high) {
            n++;
            sum += (double)image->value[i];
            square += (double)image->value[i] * (double)image->value[i];
        }
    assert_true(n > 500);
    *sigma = sqrt(square / n - sum / n * (sum / n));
    return sum / n;
}

static void noise_is_rician(void **state) {
    (void)state;
    static const double asked[] = {8, 20};
    for (int i = 0; i < 2; i++) {
        const double snr = asked[i];
        scan_settings noisy = plain;
        volume image, clean, phi;
        double sigma;
        noisy.snr = snr;
        noisy.margin_mm = 30;
        image_make(&tube, &noisy, &image, &phi);
        noisy.snr = 0;
        image_make(&tube, &noisy, &clean, NULL);
        /* in blood: mean sqrt(A^2 + sigma^2) to second order, deviation sigma, so SNR is what was asked for */
        const double mean = statistics(&image, &phi, -4, -1.5, &sigma);
        assert_true(fabs(mean / sigma / snr - 1) < 0.05);
        assert_true(fabs(mean - hypot(SCAN_BLOOD, SCAN_BLOOD / snr) + 0.5 * SCAN_BLOOD / snr / snr) < 10);
        /* in air: Rayleigh, mean sigma sqrt(pi / 2), deviation sigma sqrt(2 - pi / 2) */
        const double air = statistics(&image, &clean, 0, 0, &sigma), noise = SCAN_BLOOD / snr;
        assert_true(fabs(air / (noise * sqrt(M_PI / 2)) - 1) < 0.02);
        assert_true(fabs(sigma / (noise * sqrt(2 - M_PI / 2)) - 1) < 0.02);
        volume_free(&image);
        volume_free(&clean);
        volume_free(&phi);
    }
}

/* Without noise, bias and blur the excess over the gel adds up to the volume: a cylinder of 64 mm and
 * two half balls. */
static void partial_volume_keeps_the_volume(void **state) {
    (void)state;
    const double exact = M_PI * 16 * 64 + 4.0 / 3 * M_PI * 64;
    for (int i = 0; i < 2; i++) { /* blur moves signal but keeps the sum */
        scan_settings settings = plain;
        settings.blur = i;
        settings.rotate_deg = 20 * i;
        volume image, phi, mask;
        double excess = 0, inside = 0;
        image_make(&tube, &settings, &image, &phi);
        assert_int_equal(volume_create_like(&mask, &phi), OK);
        scan_mask(&phi, &mask);
        const double voxel = image.spacing_mm[0] * image.spacing_mm[1] * image.spacing_mm[2];
        for (size_t v = 0; v < volume_size(&image); v++) {
            inside += (double)mask.value[v] * voxel;
            if (phi.value[v] < 6)
                excess += ((double)image.value[v] - 350) / (SCAN_BLOOD - 350) * voxel;
        }
        assert_true(fabs(excess / exact - 1) < 0.005);
        assert_true(fabs(inside / exact - 1) < 0.02); /* voxel centres only */
        volume_free(&image);
        volume_free(&phi);
        volume_free(&mask);
    }
}

static void truth_follows_the_shape(void **state) {
    (void)state;
    scan_settings settings = plain;
    settings.rotate_deg = 35;
    volume phi;
    assert_int_equal(scan_grid(&tube, &settings, &phi), OK);
    scan_phi(&tube, &phi);
    for (int i = 0; i < tube.n_opening; i++) { /* the whole vessel is within the image, the margin around it */
        assert_true(volume_contains(&phi, tube.opening[i].point_mm));
        assert_true(fabs(volume_sample(&phi, tube.opening[i].point_mm) + 4) < 0.5);
    }
    for (int k = 0; k < phi.dims[2]; k++)
        for (int j = 0; j < phi.dims[1]; j++)
            for (int i = 0; i < phi.dims[0]; i++) {
                const double at[3] = {i, j, k};
                double point[3];
                volume_to_lps(&phi, at, point);
                const double value = (double)phi.value[volume_index(&phi, i, j, k)];
                assert_true(fabs(value - shape_distance_mm(&tube.shape, point)) < 1e-5);
                if (i == 0 || j == 0 || k == 0)
                    assert_true(value > 0.9 * settings.margin_mm);
            }
    volume_free(&phi);
}

static void same_seed_same_image(void **state) {
    (void)state;
    scan_settings settings = plain;
    volume one, two, other;
    settings.snr = 12;
    settings.bias = 0.3;
    settings.blur = 1;
    image_make(&tube, &settings, &one, NULL);
    image_make(&tube, &settings, &two, NULL);
    settings.seed = 2;
    image_make(&tube, &settings, &other, NULL);
    assert_memory_equal(one.value, two.value, volume_size(&one) * sizeof *one.value);
    assert_memory_not_equal(one.value, other.value, volume_size(&one) * sizeof *one.value);
    volume_free(&one);
    volume_free(&two);
    volume_free(&other);
}

static void bias_stays_in_range(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        scan_settings settings = plain;
        double low = INFINITY, high = 0;
        settings.bias = 0.4;
        settings.seed = seed;
        for (int i = 0; i < 21 * 21 * 21; i++) {
            const int at[3] = {i % 21, i / 21 % 21, i / 441};
            const double u[3] = {at[0] / 10.0 - 1, at[1] / 10.0 - 1, at[2] / 10.0 - 1};
            low = fmin(low, scan_bias(&settings, u));
            high = fmax(high, scan_bias(&settings, u));
        }
        assert_true(fabs(low - exp(-0.4)) < 1e-12); /* the corner furthest from the coil */
        assert_true(high <= exp(0.4) && high > exp(0.38));
    }
}

static void settings_out_of_range_are_refused(void **state) {
    (void)state;
    volume grid;
    scan_settings settings = plain;
    settings.spacing_mm[1] = 0;
    assert_int_equal(scan_grid(&tube, &settings, &grid), ERR_USAGE);
    status_clear();
    settings = plain;
    settings.snr = -1;
    assert_int_equal(scan_grid(&tube, &settings, &grid), ERR_USAGE);
    status_clear();
    settings = plain;
    settings.margin_mm = 1e6;
    assert_int_equal(scan_grid(&tube, &settings, &grid), ERR_USAGE);
    assert_non_null(strstr(status_message(), "voxels"));
    status_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_rician),         cmocka_unit_test(partial_volume_keeps_the_volume),
        cmocka_unit_test(truth_follows_the_shape), cmocka_unit_test(same_seed_same_image),
        cmocka_unit_test(bias_stays_in_range),     cmocka_unit_test(settings_out_of_range_are_refused),
    };
    return cmocka_run_group_tests_name("scan", tests, make_tube, NULL);
}
