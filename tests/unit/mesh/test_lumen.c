/* SPDX-License-Identifier: Apache-2.0 */
/* Straight extensions: a curved vessel goes on straight, what was there before is gone. */
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "mesh/lumen/lumen.h"

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

/* Subcells that are counted by the plane of the gradient are those counted one by one: a lump in voxels that lie at an
 * angle, rough in places, with the wall moved, on fine and coarse lattices. */
static void subcells_are_counted_at_once(void **state) {
    (void)state;
    const double turned[9] = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1}, origin[3] = {-2.2, -14.3, -10.1};
    const double spacing[3] = {0.45, 0.3, 0.4}, low[3] = {-7, -7, -7}, high[3] = {7, 7, 7};
    lumen l = {.is_shape = false};
    volume phi;
    assert_int_equal(volume_create(&phi, (const int[3]){46, 62, 50}, spacing, origin, turned), OK);
    for (size_t i = 0; i < volume_size(&phi); i++) {
        const double at[3] = {(double)(i % 46), (double)(i / 46 % 62), (double)(i / 2852)};
        double p[3];
        volume_to_lps(&phi, at, p);
        const double rough = p[2] > 2 ? 0.03 * sin(1.9 * at[0] + 1.3 * at[1] * at[2]) : 0;
        phi.value[i] = (float)(sqrt(p[0] * p[0] + p[1] * p[1] + 1.2 * p[2] * p[2]) - 4 + 0.3 * sin(2 * p[1]) + rough);
    }
    assert_int_equal(phi_field_create(&l.phi, &phi), OK);
    for (int k = 0; k < 4; k++) {
        l.shift_mm = k % 2 ? -0.13 : 0;
        voxelize_input in = {.distance = lumen_distance, .data = &l, .steepness = lumen_steepness(&l)};
        lattice one_by_one, at_once;
        int by_plane = 0;
        in.spacing_mm = k < 2 ? 0.17 : 0.6;
        assert_int_equal(voxelize_box(&in, low, high), OK);
        assert_int_equal(voxelize(&in, &one_by_one, NULL), OK);
        in.solid = lumen_solid;
        assert_int_equal(voxelize(&in, &at_once, NULL), OK);
        assert_int_equal(at_once.n_cell, one_by_one.n_cell);
        assert_memory_equal(at_once.solid, one_by_one.solid, (size_t)at_once.n_cell * sizeof *at_once.solid);
        for (int64_t i = 0; i < at_once.n_cell; i++) {
            double p[3];
            lattice_centre_mm(&at_once, i, p);
            const int n = lumen_solid(&l, p, in.spacing_mm / 2, 4, lumen_distance(&l, p));
            by_plane += n > 0 && n < 64;
        }
        printf("%.2g mm: %d of %lld cells looked at by the plane\n", in.spacing_mm, by_plane,
               (long long)at_once.n_cell);
        assert_true(by_plane > 100);
        lattice_free(&one_by_one);
        lattice_free(&at_once);
    }
    volume_free(&phi);
    lumen_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bend_goes_on_straight),
                                       cmocka_unit_test(subcells_are_counted_at_once),
                                       cmocka_unit_test(extension_into_another_branch_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
