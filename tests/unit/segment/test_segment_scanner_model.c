/* SPDX-License-Identifier: Apache-2.0 */
/* What a scanner would show of a wall, against a fine drawing of the same vessel, and the point spread found from
 * it. */
#include "segment/wall/scanner_model.h"
#include "tests/unit/segment/narrow.h"

enum { PARTS = 2 };

static narrow vessel(double radius, double sigma, double slices) {
    return (narrow){.radius = radius,
                    .along = {sin(0.6) * cos(0.6), sin(0.6) * sin(0.6), cos(0.6)},
                    .offset = {0.23, -0.31, 0.17},
                    .slices = slices,
                    .sigma = sigma,
                    .vessel = 1,
                    .size = 36};
}

/* The distance to the wall in cells of half a voxel. parts: out. */
static void level_of(const narrow *n, const volume *image, int parts[3], volume *level) {
    int dims[3];
    double spacing[3], first[3], origin[3], p[3];
    for (int a = 0; a < 3; a++) {
        parts[a] = (int)lround(PARTS * image->spacing_mm[a]);
        dims[a] = image->dims[a] * parts[a];
        spacing[a] = image->spacing_mm[a] / parts[a];
        first[a] = -0.5 + 0.5 / parts[a];
    }
    volume_to_lps(image, first, origin);
    assert_int_equal(volume_create(level, dims, spacing, origin, NULL), OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                volume_to_lps(level, (const double[3]){i, j, k}, p);
                level->value[volume_index(level, i, j, k)] = (float)(PARTS * narrow_distance(n, p));
            }
}

static void as_drawn_finely(void **state) {
    (void)state;
    static const double radius[3] = {1.5, 3, 5}, sigma[3] = {0.4, 0.7, 1}, slices[3] = {1, 2, 3};
    for (int c = 0; c < 3; c++) {
        const narrow n = vessel(radius[c], sigma[c], slices[c]);
        const double v = sigma[c] * sigma[c];
        volume image, level, picture;
        double square = 0, sum = 0, most = 0;
        int parts[3];
        narrow_draw(&n, &image);
        level_of(&n, &image, parts, &level);
        assert_int_equal(scanner_model_image(&level, parts, (const double[3]){v, v, v}, 1, 0, &picture), OK);
        for (int k = 3; k < image.dims[2] - 3; k++)
            for (int j = 6; j < image.dims[1] - 6; j++)
                for (int i = 6; i < image.dims[0] - 6; i++) {
                    const size_t at = volume_index(&image, i, j, k);
                    const double off = (double)(picture.value[at] - image.value[at]);
                    sum += image.value[at] > 0.02F && image.value[at] < 0.98F;
                    square += off * off;
                    most = fmax(most, fabs(off));
                }
        print_message("radius %.1f, point spread %.1f, slices %.0f: %.4f of the contrast off, %.3f at worst\n",
                      radius[c], sigma[c], slices[c], sqrt(square / sum), most);
        assert_true(sqrt(square / sum) < 0.012 && most < 0.04);
        volume_free(&image);
        volume_free(&level);
        volume_free(&picture);
    }
}

/* From a guess far off; the wall a tenth of a voxel off does not tell. */
static void finds_the_point_spread(void **state) {
    (void)state;
    static const struct {
        double radius, sigma, slices, noise, off;
    } c[] = {
        {3, 0.4, 1, 0, 0}, {3, 0.9, 1, 0, 0.1}, {2, 0.7, 1, 0.05, 0}, {4, 0.5, 2, 0.05, -0.1}, {6, 0.8, 3, 0.1, 0}};
    for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
        narrow n = vessel(c[k].radius, c[k].sigma, c[k].slices);
        point_spread spread = {0.2, 0.1 * c[k].slices * c[k].slices, 0.3, 0.3 * c[k].slices * c[k].slices};
        volume image, level;
        int parts[3];
        n.noise = c[k].noise;
        narrow_draw(&n, &image);
        level_of(&n, &image, parts, &level);
        for (size_t i = 0; i < volume_size(&level); i++)
            level.value[i] += (float)(PARTS * c[k].off);
        assert_int_equal(scanner_model_fit(&image, &level, NULL, parts, &spread), OK);
        print_message("point spread %.2f: %.3f found, %.3f across slices of %.0f; variance known to %.3f\n", c[k].sigma,
                      sqrt(spread.within), sqrt(spread.across), c[k].slices, spread.within_sd);
        assert_true(fabs(spread.within - c[k].sigma * c[k].sigma) < 0.05 + 3 * spread.within_sd);
        assert_true(fabs(sqrt(spread.within) - c[k].sigma) < (c[k].noise < 0.1 ? 0.08 : 0.2));
        assert_true(fabs(spread.across - c[k].sigma * c[k].sigma) < 0.06 * c[k].slices * c[k].slices);
        volume_free(&image);
        volume_free(&level);
    }
}

/* Where there is no wall in the image the guess stays. */
static void keeps_the_guess(void **state) {
    (void)state;
    const narrow n = vessel(3, 0.5, 1);
    point_spread spread = {0.2, 0.1, 0.3, 0.3};
    volume image, level;
    int parts[3];
    narrow_draw(&n, &image);
    level_of(&n, &image, parts, &level);
    for (size_t i = 0; i < volume_size(&image); i++)
        image.value[i] = 0;
    assert_int_equal(scanner_model_fit(&image, &level, NULL, parts, &spread), OK);
    assert_true(spread.within == 0.2 && spread.within_sd == 0.3);
    volume_free(&image);
    volume_free(&level);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_drawn_finely), cmocka_unit_test(finds_the_point_spread),
                                       cmocka_unit_test(keeps_the_guess)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
