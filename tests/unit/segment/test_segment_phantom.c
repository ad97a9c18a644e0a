/* SPDX-License-Identifier: Apache-2.0 */
/* The level set on images of phantoms at a signal-to-noise ratio of 8 with a strong coil sensitivity, against their
 * exact walls: Dice, mean surface distance, volume, and how rough the wall is.
 *
 * By hand: test_segment_phantom KIND [SNR [BIAS [SEED [lbm|itk]]]]], say `test_segment_phantom portal 15 0.2`. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "data/phantom/scan.h"
#include "segment/voxel/distance.h"
#include "segment/level_set/level_set.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static phantom p;
static int engine = LEVEL_SET_LBM;

typedef struct {
    double dice, volume_ratio;
    double mean_mm;  /* mean of both ways: our wall to the true one and back */
    double shift_mm; /* mean signed distance of our wall, outwards */
    double rough_mm; /* standard deviation of it */
    double tilt_deg; /* root mean square angle between our wall's normal and the true one */
    double voxel_mm;
    int iterations;
} agreement;

static double distance_to_truth(const double lps_mm[3]) {
    return shape_distance_mm(&p.shape, lps_mm);
}

static double angle_deg(const double n[3], const double at[3]) {
    double g[3], dot = 0, norm = 0;
    const double e = 0.05;
    for (int a = 0; a < 3; a++) {
        double low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
        low[a] -= e;
        high[a] += e;
        g[a] = distance_to_truth(high) - distance_to_truth(low);
        norm += g[a] * g[a];
        dot += g[a] * n[a];
    }
    return acos(fmax(-1, fmin(1, dot / sqrt(norm)))) * 180 / acos(-1);
}

/* Area-weighted over the triangles of our wall. Returns the mean of the absolute distance. */
static double study_wall(const surface *wall, agreement *a) {
    double area = 0, absolute = 0, sum = 0, square = 0, tilt = 0;
    for (int64_t t = 0; t < wall->n_triangle; t++) {
        const double *q[3];
        double u[3], v[3], n[3], middle[3], w = 0;
        for (int k = 0; k < 3; k++)
            q[k] = wall->point_mm + 3 * wall->triangle[3 * t + k];
        for (int c = 0; c < 3; c++) {
            u[c] = q[1][c] - q[0][c];
            v[c] = q[2][c] - q[0][c];
            middle[c] = (q[0][c] + q[1][c] + q[2][c]) / 3;
        }
        for (int c = 0; c < 3; c++) {
            n[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
            w += n[c] * n[c];
        }
        w = sqrt(w);
        if (w <= 1e-12)
            continue;
        for (int c = 0; c < 3; c++)
            n[c] /= w;
        const double d = distance_to_truth(middle), angle = angle_deg(n, middle);
        area += w;
        absolute += w * fabs(d);
        sum += w * d;
        square += w * d * d;
        tilt += w * angle * angle;
    }
    a->shift_mm = sum / area;
    a->rough_mm = sqrt(square / area - a->shift_mm * a->shift_mm);
    a->tilt_deg = sqrt(tilt / area);
    return absolute / area;
}

/* Voxels of the image, and the way back: from the true wall (its own zero level on the same voxels) to ours. */
static agreement compare(const volume *image, const volume *level) {
    surface wall, true_wall;
    volume phi, truth, true_phi;
    agreement a = {.voxel_mm = volume_thinnest_mm(image)};
    double both = 0, ours = 0, theirs = 0, back = 0;
    assert_int_equal(distance_rebuild(level, 6, &wall, &phi), OK);
    assert_int_equal(volume_create_like(&truth, image), OK);
    scan_phi(&p, &truth);
    assert_int_equal(distance_rebuild(&truth, 6, &true_wall, &true_phi), OK);
    for (int k = 0; k < image->dims[2]; k++)
        for (int j = 0; j < image->dims[1]; j++)
            for (int i = 0; i < image->dims[0]; i++) {
                double at[3];
                volume_to_lps(image, (const double[3]){i, j, k}, at);
                const bool t = truth.value[volume_index(&truth, i, j, k)] < 0;
                const bool o = volume_contains(&phi, at) && volume_sample(&phi, at) < 0;
                both += t && o, ours += o, theirs += t;
            }
    a.dice = 2 * both / (ours + theirs);
    a.volume_ratio = surface_volume_mm3(&wall) / surface_volume_mm3(&true_wall);
    for (int64_t i = 0; i < true_wall.n_point; i++)
        back += fabs(volume_sample(&phi, true_wall.point_mm + 3 * i));
    a.mean_mm = 0.5 * (study_wall(&wall, &a) + back / (double)true_wall.n_point);
    surface_free(&wall);
    surface_free(&true_wall);
    volume_free(&phi);
    volume_free(&truth);
    volume_free(&true_phi);
    return a;
}

static agreement segment(const char *kind, const scan_settings *settings, volume *phi) {
    const level_set_options automatic = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, .engine = engine};
    double seed[PHANTOM_MAX_BRANCHES][3];
    volume image, level;
    level_set_report report;
    status_clear();
    assert_int_equal(phantom_make(phantom_find(kind), 1, &p), OK);
    assert_int_equal(scan_grid(&p, settings, &image), OK);
    assert_int_equal(scan_image(&p, settings, &image), OK);
    for (int b = 0; b < p.n_branch; b++)
        memcpy(seed[b], p.branch[b].middle_mm, sizeof seed[b]);
    int rc = level_set_run(&image, p.n_branch, (const double(*)[3])seed, &automatic, &level, &report);
    if (rc != OK)
        print_message("%s\n", status_message());
    assert_int_equal(rc, OK);
    agreement a = compare(&image, &level);
    print_message(
        "%s, SNR %g, bias +-%.0f %%: Dice %.4f, mean surface distance %.3f voxel (%.3f mm), volume %+.1f %%\n", kind,
        settings->snr, 100 * settings->bias, a.dice, a.mean_mm / a.voxel_mm, a.mean_mm, 100 * (a.volume_ratio - 1));
    print_message("    wall: %+.3f mm outwards, rough by %.3f mm and %.1f degrees\n", a.shift_mm, a.rough_mm,
                  a.tilt_deg);
    volume_free(&image);
    if (phi != NULL)
        *phi = level;
    else
        volume_free(&level);
    return a;
}

