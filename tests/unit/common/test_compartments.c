/* SPDX-License-Identifier: Apache-2.0 */
/* Portal and hepatic compartments of the liver: an exact solution in one dimension and its order of accuracy, mass
 * balance, the lobule law, the limit of perfect conduction, the division among the ends; the interval of the
 * resistance; livers that are refused. */
#include "common/liver/compartments.h"
#include "common/base/status.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Two coupled equations in a bar of length L: a_p p'' = g (p - h) = -a_h h'', flux q in at x = 0 of p, h(L) = 0. The
 * difference w = p - h is a sum of two hyperbolic cosines, and a_p p + a_h h falls linearly. */
typedef struct {
    double length, a_p, a_h, g, q;
} bar;
static double exact_difference(const bar *b, double x) {
    const double kappa = sqrt(b->g * (1 / b->a_p + 1 / b->a_h)), factor = b->q / (kappa * sinh(kappa * b->length));
    return factor * (cosh(kappa * x) / b->a_h + cosh(kappa * (b->length - x)) / b->a_p);
}
static double exact_hepatic(const bar *b, double x) {
    const double constant = b->q * b->length + b->a_p * exact_difference(b, b->length);
    return (constant - b->q * x - b->a_p * exact_difference(b, x)) / (b->a_p + b->a_h);
}

/* Largest error of both pressures with n cells, over the largest pressure. */
static double bar_error(int n) {
    const bar b = {0.2, 2e-7, 5e-7, 6e-5, 1e-3};
    const double spacing_mm[3] = {1e3 * b.length / n, 10, 10}, area_m2 = 1e-4;
    const compartments_law law = {b.g, {b.a_p, b.a_h}};
    volume mask = {0};
    liver_grid g;
    double *work = calloc(4 * (size_t)n, sizeof *work), *source = work, *sink = work + n, *p = work + 2 * n, worst = 0;
    assert_int_equal(volume_create(&mask, (const int[3]){n, 1, 1}, spacing_mm, (const double[3]){0}, NULL), OK);
    for (int i = 0; i < n; i++)
        mask.value[i] = 1;
    assert_int_equal(liver_grid_create(&mask, 1000000, &g), OK);
    assert_int_equal(g.n, n);
    source[0] = b.q * area_m2;
    sink[n - 1] = b.a_h * area_m2 * n / (0.5 * b.length); /* half a cell to the end of the bar */
    assert_int_equal(compartments_solve(&g, &law, source, sink, p), OK);
    for (int i = 0; i < n; i++) {
        const double x = (i + 0.5) * b.length / n, h = exact_hepatic(&b, x);
        worst = fmax(worst, fmax(fabs(p[n + i] - h), fabs(p[i] - h - exact_difference(&b, x))));
    }
    worst /= exact_hepatic(&b, 0) + exact_difference(&b, 0);
    liver_grid_free(&g);
    volume_free(&mask);
    free(work);
    return worst;
}

static void test_exact(void **state) {
    (void)state;
    const double coarse = bar_error(40), middle = bar_error(80), fine = bar_error(160);
    print_message("bar: errors %.3g, %.3g, %.3g, orders %.3f, %.3f\n", coarse, middle, fine, log2(coarse / middle),
                  log2(middle / fine));
    assert_true(fine < 1e-4);
    assert_near(log2(coarse / middle), 2, 0.1);
    assert_near(log2(middle / fine), 2, 0.05);
}

enum { ENDS = 3 };
static const double FLOW[ENDS] = {9e-6, 4e-6, 2e-6}; /* m3/s */

/* A liver in an oblique image with uneven voxels, and a second, separate piece. */
typedef struct {
    volume mask;
    liver_grid g;
    double *source, *sink, *pressure, *share, resistance;
    compartments_law law;
} liver;

