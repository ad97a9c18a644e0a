/* Straight extensions: a curved vessel goes on straight, what was there before is gone. */
#include "common/base/status.h"
#include "mesh/lumen.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A quarter bend of radius 14, tube radius 3, cut at angle 0 (point (14, 0, 0), normal -y) and at 90 degrees. */
static void bend_goes_on_straight(void **state) {
    (void)state;
    lumen l = {.is_shape = true, .shape = {.shape = {.kind = SHAPE_TORUS, .b = {0, 0, 1}, .radius = {3, 14}}}};
    mesh_opening o[2] = {{"in", LATTICE_INLET, {13.5, 0, 0.5}, {0, -1, 0}, NAN},
                         {"out", LATTICE_OUTLET, {0.2, 14, 0}, {-1, 0, 0}, NAN}};
    o[1].point_mm[0] = 0;
    voxelize_input in = {.distance = lumen_distance, .data = &l, .spacing_mm = 0.4, .n_opening = 2, .opening = o};
    const double low[3] = {-20, -20, -6}, high[3] = {20, 20, 6};
    lattice cells;
    voxelize_report report;
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(lumen_extend(&l, &in, &o[0], 10), OK);
    assert_int_equal(lumen_extend(&l, &in, &o[1], 6), OK);
    assert_float_equal(o[0].point_mm[1], -10, 1e-9);
    assert_int_equal(voxelize(&in, &cells, &report), OK);
    assert_int_equal(lattice_check(&cells), OK);
    const double exact = M_PI * 9 * (14 * M_PI / 2 + 10 + 6);
    printf("extended bend: volume %.2f, exact %.2f mm3\n", report.fluid_volume_mm3, exact);
    assert_float_equal(report.fluid_volume_mm3 / exact, 1, 0.015);
    for (int64_t i = 0; i < cells.n_cell; i++) {
        double p[3];
        lattice_centre_mm(&cells, i, p);
        if (p[1] < 0) {
            assert_true(hypot(p[0] - 14, p[2]) < 3.5 && p[1] > -10);
            if (hypot(p[0] - 14, p[2]) < 2.9)
                assert_true(cells.distance_mm[i] < 0);
        }
        if (p[0] < 0)
            assert_true(hypot(p[1] - 14, p[2]) < 3.5 && p[0] > -6);
    }
    for (int k = 0; k < 2; k++)
        assert_float_equal(cells.opening[k].area_mm2, 9 * M_PI, 0.1);
    lattice_free(&cells);
    lumen_free(&l);
}

static void extension_into_another_branch_is_refused(void **state) {
    (void)state;
    const shape_segment segment[3] = {
        {{0, 0, 0}, {20, 0, 0}, 3, 3}, {{20, 0, 0}, {20, 0, 20}, 3, 3}, {{20, 0, 20}, {0, 0, 20}, 3, 3}};
    lumen l = {.is_shape = true, .shape = {.shape = {.kind = SHAPE_TREE, .n_segment = 3, .segment = segment}}};
    /* a plane so oblique that the extension heads for the upper branch */
    mesh_opening o = {"up", LATTICE_INLET, {14, 0, 0}, {-1, 0, 0.9}, NAN};
    voxelize_input in = {.distance = lumen_distance, .data = &l, .spacing_mm = 0.5, .n_opening = 1, .opening = &o};
    const double low[3] = {-10, -6, -6}, high[3] = {26, 6, 26};
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(lumen_extend(&l, &in, &o, 25), ERR_INPUT);
    assert_non_null(strstr(status_message(), "'up'"));
    status_clear();
    lumen_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bend_goes_on_straight),
                                       cmocka_unit_test(extension_into_another_branch_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
