/* SPDX-License-Identifier: Apache-2.0 */
/* Volume of the liver from its label: of an ellipsoid, its interval, a liver cut by the border, implausible volumes. */
#include "common/liver/liver_volume.h"
#include "common/base/status.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* An ellipsoid with the half-axes `half_mm` around the origin, in an image from low_mm to high_mm of the origin. */
static liver_volume measure(const double half_mm[3], const double spacing_mm[3], const double low_mm[3],
                            const double high_mm[3]) {
    volume mask = {0};
    liver_grid g;
    int dims[3];
    double origin[3];
    for (int a = 0; a < 3; a++) {
        dims[a] = (int)lround((high_mm[a] - low_mm[a]) / spacing_mm[a]);
        origin[a] = low_mm[a] + 0.5 * spacing_mm[a];
    }
    assert_int_equal(volume_create(&mask, dims, spacing_mm, origin, NULL), OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                const int at[3] = {i, j, k};
                double square = 0;
                for (int a = 0; a < 3; a++)
                    square += pow((origin[a] + at[a] * spacing_mm[a]) / half_mm[a], 2);
                mask.value[volume_index(&mask, i, j, k)] = square < 1;
            }
    assert_int_equal(liver_grid_create(&mask, LIVER_CELLS, &g), OK);
    const liver_volume v = liver_volume_measure(&g);
    liver_grid_free(&g);
    volume_free(&mask);
    return v;
}

static const double HALF[3] = {90, 70, 60}, WIDE_LOW[3] = {-100, -80, -70}, WIDE_HIGH[3] = {100, 80, 70};
#define EXACT_ML (4e-3 / 3 * M_PI * 90 * 70 * 60)

static void test_value(void **state) {
    (void)state;
    const double fine[3] = {2, 2, 2}, coarse[3] = {4, 4, 10};
    const liver_volume v = measure(HALF, fine, WIDE_LOW, WIDE_HIGH), w = measure(HALF, coarse, WIDE_LOW, WIDE_HIGH);
    print_message("ellipsoid of %.1f mL: %.1f +- %.1f, coarse %.1f +- %.1f\n", EXACT_ML, v.ml.value, v.ml.error,
                  w.ml.value, w.ml.error);
    assert_near(v.ml.value / EXACT_ML, 1, 2e-3);
    assert_near(v.ml.error, LIVER_VOLUME_ERROR * v.ml.value, 1e-9);
    assert_true(fabs(w.ml.value - EXACT_ML) < w.ml.error);
    assert_true(w.ml.error > 1.2 * LIVER_VOLUME_ERROR * w.ml.value);
    assert_true(v.cut_axis < 0 && w.cut_axis < 0);
}

/* A cube of 10 voxels of 10 mm: 10^3 - 8^3 of its voxels are at the surface. Along the third axis it fills the image,
 * where its ends are no surface: 10^3 - 8 * 8 * 10. */
static void test_surface(void **state) {
    (void)state;
    const double spacing_mm[3] = {10, 10, 10}, flat[3] = {1e3, 1e3, 1e3}, half[3] = {50, 50, 50};
    volume mask = {0};
    liver_grid g;
    for (int cut = 0; cut < 2; cut++) {
        assert_int_equal(
            volume_create(&mask, (const int[3]){14, 14, cut ? 10 : 14}, spacing_mm, (const double[3]){0}, NULL), OK);
        for (int k = 0; k < mask.dims[2]; k++)
            for (int j = 2; j < 12; j++)
                for (int i = 2; i < 12; i++)
                    mask.value[volume_index(&mask, i, j, k)] = cut || (k >= 2 && k < 12);
        assert_int_equal(liver_grid_create(&mask, LIVER_CELLS, &g), OK);
        const liver_volume v = liver_volume_measure(&g);
        assert_near(v.ml.value, 1000, 1e-9);
        assert_near(v.ml.error, 0.5 * (cut ? 1000 - 640 : 1000 - 512), 1e-9);
        assert_int_equal(v.cut_axis, cut ? 2 : -1);
        assert_near(v.cut_mm2, cut ? 1e4 : 0, 1e-9);
        liver_grid_free(&g);
        volume_free(&mask);
    }
    /* an image inside the liver: every end is cut, the volume is that of the image */
    const liver_volume v = measure(flat, spacing_mm, (const double[3]){-50, -50, -50}, half);
    assert_true(v.cut_axis >= 0);
}

static void test_cut(void **state) {
    (void)state;
    const double spacing[3] = {2, 2, 5};
    double low[3], high[3];
    char text[LIVER_VOLUME_DOUBTS][LIVER_VOLUME_TEXT];
    const liver_volume tight = measure(HALF, spacing, (const double[3]){-90, -70, -60}, (const double[3]){90, 70, 60});
    assert_int_equal(tight.cut_axis, -1); /* the image ends with the liver */
    assert_int_equal(liver_volume_find_doubts(&tight, text), 0);
    for (int a = 0; a < 3; a++)
        for (int end = 0; end < 2; end++) {
            memcpy(low, WIDE_LOW, sizeof low);
            memcpy(high, WIDE_HIGH, sizeof high);
            *(end ? &high[a] : &low[a]) *= 0.4; /* 40 of 90 mm */
            const liver_volume v = measure(HALF, spacing, low, high);
            assert_int_equal(v.cut_axis, a);
            assert_int_equal(liver_volume_find_doubts(&v, text), 1);
            assert_non_null(strstr(text[0], "the border of the image cuts the label of the liver"));
            assert_non_null(strstr(text[0], "too small"));
        }
}

static void test_range(void **state) {
    (void)state;
    static const struct {
        double ml;
        int n;
    } of[] = {{299, 1}, {301, 0}, {1500, 0}, {3999, 0}, {4001, 1}};
    char text[LIVER_VOLUME_DOUBTS][LIVER_VOLUME_TEXT];
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const liver_volume v = {.ml = {of[k].ml, 1}, .cut_axis = -1};
        assert_int_equal(liver_volume_find_doubts(&v, text), of[k].n);
        if (of[k].n > 0)
            assert_non_null(strstr(text[0], "outside 0.3 to 4 L"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_value), cmocka_unit_test(test_surface),
                                       cmocka_unit_test(test_cut), cmocka_unit_test(test_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
