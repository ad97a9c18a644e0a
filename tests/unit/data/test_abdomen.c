/* SPDX-License-Identifier: Apache-2.0 */
/* Random patients before scanners: means and noise as asked, organs that touch the vein and do not swallow it. */
#include "common/base/status.h"
#include "data/phantom/scan.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static phantom p;

static void patients_differ_by_seed(void **state) {
    (void)state;
    double first[3];
    assert_int_equal(abdomen_patient(1, 1, &p), OK);
    assert_int_equal(p.n_opening, 4);
    assert_int_equal(p.n_branch, 5);
    for (int k = 0; k < 3; k++)
        first[k] = p.opening[0].point_mm[k];
    assert_int_equal(abdomen_patient(2, 1, &p), OK);
    assert_true(fabs(first[0] - p.opening[0].point_mm[0]) + fabs(first[2] - p.opening[0].point_mm[2]) > 0.5);
    assert_int_equal(abdomen_patient(1, 1, &p), OK);
    for (int k = 0; k < 3; k++)
        assert_true(first[k] == p.opening[0].point_mm[k]);
    assert_int_equal(abdomen_patient(1, 0, &p), ERR_USAGE);
    status_clear();
}

/* The middle of every vessel is free; organs as bright as blood in CT come within a millimetre of the wall in at least
 * six places. */
static void organs_touch_and_do_not_swallow(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        static abdomen a;
        int touching = 0;
        assert_int_equal(abdomen_patient(seed, 1, &p), OK);
        abdomen_create(&p, seed, 35, &a);
        for (int i = 4; i < a.n_organ; i++) { /* the first four lie where they lie */
            double nearest = INFINITY;
            const abdomen_organ *o = &a.organ[i];
            for (int n = 0; n < 20000; n++) { /* points on the organ's surface */
                const double z = 1 - (2.0 * n + 1) / 20000, r = sqrt(1 - z * z), t = n * 2.399963229728653;
                const double u[3] = {r * cos(t), r * sin(t), z};
                double q[3];
                for (int m = 0; m < 3; m++) {
                    q[m] = o->centre_mm[m];
                    for (int k = 0; k < 3; k++)
                        q[m] += o->axis[3 * k + m] * o->half_mm[k] * u[k];
                }
                nearest = fmin(nearest, shape_distance_mm(&p.shape, q));
            }
            assert_true(nearest > -1.2);
            touching += nearest < 1 && o->tissue != TISSUE_FAT;
        }
        assert_true(touching >= 6);
    }
}

/* Deep in the vein: the scanner's mean (with its bias off) and noise. */
static void signals_are_the_scanners(void **state) {
    (void)state;
    assert_int_equal(abdomen_patient(3, 1, &p), OK);
    for (int s = 0; s < SCANNERS; s++) {
        const scanner *by = scanner_get(s);
        scan_settings settings = {.spacing_mm = {1.5, 1.5, 2}, .margin_mm = 10, .blur = 1, .seed = 3, .scanner = by};
        volume image, phi;
        double n = 0, sum = 0, square = 0;
        assert_int_equal(scan_grid(&p, &settings, &image), OK);
        assert_int_equal(scan_image(&p, &settings, &image), OK);
        assert_int_equal(volume_create_like(&phi, &image), OK);
        scan_phi(&p, &phi);
        for (size_t i = 0; i < volume_size(&image); i++)
            if (phi.value[i] < -3) {
                n++;
                sum += (double)image.value[i];
                square += (double)image.value[i] * (double)image.value[i];
            }
        assert_true(n > 500);
        const double mean = sum / n, noise = sqrt(square / n - mean * mean);
        const double rician = by->magnitude ? by->noise * by->noise / (2 * by->signal[TISSUE_VEIN]) : 0;
        assert_true(fabs(mean - by->signal[TISSUE_VEIN] - rician) < 0.2 * by->noise);
        assert_true(fabs(noise / by->noise - 1) < 0.1);
        volume_free(&image);
        volume_free(&phi);
    }
    assert_null(scanner_get(SCANNERS));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(patients_differ_by_seed),
                                       cmocka_unit_test(organs_touch_and_do_not_swallow),
                                       cmocka_unit_test(signals_are_the_scanners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
