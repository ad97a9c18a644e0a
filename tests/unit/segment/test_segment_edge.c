/* Where the edge is set on a cylinder that the scanner has blurred more along one axis than across (thick slices). */
#include "common/base/status.h"
#include "segment/front/edge.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { LONG = 12, WIDE = 40 };
static const double radius = 7.3, middle[2] = {19.4, 19.7};

/* 100 inside a cylinder along x, 0 outside, smoothed by sigma (cells); level: its distance moved by `off`. */
static void draw(const double sigma[3], double off, volume *image, volume *level) {
    const int dims[3] = {LONG, WIDE, WIDE};
    assert_int_equal(volume_create(image, dims, (const double[3]){1, 1, 1}, (const double[3]){0, 0, 0}, NULL), OK);
    assert_int_equal(volume_create_like(level, image), OK);
    for (int k = 0; k < WIDE; k++)
        for (int j = 0; j < WIDE; j++)
            for (int i = 0; i < LONG; i++) {
                const size_t at = volume_index(image, i, j, k);
                int in = 0;
                for (int n = 0; n < 64; n++)
                    in += hypot(j + (n % 8 - 3.5) / 8 - middle[0], k + (n / 8 - 3.5) / 8 - middle[1]) < radius;
                image->value[at] = (float)(100.0 * in / 64);
                level->value[at] = (float)(hypot(j - middle[0], k - middle[1]) - radius + off);
            }
    assert_int_equal(grid_smooth(image, sigma), OK);
}

/* The zero of the level set along a row of cells upwards from the middle, as a distance from it. */
static double wall_along(const volume *level, int axis) {
    const double *m = middle;
    for (int n = 2; n < 16; n++) {
        double at[2][3] = {{LONG / 2.0, m[0], m[1]}, {LONG / 2.0, m[0], m[1]}}, f[2];
        for (int e = 0; e < 2; e++) {
            at[e][axis] += n + e;
            f[e] = volume_sample(level, at[e]);
        }
        if (f[0] < 0 && f[1] >= 0)
            return n + f[0] / (f[0] - f[1]);
    }
    return NAN;
}

static void settles_on_the_wall(void **state) {
    (void)state;
    static const double blur[3][3] = {{0.7, 0.7, 0.7}, {0.7, 0.7, 2.2}, {0.7, 2.2, 0.7}}, derive[2] = {1, 1};
    for (int b = 0; b < 3; b++) {
        volume image, level;
        double variance[3];
        draw(blur[b], 0.4, &image, &level);
        for (int a = 0; a < 3; a++)
            variance[a] = blur[b][a] * blur[b][a] + 1.0 / 12;
        for (int round = 0; round < 2; round++)
            assert_int_equal(edge_settle(&image, derive, variance, 10, &level), OK);
        const double y = wall_along(&level, 1) - radius, z = wall_along(&level, 2) - radius;
        print_message("blur %.1f, %.1f cells: the wall is %+.3f, %+.3f cells off\n", blur[b][1], blur[b][2], y, z);
        assert_true(fabs(y) < 0.05 && fabs(z) < 0.05);
        volume_free(&image);
        volume_free(&level);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(settles_on_the_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
