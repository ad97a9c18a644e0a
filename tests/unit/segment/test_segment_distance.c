/* SPDX-License-Identifier: Apache-2.0 */
/* Signed distance rebuilt from level sets of any slope, against exact distances of a ball and a torus. */
#include "common/surface/shape.h"
#include "common/base/status.h"
#include "segment/voxel/distance.h"
#include "segment/voxel/lumen_size.h"
#include "segment/voxel/region.h"
#include "tests/unit/fill.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct {
    const shape *s;
    double stretch;
} stretched;

static double level_of(const void *data, const double p[3]) {
    const stretched *l = data;
    const double d = shape_distance_mm(l->s, p);
    return l->stretch * d * (1 + 0.02 * tanh(d));
}

static volume sample(const shape *s, int n, double spacing, double stretch) {
    volume v;
    const stretched l = {s, stretch};
    const int dims[3] = {n, n, n};
    const double step[3] = {spacing, spacing, spacing}, low = -0.5 * (n - 1) * spacing;
    const double origin[3] = {low + 0.1, low - 0.05, low};
    assert_int_equal(volume_create(&v, dims, step, origin, NULL), OK);
    fill_volume(&v, level_of, &l);
    return v;
}

/* Worst error of the rebuilt distance: inside and outside near the wall, and everywhere inside. */
static void exact_torus(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_TORUS, .b = {0, 0, 1}, .radius = {5, 14}};
    volume level = sample(&s, 60, 0.8, 7.3), phi;
    surface wall;
    double near_wall = 0, inside = 0, outside = 0;
    assert_int_equal(distance_rebuild(&level, 6, &wall, &phi), OK);
    for (int k = 0; k < phi.dims[2]; k++)
        for (int j = 0; j < phi.dims[1]; j++)
            for (int i = 0; i < phi.dims[0]; i++) {
                double p[3];
                volume_to_lps(&phi, (const double[3]){i, j, k}, p);
                double d = shape_distance_mm(&s, p), f = (double)phi.value[volume_index(&phi, i, j, k)];
                double error = fabs(d - f);
                if (fabs(d) < 1.5)
                    near_wall = fmax(near_wall, error);
                else if (d < 0)
                    inside = fmax(inside, error);
                else if (d < 6 * 0.8)
                    outside = fmax(outside, error);
                else
                    assert_true(f >= 6 * 0.8 - 0.05);
            }
    print_message("torus, voxels of 0.8 mm: error %.4f mm near the wall, %.4f inside, %.4f outside\n", near_wall,
                  inside, outside);
    assert_true(near_wall < 0.05 && inside < 0.12 && outside < 0.12); /* the wall's chords alone take 0.04 */
    measure m;
    assert_int_equal(measure_lumen(&phi, &wall, NULL, &m), OK);
    double exact_ml = 2 * acos(-1) * acos(-1) * 14 * 25 / 1000;
    print_message("volume %.4f of exact, radius %.3f %.3f %.3f mm (exact 5), %d piece\n", m.volume_ml / exact_ml,
                  m.radius_mm[0], m.radius_mm[1], m.radius_mm[2], m.components);
    assert_true(fabs(m.volume_ml / exact_ml - 1) < 0.01);
    assert_int_equal(m.components, 1);
    assert_true(m.radius_mm[0] > 4.8 && fabs(m.radius_mm[1] - 5) < 0.1 && fabs(m.radius_mm[2] - 5) < 0.2);
    assert_int_equal(m.sheets + m.cavities, 0);
    surface more; /* and a triangle in it, both ways round */
    const int32_t at = (int32_t)wall.n_point, sheet[6] = {at, at + 1, at + 2, at, at + 2, at + 1};
    const double corner[9] = {7, 7, 7, 11, 7, 7, 7, 11, 7};
    assert_int_equal(surface_create(&more, wall.n_point + 3, wall.n_triangle + 2), OK);
    memcpy(more.point_mm, wall.point_mm, 3 * sizeof(double) * (size_t)wall.n_point);
    memcpy(more.point_mm + 3 * wall.n_point, corner, sizeof corner);
    memcpy(more.triangle, wall.triangle, 3 * sizeof(int32_t) * (size_t)wall.n_triangle);
    memcpy(more.triangle + 3 * wall.n_triangle, sheet, sizeof sheet);
    assert_int_equal(measure_lumen(&phi, &more, NULL, &m), OK);
    assert_true(m.sheets == 1 && m.cavities == 0 && fabs(m.sheet_mm2 - 8) < 1e-9);
    surface_free(&more);
    volume_free(&level);
    volume_free(&phi);
    surface_free(&wall);
}

