/* Where the wall is set on a cylinder that a layer of another tissue covers, with fat beyond it, as CT shows veins. */
#include "common/base/status.h"
#include "segment/voxel/blur.h"
#include "segment/front/edge.h"
#include "segment/voxel/grid.h"
#include "segment/front/profile.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { LONG = 10, WIDE = 48 };
static const double radius = 8.3, middle[2] = {23.4, 23.7}, vein = 186, layer = 78, fat = -95, blur = 0.6;

/* A cylinder along x, a layer `thick` cells round it, fat; level: the true wall moved by `off`. */
static void draw(double thick, double off, volume *image, volume *level) {
    const int dims[3] = {LONG, WIDE, WIDE};
    assert_int_equal(volume_create(image, dims, (const double[3]){1, 1, 1}, (const double[3]){0, 0, 0}, NULL), OK);
    assert_int_equal(volume_create_like(level, image), OK);
    for (int k = 0; k < WIDE; k++)
        for (int j = 0; j < WIDE; j++)
            for (int i = 0; i < LONG; i++) {
                const size_t at = volume_index(image, i, j, k);
                double sum = 0;
                for (int n = 0; n < 64; n++) {
                    const double r = hypot(j + (n % 8 - 3.5) / 8 - middle[0], k + (n / 8 - 3.5) / 8 - middle[1]);
                    sum += r < radius ? vein : r < radius + thick ? layer : fat;
                }
                image->value[at] = (float)(sum / 64);
                level->value[at] = (float)(hypot(j - middle[0], k - middle[1]) - radius + off);
            }
    assert_int_equal(grid_smooth(image, (const double[3]){blur, blur, blur}), OK);
}

/* How far outside the true wall the zero of the level set lies, mean over eight directions. */
static double wall_off(const volume *level) {
    double sum = 0;
    for (int n = 0; n < 8; n++) {
        const double u = cos(n * acos(-1) / 4 + 0.2), w = sin(n * acos(-1) / 4 + 0.2);
        for (double r = 4; r < 14; r += 0.02)
            if (volume_sample(level, (const double[3]){LONG / 2.0, middle[0] + r * u, middle[1] + r * w}) >= 0) {
                sum += (r - radius) / 8;
                break;
            }
    }
    return sum;
}

/* The steepest place is drawn to the fat, the half height is not. */
static void layers(void **state) {
    (void)state;
    static const double thick[4] = {0, 2.5, 4, 20}, wide[2] = {1, 2};
    const double variance = blur * blur + 1.0 / 12, along[3] = {variance, variance, variance};
    for (int t = 0; t < 4; t++) {
        volume image, level;
        draw(thick[t], 0.4, &image, &level);
        for (int round = 0; round < 2; round++)
            assert_int_equal(edge_settle(&image, wide, along, 50, &level), OK);
        const double steepest = wall_off(&level);
        assert_int_equal(profile_settle(&image, vein, layer, along, &level), OK);
        assert_int_equal(blur_undo_shift(&level, along), OK);
        const double half = wall_off(&level);
        print_message("layer of %4.1f cells: steepest %+.3f, half height %+.3f cells off\n", thick[t], steepest, half);
        assert_true(fabs(half) < (t == 1 ? 0.25 : 0.12));
        volume_free(&image);
        volume_free(&level);
    }
}

/* Thick slices: blur along the wall moves it by its own variance, blur across it not at all. */
static void thick_slices(void **state) {
    (void)state;
    static const double wide[2] = {1, 1}, sigma[3] = {0.1, 0.1, 1.5};
    const double variance[3] = {blur * blur + 1.0 / 12, blur * blur + 1.0 / 12, blur * blur + 1.5 * 1.5 + 1.0 / 12};
    volume image, level;
    draw(20, 0.4, &image, &level);
    assert_int_equal(grid_smooth(&image, sigma), OK);
    for (int round = 0; round < 2; round++)
        assert_int_equal(edge_settle(&image, wide, variance, 50, &level), OK);
    assert_int_equal(profile_settle(&image, vein, layer, variance, &level), OK);
    assert_int_equal(blur_undo_shift(&level, variance), OK);
    double off[2];
    for (int a = 1; a < 3; a++)
        for (double r = 4; r < 14; r += 0.02) {
            double at[3] = {LONG / 2.0, middle[0], middle[1]};
            at[a] += r;
            off[a - 1] = r - radius;
            if (volume_sample(&level, at) >= 0)
                break;
        }
    print_message("slices 1.5 cells blurred: %+.3f in the slice, %+.3f across\n", off[0], off[1]);
    assert_true(fabs(off[0]) < 0.12 && fabs(off[1]) < 0.2);
    volume_free(&image);
    volume_free(&level);
}

/* A neighbour as bright as the vessel: there is no half height, the level stays. */
static void no_wall(void **state) {
    (void)state;
    volume image, level;
    draw(0, 0.4, &image, &level);
    for (size_t i = 0; i < volume_size(&image); i++)
        image.value[i] = (float)vein;
    assert_int_equal(profile_settle(&image, vein, layer, (const double[3]){0.4, 0.4, 0.4}, &level), OK);
    assert_true(fabs(wall_off(&level) + 0.4) < 0.03);
    volume_free(&image);
    volume_free(&level);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(layers), cmocka_unit_test(thick_slices),
                                       cmocka_unit_test(no_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
