/* SPDX-License-Identifier: Apache-2.0 */
/* Maps on an image's grid: written, read back by the image reader, and held against the exact flow in a turned grid. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/image_file/itk_image.h"
#include "post/stage/voxel_maps.h"
#include "tests/unit/post/post_lattice.h"
#include "tests/unit/temp.h"
#include <math.h>

static void maps_are_the_flow(void **state) {
    (void)state;
    const int dims[3] = {16, 20, 18};
    const double spacing[3] = {0.9, 1, 1.2}, c = cos(0.4), s = sin(0.4), origin[3] = {-7, -3, 2};
    const double direction[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    lattice l;
    fields f;
    sampler at;
    volume grid = {0}, map[VOXEL_MAPS] = {{{0}}}, back = {0};
    double worst = 0, worst_p = 0;
    int n = 0, outside = 0;
    post_pipe_lattice(&POST_PIPE, 14, &l);
    post_fields_make(&l, post_pipe_flow, &POST_PIPE, &f);
    assert_int_equal(sampler_create(&at, &l, &f), OK);
    assert_int_equal(volume_set_geometry(&grid, dims, spacing, origin, direction), OK);
    assert_int_equal(voxel_maps(&at, &f, &grid, map), OK);
    assert_int_equal(image_write(temp_path("speed.nii.gz"), &map[VOXEL_SPEED], IMAGE_FLOAT32), OK);
    assert_int_equal(image_read(temp_path("speed.nii.gz"), NULL, &back), OK);
    for (int k = 0; k < 16 * 20 * 18; k++) {
        const double index[3] = {k % 16, k / 16 % 20, k / 320};
        double p[3], u[3], pressure, stress[6], along = 0, square = 0, middle = 0;
        volume_to_lps(&back, index, p); /* the place by the file */
        for (int a = 0; a < 3; a++) {
            along += (p[a] - POST_PIPE.point_mm[a]) * POST_PIPE.axis[a];
            square += (p[a] - POST_PIPE.point_mm[a]) * (p[a] - POST_PIPE.point_mm[a]);
        }
        const double r = sqrt(fmax(square - along * along, 0));
        post_pipe_flow(p, &POST_PIPE, u, &pressure, stress);
        if (r > 4.1 || along < -0.6 || along > 14.6) {
            assert_true(back.value[k] == 0 && isnan(map[VOXEL_PRESSURE].value[k]));
            outside++;
        } else if (r < 3.8 && along > 0.6 && along < 13.4) {
            for (int a = 0; a < 3; a++)
                middle = fmax(middle, fabs((double)map[VOXEL_LEFT + a].value[k] - u[a]));
            worst =
                fmax(worst, fmax(middle, fabs((double)back.value[k] - sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]))));
            worst_p = fmax(worst_p, fabs((double)map[VOXEL_PRESSURE].value[k] - pressure));
            n++;
        }
    }
    assert_true(n > 100 && outside > 1000);
    assert_true(worst < 1e-3 * 0.2);
    assert_true(worst_p < 1e-3 * post_pipe_gradient_pa_m(&POST_PIPE) * 0.014);
    for (int k = 0; k < VOXEL_MAPS; k++)
        volume_free(&map[k]);
    volume_free(&back);
    sampler_free(&at);
    fields_free(&f);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(maps_are_the_flow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
