/* SPDX-License-Identifier: Apache-2.0 */
/* Cubic splines through a volume: exact at the voxels, fourth order, and smoother walls than trilinear ones. */
#include "common/base/status.h"
#include "mesh/lumen/spline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static double wave(const double p[3]) {
    return sin(0.3 * p[0] + 0.1) * cos(0.25 * p[1]) + 0.2 * sin(0.4 * p[2]);
}

static double ball(const double p[3]) {
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 4;
}

static void make(volume *v, double step, double half, double (*f)(const double[3])) {
    const int n = (int)(2 * half / step) + 1;
    const double c = cos(0.3), s = sin(0.3), direction[9] = {c, -s, 0, 0, 0, 1, s, c, 0};
    assert_int_equal(volume_create(v, (const int[3]){n, n + 1, n + 2}, (const double[3]){step, step, step},
                                   (const double[3]){0, 0, 0}, direction),
                     OK);
    double middle[3], corner[3];
    const int half_index = n / 2;
    volume_to_lps(v, (const double[3]){half_index, half_index, half_index}, middle);
    for (int a = 0; a < 3; a++)
        corner[a] = 0.13 - middle[a];
    for (int a = 0; a < 3; a++)
        v->origin_mm[a] = corner[a];
    for (int k = 0; k < v->dims[2]; k++)
        for (int j = 0; j < v->dims[1]; j++)
            for (int i = 0; i < v->dims[0]; i++) {
                double p[3];
                volume_to_lps(v, (const double[3]){i, j, k}, p);
                v->value[volume_index(v, i, j, k)] = (float)f(p);
            }
}

static double worst_error(double step, double *slope_error) {
    volume v;
    spline s;
    double worst = 0;
    *slope_error = 0;
    make(&v, step, 10, wave);
    assert_int_equal(spline_create(&s, &v), OK);
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 12; j++)
            for (int k = 0; k < 12; k++) {
                const double p[3] = {-5 + 0.77 * i, -5 + 0.81 * j, -5 + 0.79 * k};
                const double x = p[0], y = p[1], z = p[2];
                double g[3];
                worst = fmax(worst, fabs(spline_value(&s, p, g) - wave(p)));
                *slope_error = fmax(*slope_error, fabs(g[0] - 0.3 * cos(0.3 * x + 0.1) * cos(0.25 * y)));
                *slope_error = fmax(*slope_error, fabs(g[2] - 0.08 * cos(0.4 * z)));
            }
    spline_free(&s);
    volume_free(&v);
    return worst;
}

static void fourth_order(void **state) {
    (void)state;
    double slope[2];
    const double coarse = worst_error(2, &slope[0]), fine = worst_error(1, &slope[1]);
    printf("spline: error %.1e, %.1e, of the slope %.1e, %.1e\n", coarse, fine, slope[0], slope[1]);
    assert_true(fine < coarse / 11 && fine < 1e-3); /* 16 in the limit */
    assert_true(slope[1] < slope[0] / 6);
}

static void passes_through_the_values(void **state) {
    (void)state;
    const int shapes[4][3] = {{9, 50, 60}, {1, 7, 2}, {45, 1, 3}, {2, 2, 41}};
    for (int n = 0; n < 4; n++) {
        volume v;
        spline s;
        assert_int_equal(volume_create(&v, shapes[n], (const double[3]){1, 2, 3}, (const double[3]){0, 0, 0}, NULL),
                         OK);
        for (size_t i = 0; i < volume_size(&v); i++)
            v.value[i] = (float)((i * 7919) % 101) / 50 - 1;
        assert_int_equal(spline_create(&s, &v), OK);
        for (int k = 0; k < v.dims[2]; k++)
            for (int j = 0; j < v.dims[1]; j++)
                for (int i = 0; i < v.dims[0]; i++)
                    assert_float_equal(spline_value(&s, (const double[3]){i, 2 * j, 3 * k}, NULL),
                                       v.value[volume_index(&v, i, j, k)], 2e-5);
        assert_float_equal(spline_value(&s, (const double[3]){-3, 0, -4}, NULL), v.value[0] + 5, 2e-5);
        spline_free(&s);
        volume_free(&v);
    }
}