static const scan_settings hard = {
    .spacing_mm = {1, 1, 1.5}, .margin_mm = 18, .blur = 1, .bias = 0.3, .snr = 8, .seed = 1};

static void assert_good(agreement a) {
    assert_true(a.dice >= 0.95);
    assert_true(a.mean_mm <= 0.35 * a.voxel_mm);
    assert_true(a.tilt_deg <= 8.3); /* ripples of the wall mottle its shear stress; what noise leaves with a Gaussian of
                                       one voxel alone is 9 degrees */
}

static void portal(void **state) {
    (void)state;
    assert_good(segment("portal", &hard, NULL));
}

static void stenosis(void **state) {
    (void)state;
    volume phi[2];
    double off = 0, n = 0;
    for (int k = 0; k < 2; k++) { /* both engines: one wall to a tenth of a voxel */
        engine = k ? LEVEL_SET_ITK : LEVEL_SET_LBM;
        assert_good(segment("stenosis", &hard, &phi[k]));
    }
    engine = LEVEL_SET_LBM;
    for (int k = 0; k < phi[0].dims[2]; k++)
        for (int j = 0; j < phi[0].dims[1]; j++)
            for (int i = 0; i < phi[0].dims[0]; i++) {
                const float lbm = phi[0].value[volume_index(&phi[0], i, j, k)];
                double at[3];
                volume_to_lps(&phi[0], (const double[3]){i, j, k}, at);
                if (fabsf(lbm) >= 0.5F || !volume_contains(&phi[1], at))
                    continue;
                off += fabs((double)lbm - volume_sample(&phi[1], at));
                n++;
            }
    print_message("LBM against ITK: phi off by %.4f mm on average near the wall\n", off / n);
    assert_true(n > 5000);
    assert_true(off / n < 0.1);
    volume_free(&phi[0]);
    volume_free(&phi[1]);
}

static int by_hand(int argc, char **argv) {
    scan_settings s = hard;
    s.snr = argc > 2 ? strtod(argv[2], NULL) : s.snr;
    s.bias = argc > 3 ? strtod(argv[3], NULL) : s.bias;
    s.seed = argc > 4 ? strtoul(argv[4], NULL, 10) : s.seed;
    engine = argc > 5 && strcmp(argv[5], "itk") == 0 ? LEVEL_SET_ITK : LEVEL_SET_LBM;
    if (phantom_find(argv[1]) < 0) {
        print_error("no phantom '%s'\n", argv[1]);
        return 2;
    }
    segment(argv[1], &s, NULL);
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(portal), cmocka_unit_test(stenosis)};
    message_init("test", argc > 1);
    return argc > 1 ? by_hand(argc, argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
