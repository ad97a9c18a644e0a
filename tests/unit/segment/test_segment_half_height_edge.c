/* SPDX-License-Identifier: Apache-2.0 */
/* Where the wall is set on a cylinder that a layer of another tissue covers, with fat beyond it, as CT shows veins. */
#include "segment/voxel/blur.h"
#include "segment/wall/gradient_edge.h"
#include "segment/wall/half_height_edge.h"
#include "tests/unit/segment/cylinder.h"

enum { VEIN = 186, LAYER = 78, FAT = -95 };
static const cylinder vein = {
    .length = 10, .width = 48, .radius = 8.3, .middle = {23.4, 23.7}, .vessel = VEIN, .layer = LAYER, .beyond = FAT};
static const double blur = 0.6;

static void draw(double thick, double off, volume *image, volume *level) {
    cylinder_draw(&vein, thick, (const double[3]){blur, blur, blur}, off, image, level);
}

/* How far outside the true wall the zero of the level set lies, mean over eight directions. */
static double wall_off(const volume *level) {
    double sum = 0;
    for (int n = 0; n < 8; n++) {
        const double u = cos(n * acos(-1) / 4 + 0.2), w = sin(n * acos(-1) / 4 + 0.2);
        for (double r = 4; r < 14; r += 0.02)
            if (volume_sample(
                    level, (const double[3]){vein.length / 2.0, vein.middle[0] + r * u, vein.middle[1] + r * w}) >= 0) {
                sum += (r - vein.radius) / 8;
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
        volume image, level, seen;
        draw(thick[t], 0.4, &image, &level);
        assert_int_equal(gradient_edge_move(&image, wide, along, 50, 2, &level), OK);
        const double steepest = wall_off(&level);
        assert_int_equal(half_height_edge_move(&image, VEIN, LAYER, along, &level, &seen), OK);
        assert_int_equal(blur_undo_shift(&level, along), OK);
        const double half = wall_off(&level);
        print_message("layer of %4.1f cells: steepest %+.3f, half height %+.3f cells off\n", thick[t], steepest, half);
        assert_true(fabs(half) < (t == 1 ? 0.25 : 0.12));
        volume_free(&image);
        volume_free(&level);
        volume_free(&seen);
    }
}

/* Thick slices: blur along the wall moves it by its own variance, blur across it not at all. */
static void thick_slices(void **state) {
    (void)state;
    static const double wide[2] = {1, 1}, sigma[3] = {0.1, 0.1, 1.5};
    const double variance[3] = {blur * blur + 1.0 / 12, blur * blur + 1.0 / 12, blur * blur + 1.5 * 1.5 + 1.0 / 12};
    volume image, level, seen;
    draw(20, 0.4, &image, &level);
    assert_int_equal(grid_smooth(&image, sigma), OK);
    assert_int_equal(gradient_edge_move(&image, wide, variance, 50, 2, &level), OK);
    assert_int_equal(half_height_edge_move(&image, VEIN, LAYER, variance, &level, &seen), OK);
    assert_int_equal(blur_undo_shift(&level, variance), OK);
    double off[2] = {NAN, NAN};
    for (int a = 1; a < 3; a++)
        for (double r = 4; r < 14; r += 0.02) {
            double at[3] = {vein.length / 2.0, vein.middle[0], vein.middle[1]};
            at[a] += r;
            off[a - 1] = r - vein.radius;
            if (volume_sample(&level, at) >= 0)
                break;
        }
    print_message("slices 1.5 cells blurred: %+.3f in the slice, %+.3f across\n", off[0], off[1]);
    assert_true(fabs(off[0]) < 0.12 && fabs(off[1]) < 0.2);
    volume_free(&image);
    volume_free(&level);
    volume_free(&seen);
}

/* A neighbour as bright as the vessel: there is no half height, the level stays. */
static void no_wall(void **state) {
    (void)state;
    volume image, level, seen;
    draw(0, 0.4, &image, &level);
    for (size_t i = 0; i < volume_size(&image); i++)
        image.value[i] = (float)VEIN;
    assert_int_equal(half_height_edge_move(&image, VEIN, LAYER, (const double[3]){0.4, 0.4, 0.4}, &level, &seen), OK);
    assert_true(fabs(wall_off(&level) + 0.4) < 0.03);
    volume_free(&image);
    volume_free(&level);
    volume_free(&seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(layers), cmocka_unit_test(thick_slices),
                                       cmocka_unit_test(no_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