/* Radius of the zero level along many directions: mean and spread. */
static void radius_of(double (*value)(const void *, const double[3]), const void *data, double *mean, double *spread) {
    double sum = 0, squares = 0;
    int n = 0;
    for (int i = 0; i < 31; i++)
        for (int j = 0; j < 63; j++, n++) {
            const double polar = 0.05 + 0.1 * i, round = 0.1 * j;
            double low = 2, high = 6;
            for (int step = 0; step < 40; step++) {
                const double r = 0.5 * (low + high);
                const double p[3] = {r * sin(polar) * cos(round), r * sin(polar) * sin(round), r * cos(polar)};
                if (value(data, p) < 0)
                    low = r;
                else
                    high = r;
            }
            sum += low - 4;
            squares += (low - 4) * (low - 4);
        }
    *mean = sum / n;
    *spread = sqrt(squares / n - *mean * *mean);
}

static double spline_of(const void *data, const double p[3]) {
    return spline_value(data, p, NULL);
}
static double linear_of(const void *data, const double p[3]) {
    return volume_sample(data, p);
}

/* A ball of 4 voxels radius: what is left of the voxels in the wall. */
static void wall_has_no_facets(void **state) {
    (void)state;
    volume v;
    spline s;
    double mean[2], spread[2];
    make(&v, 1, 8, ball);
    assert_int_equal(spline_create(&s, &v), OK);
    radius_of(spline_of, &s, &mean[0], &spread[0]);
    radius_of(linear_of, &v, &mean[1], &spread[1]);
    printf("wall of a ball of 4 voxels radius, in voxels: spline %.1e +- %.1e, trilinear %.1e +- %.1e\n", mean[0],
           spread[0], mean[1], spread[1]);
    assert_true(fabs(mean[0]) < 2e-3 && spread[0] < 2e-3);
    assert_true(spread[1] > 5 * spread[0]);
    spline_free(&s);
    volume_free(&v);
}

/* Gradients differ by no more than the bend says, and by a good part of it somewhere. */
static void gradients_turn_as_bound(void **state) {
    (void)state;
    volume v;
    spline s;
    unsigned seed = 5;
    double most = 0;
    make(&v, 0.7, 10, wave);
    for (size_t i = 0; i < volume_size(&v); i += 7)
        v.value[i] += 0.05F;
    assert_int_equal(spline_create(&s, &v), OK);
    for (int k = 0; k < 20000; k++) {
        double low[3], high[3], p[2][3], g[2][3], away = 0, turned = 0;
        for (int a = 0; a < 3; a++) {
            double x[3];
            for (int n = 0; n < 3; n++) {
                seed = seed * 1664525U + 1013904223U;
                x[n] = (seed >> 8) / 16777216.0;
            }
            low[a] = 1 + x[0] * (v.dims[a] - 4);
            high[a] = low[a] + 1.5 * x[1] * x[2];
            for (int n = 0; n < 2; n++)
                p[n][a] = low[a] + (n ? x[1] : x[2]) * (high[a] - low[a]);
        }
        for (int n = 0; n < 2; n++)
            spline_at_index(&s, p[n], g[n]);
        for (int a = 0; a < 3; a++) {
            away += (p[1][a] - p[0][a]) * (p[1][a] - p[0][a]) * 0.49;
            turned += (g[1][a] - g[0][a]) * (g[1][a] - g[0][a]) / 0.49;
        }
        const double bound = spline_bend(&s, low, high) * sqrt(away);
        assert_true(sqrt(turned) <= bound + 1e-9);
        most = fmax(most, bound > 1e-6 ? sqrt(turned) / bound : 0);
    }
    printf("gradients turn by up to %.2f of the bound\n", most);
    assert_true(most > 0.1);
    spline_free(&s);
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gradients_turn_as_bound), cmocka_unit_test(fourth_order),
                                       cmocka_unit_test(passes_through_the_values),
                                       cmocka_unit_test(wall_has_no_facets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