static void set_up(liver *l, int cells, double permeability_m2) {
    const double c = cos(0.3), s = sin(0.3), direction[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, spacing[3] = {2, 2.5, 4};
    const double at[ENDS + 2][3] = {{50, 40, 30}, {110, 45, 60}, {70, 70, 75}, {90, 60, 50}, {60, 60, 60}};
    *l = (liver){.resistance = 6e7};
    assert_int_equal(
        volume_create(&l->mask, (const int[3]){80, 50, 30}, spacing, (const double[3]){-30, 12, 5}, direction), OK);
    for (int k = 0; k < 30; k++)
        for (int j = 0; j < 50; j++)
            for (int i = 0; i < 80; i++) {
                const double x = (2 * i - 80) / 70.0, y = (2.5 * j - 60) / 45.0, z = (4 * k - 60) / 50.0;
                l->mask.value[volume_index(&l->mask, i, j, k)] =
                    x * x + y * y + z * z < 1 || (i > 76 && j > 46) ? 1 : 0;
            }
    assert_int_equal(liver_grid_create(&l->mask, cells, &l->g), OK);
    const size_t n = (size_t)l->g.n;
    l->source = calloc(n, sizeof *l->source);
    l->sink = calloc(n, sizeof *l->sink);
    l->pressure = calloc(2 * n, sizeof *l->pressure);
    l->share = calloc(ENDS * n, sizeof *l->share);
    l->law = (compartments_law){1 / (l->resistance * 1e-9 * l->g.all_mm3),
                                {permeability_m2 / 3.5e-3, 0.75 * permeability_m2 / 3.5e-3}};
    for (int e = 0; e < ENDS + 2; e++) {
        double lps[3];
        const double index[3] = {at[e][0] / 2, at[e][1] / 2.5, at[e][2] / 4};
        volume_to_lps(&l->mask, index, lps);
        assert_near(e < ENDS ? compartments_add_end(&l->g, lps, COMPARTMENTS_END_MM, FLOW[e], l->share + (size_t)e * n)
                             : compartments_hold_end(&l->g, lps, COMPARTMENTS_END_MM, &l->law, l->sink),
                    0, 1e-9);
    }
    for (size_t i = 0; i < ENDS * n; i++)
        l->source[i % n] += l->share[i];
}

static void tear_down(liver *l) {
    liver_grid_free(&l->g);
    volume_free(&l->mask);
    free(l->source);
    free(l->sink);
    free(l->pressure);
    free(l->share);
}

static void test_balance(void **state) {
    (void)state;
    liver l;
    double all = 0, out = 0, mean = 0, of_end[ENDS] = {0}, total = 0;
    set_up(&l, 20000, 8e-10);
    const int64_t n = l.g.n;
    double voxels = 0;
    for (size_t i = 0; i < volume_size(&l.mask); i++)
        voxels += (double)l.mask.value[i];
    assert_near(l.g.lost_mm3, 3 * 3 * 30 * 20, 1e-6); /* the separate piece */
    assert_near(l.g.all_mm3 / 20, voxels - 3 * 3 * 30, 1e-6);
    double in_cells = 0; /* a map on the voxels has the same volume */
    for (int m = 0; m < 80 * 50 * 30; m++)
        in_cells += liver_grid_of_voxel(&l.g, m % 80, m / 80 % 50, m / 4000) >= 0;
    assert_near(in_cells, l.g.all_mm3 / 20, 1e-6);
    for (int e = 0; e < ENDS; e++)
        total += FLOW[e];
    assert_int_equal(compartments_solve(&l.g, &l.law, l.source, l.sink, l.pressure), OK);
    assert_int_equal(compartments_divide(&l.g, &l.law, l.pressure, ENDS, l.share), OK);
    for (int64_t i = 0; i < n; i++) {
        const double exchange = compartments_exchange(&l.g, &l.law, l.pressure, i);
        double sum = 0;
        assert_true(exchange > 0);
        all += exchange;
        out += l.sink[i] * l.pressure[n + i];
        mean += (l.pressure[i] - l.pressure[n + i]) * l.g.volume_mm3[i] / l.g.all_mm3;
        for (int e = 0; e < ENDS; e++) {
            of_end[e] += l.share[e * n + i] * exchange;
            sum += l.share[e * n + i];
        }
        assert_near(sum, 1, 1e-9);
    }
    print_message("balance: exchange %.2g, outflow %.2g, lobule law %.2g\n", all / total - 1, out / total - 1,
                  mean / (l.resistance * total) - 1);
    assert_near(all / total, 1, 1e-6);
    assert_near(out / total, 1, 1e-6);
    assert_near(mean / (l.resistance * total), 1, 1e-4);
    for (int e = 0; e < ENDS; e++)
        assert_near(of_end[e] / FLOW[e], 1, 1e-6);
    tear_down(&l);
}

/* Mean portal pressure at the ends over the flow. */
static double whole_resistance(int cells, double permeability_m2) {
    liver l;
    double power = 0, total = 0;
    set_up(&l, cells, permeability_m2);
    assert_int_equal(compartments_solve(&l.g, &l.law, l.source, l.sink, l.pressure), OK);
    for (int64_t i = 0; i < l.g.n; i++) {
        power += l.source[i] * l.pressure[i];
        total += l.source[i];
    }
    tear_down(&l);
    return power / (total * total);
}

static void test_perfect_conduction(void **state) {
    (void)state;
    const double all = whole_resistance(8000, 8e-10), half = whole_resistance(8000, 4e-10),
                 none = whole_resistance(8000, 8e-4);
    print_message("resistance over that of the lobule law: %.4f, half permeability %.4f, perfect %.6f\n", all / 6e7,
                  half / 6e7, none / 6e7);
    assert_near(none / 6e7, 1, 2e-4);
    assert_true(all > none && half > all);
}

/* The ball at the end makes the resistance independent of the cells. */
static void test_cells(void **state) {
    (void)state;
    const double coarse = whole_resistance(4000, 8e-10), fine = whole_resistance(40000, 8e-10);
    print_message("resistance with 4,000 and 40,000 cells: %.4f, %.4f\n", coarse / 6e7, fine / 6e7);
    assert_near(coarse / fine, 1, 0.03);
}

/* Distance of an end from the liver, and its flow. */
static void test_distance(void **state) {
    (void)state;
    liver l;
    double lps[3], sum = 0;
    set_up(&l, 8000, 8e-10);
    double *source = calloc((size_t)l.g.n, sizeof *source);
    volume_to_lps(&l.mask, (const double[3]){40, 24, -10}, lps); /* the liver reaches from z = 10 mm to 110 mm */
    const double off = compartments_add_end(&l.g, lps, COMPARTMENTS_END_MM, 1e-6, source);
    for (int64_t i = 0; i < l.g.n; i++)
        sum += source[i];
    assert_near(off, 50, 0.5 * l.g.spacing_mm[2] + 2);
    assert_near(sum, 1e-6, 1e-18);
    free(source);
    tear_down(&l);
}

/* The half-width is a sum over quantities: the viscosity changes all parts together, and the artery the lobules and the
 * hepatic veins; half the difference of 1 / k at 75 % is 12 / 7. */
static void test_half_width(void **state) {
    (void)state;
    lobule_liver l = lobule_default_liver(LOBULE_HEALTHY);
    for (int q = 0; q < LOBULE_QUANTITIES; q++)
        l.quantity[q].error = 0;
    l.volume_ml.value = 1500;
    l.viscosity_pa_s.value = 3.5e-3;
    double error;
    const double lobules = lobule_resistance(&l, &error), portal = 3e7, hepatic = 2e7, all = lobules + portal + hepatic;
    const double loss[2] = {portal, hepatic};
    lobule_quantity k[2] = {{2e-9, 0}, {1e-9, 0}};
    assert_near(compartments_resistance(&l, k, loss, 0, &error) / all, 1, 1e-12);
    assert_near(error, 0, 1e-3);
    l.viscosity_pa_s.error = 0.2 * 3.5e-3;
    compartments_resistance(&l, k, loss, 0, &error);
    assert_near(error / (0.2 * all), 1, 1e-9);
    l.viscosity_pa_s.error = 0;
    l.arterial_share.error = 0.1; /* 15 % to 35 % about 25 % */
    compartments_resistance(&l, k, loss, 0, &error);
    assert_near(error / ((lobules + hepatic) * 0.5 * (0.75 / 0.65 - 0.75 / 0.85)), 1, 1e-9);
    l.arterial_share.error = 0;
    k[0].error = 1.5e-9;
    k[1].error = 0.5e-9;
    compartments_resistance(&l, k, loss, 4e7, &error);
    assert_near(error / sqrt(pow(12.0 / 7 * portal, 2) + pow(2.0 / 3 * hepatic, 2) + 16e14), 1, 1e-9);
}

/* A liver of 30 L, of 30 mL, and in two pieces. */
static void test_check(void **state) {
    (void)state;
    static const struct {
        double spacing_mm;
        int cut; /* layer without liver */
        const char *text;
    } all[] = {{10, -1, NULL},
               {31, -1, "29.8 L, but a liver has 0.1 to 10 L; give the labels"},
               {3, -1, "0.027 L, but a liver has 0.1 to 10 L; check the label"},
               {10, 8, "in pieces: 100 of its 900 mL are not connected"}};
    for (size_t t = 0; t < sizeof all / sizeof *all; t++) {
        const double h = all[t].spacing_mm;
        volume mask = {0};
        liver_grid g;
        status_clear();
        assert_int_equal(
            volume_create(&mask, (const int[3]){10, 10, 10}, (const double[3]){h, h, h}, (const double[3]){0}, NULL),
            OK);
        for (int i = 0; i < 1000; i++)
            mask.value[i] = i / 100 != all[t].cut;
        assert_int_equal(liver_grid_create(&mask, 1000, &g), OK);
        assert_int_equal(liver_grid_check(&g), all[t].text ? ERR_INPUT : OK);
        if (all[t].text)
            assert_non_null(strstr(status_message(), all[t].text));
        liver_grid_free(&g);
        volume_free(&mask);
    }
}

static void test_empty(void **state) {
    (void)state;
    volume mask = {0};
    liver_grid g;
    assert_int_equal(
        volume_create(&mask, (const int[3]){4, 4, 4}, (const double[3]){1, 1, 1}, (const double[3]){0}, NULL), OK);
    assert_int_equal(liver_grid_create(&mask, 100, &g), ERR_INPUT);
    volume_free(&mask);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),      cmocka_unit_test(test_balance),  cmocka_unit_test(test_perfect_conduction),
        cmocka_unit_test(test_cells),      cmocka_unit_test(test_distance), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_half_width), cmocka_unit_test(test_check)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