/* A tube that leaves the image is closed on the image's outer faces, and those sides are named. */
static void leaving_tube(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {4}};
    volume level = sample(&s, 48, 0.5, 1), phi;
    surface wall;
    measure m;
    assert_int_equal(distance_rebuild(&level, 5, &wall, &phi), OK);
    assert_int_equal(surface_open_edges(&wall), 0);
    assert_int_equal(phi.dims[2], 48 + 2 * 6);
    assert_int_equal(measure_lumen(&phi, &wall, &level, &m), OK);
    double exact_ml = acos(-1) * 16 * 24 / 1000;
    print_message("tube: volume %.4f of exact, radius %.2f %.2f %.2f, sides %x\n", m.volume_ml / exact_ml,
                  m.radius_mm[0], m.radius_mm[1], m.radius_mm[2], m.touched);
    assert_true(fabs(m.volume_ml / exact_ml - 1) < 0.01);
    assert_int_equal(m.touched, 3U << 4);
    assert_string_equal(measure_side_name(&level, 4), "inferior");
    assert_string_equal(measure_side_name(&level, 1), "left");
    volume_free(&level);
    volume_free(&phi);
    surface_free(&wall);
}

/* The sharp edge where it leaves the image says nothing of its width. */
static void leaving_askew(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_CYLINDER, .a = {-30, 0, -40}, .b = {30, 0, 40}, .radius = {4}};
    volume level = sample(&s, 48, 0.5, 1), phi = {0};
    surface wall = {0};
    measure m;
    assert_int_equal(distance_rebuild(&level, 5, &wall, &phi), OK);
    assert_int_equal(measure_lumen(&phi, &wall, &level, &m), OK);
    print_message("askew tube: radius %.2f %.2f %.2f\n", m.radius_mm[0], m.radius_mm[1], m.radius_mm[2]);
    assert_true(m.radius_mm[0] > 3.7);
    volume_free(&level);
    volume_free(&phi);
    surface_free(&wall);
}

/* A tube along z with spikes two cells long at its wall, and two holes: one of one voxel, one of 3 x 3 x 3. */
static volume rough_tube(void) {
    const shape s = {.kind = SHAPE_CYLINDER, .a = {0, 0, -12}, .b = {0, 0, 12}, .radius = {4}};
    volume level = sample(&s, 64, 0.5, 1);
    for (int k = 12; k < 52; k += 3)
        for (int i = 39; i < 42; i++)
            level.value[volume_index(&level, i, 31, k)] = -0.3F;
    level.value[volume_index(&level, 32, 32, 20)] = 0.3F;
    for (int k = 0; k < 27; k++)
        level.value[volume_index(&level, 31 + k % 3, 31 + k / 3 % 3, 41 + k / 9)] = 0.3F;
    return level;
}

/* A small hole is filled in, a large one stays; the smallest width is that of the vessel, not of its rough wall. */
static void rough_wall(void **state) {
    (void)state;
    volume level = rough_tube(), phi = {0};
    surface wall = {0};
    region_holes filled;
    measure m;
    centerline lines = {0};
    assert_int_equal(region_fill_holes(&level, 8 * 0.125, &filled), OK);
    assert_true(filled.n == 1 && fabs(filled.largest_mm3 - 0.125) < 1e-9 && fabs(filled.place_mm[2] + 5.75) < 1e-9);
    assert_true(level.value[volume_index(&level, 32, 32, 20)] < 0);
    assert_true(level.value[volume_index(&level, 32, 32, 42)] > 0);
    assert_int_equal(region_fill_holes(&level, 27 * 0.125, &filled), OK);
    assert_int_equal(filled.n, 1);
    assert_int_equal(distance_rebuild(&level, 5, &wall, &phi), OK);
    assert_int_equal(measure_lumen(&phi, &wall, NULL, &m), OK);
    assert_int_equal(m.cavities, 0);
    const double rough_mm = m.radius_mm[0];
    assert_int_equal(centerline_find(&phi, 0, NULL, &lines), OK);
    assert_int_equal(measure_narrow_radius(&lines, &m), OK);
    print_message("tube with spikes: smallest radius %.2f mm in the middle, %.2f mm along the centerline (exact 4)\n",
                  rough_mm, m.radius_mm[0]);
    assert_true(fabs(m.radius_mm[0] - 4) < 0.15);
    centerline_free(&lines);
    volume_free(&level);
    volume_free(&phi);
    surface_free(&wall);
}

static void nothing_left(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_CYLINDER, .a = {100, 0, 0}, .b = {100, 0, 1}, .radius = {4}};
    volume level = sample(&s, 10, 1, 1), phi = {0};
    surface wall = {0};
    status_clear();
    assert_int_equal(distance_rebuild(&level, 5, &wall, &phi), ERR_NUMERIC);
    status_clear();
    volume_free(&level);
    volume_free(&phi);
    surface_free(&wall);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_torus), cmocka_unit_test(leaving_tube),
                                       cmocka_unit_test(leaving_askew), cmocka_unit_test(rough_wall),
                                       cmocka_unit_test(nothing_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
