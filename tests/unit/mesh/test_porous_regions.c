/* SPDX-License-Identifier: Apache-2.0 */
/* Porous regions of a case: volumes of their cells in a pipe, and the refused ones. */
#include "common/base/status.h"
#include "common/image_file/itk_image.h"
#include "mesh/cells/voxelize.h"
#include "mesh/openings/porous_regions.h"
#include "tests/unit/near.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define CASE(space, regions)                                                                                           \
    "space: " space "\nsegment: {method: labels, labels: {path: s.nii, values: [1, 5]}}\nporous: [" regions "]\n"      \
    "openings:\n- {name: A, role: inlet, point: [0, 0, -9], normal: [0, 0, -1], flow: 1 mL/s}\n"                       \
    "- {name: B, role: outlet, point: [0, 0, 9], normal: [0, 0, 1], pressure: 0 mmHg}\n"

static double distance(const void *data, const double p[3]) {
    (void)data;
    return hypot(p[0], p[1]) - 4;
}

/* A pipe of radius 4 mm along z, from -10 to 10 mm, in cells of 0.5 mm. */
static lattice pipe_lattice(void) {
    voxelize_input in = {.distance = distance, .spacing_mm = 0.5};
    lattice l;
    assert_int_equal(voxelize_box(&in, (double[3]){-5, -5, -10}, (double[3]){5, 5, 10}), OK);
    in.periodic[2] = true;
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    return l;
}

/* Label 5 where x > 0 and z > 0, in LPS, otherwise 1. Voxels farther than radius_mm from the axis have another label:
 * 9 where y > 0, otherwise 0. */
static void write_labels(double radius_mm) {
    volume v;
    assert_int_equal(volume_create(&v, (int[3]){20, 20, 20}, (double[3]){1, 1, 1}, (double[3]){-9.5, -9.5, -9.5}, NULL),
                     OK);
    for (int i = 0; i < 8000; i++)
        if (hypot(i % 20 - 9.5, i / 20 % 20 - 9.5) > radius_mm)
            v.value[i] = i / 20 % 20 > 9 ? 9 : 0;
        else
            v.value[i] = i % 20 > 9 && i / 400 > 9 ? 5 : 1;
    assert_int_equal(image_write(temp_path("s.nii"), &v, IMAGE_FLOAT32), OK);
    volume_free(&v);
}

static double exact_ml; /* porous_regions_exact_ml of the last call of volume_of */

/* Volume of region `k` of a case, mL; NaN: refused. */
static double volume_of(const char *text, int k) {
    case_file c;
    volume labels = {0}, image = {0};
    lattice l = pipe_lattice();
    cJSON *json = cJSON_CreateObject();
    cJSON_AddArrayToObject(json, "inputs");
    status_clear();
    if (case_read(temp_text("case.yaml", text), 0, &c) != OK || porous_regions_read(&c, json, &labels) != OK)
        fail_msg("%s", status_message());
    const double ml = porous_regions_set(&c, &image, &labels, &l) == OK ? porous_regions_ml(&l, k) : NAN;
    exact_ml = isnan(ml) ? NAN : porous_regions_exact_ml(&c, &image, &labels, &l, k);
    volume_free(&labels);
    lattice_free(&l);
    cJSON_Delete(json);
    case_free(&c);
    return ml;
}

static void test_volumes(void **state) {
    (void)state;
    const double area = M_PI * 16;
    write_labels(99);
    assert_near(
        volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, sphere: {centre: [0, 0, 2], radius: 3 mm}}"), 0),
        4e-3 / 3 * M_PI * 27, 0.006);
    assert_near(
        volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, cylinder: {from: [0, 0, -3], to: [0, 0, 2], radius: "
                              "9 mm}}"),
                  0),
        5e-3 * area, 0.002);
    assert_near(
        volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, ellipsoid: {centre: [0, 0, 1], half_axes: [3 mm, "
                              "2 mm, 6 mm]}}"),
                  0),
        4e-3 / 3 * M_PI * 36, 0.008);
    /* in RAS x and y have the other sign */
    assert_near(volume_of(CASE("RAS", "{name: a, permeability: 1e-9 m2, box: {low: [0, -9, -1], high: [9, 9, 1]}}"), 0),
                2e-3 * 0.5 * area, 0.002);
    assert_near(volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, label: 5}"), 0), 10e-3 * 0.5 * area, 0.004);
    const double all_ml = exact_ml;
    /* the smooth wall of the lumen encloses parts of voxels without its labels */
    write_labels(4);
    assert_near(volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, label: 5}"), 0), 10e-3 * 0.5 * area, 0.004);
    assert_near(exact_ml, all_ml, 1e-9);
    /* where two regions overlap, the first one holds */
    assert_near(volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, box: {low: [-9, -9, -1], high: [9, 9, 1]}}, "
                                      "{name: b, permeability: 1e-8 m2, box: {low: [-9, -9, 0], high: [9, 9, 4]}}"),
                          1),
                3e-3 * area, 0.002);
}

/* Regions whose ends are not at cell faces: the exact volume is that of the formula, that of the cells differs. */
static void test_exact(void **state) {
    (void)state;
    const double area = M_PI * 16;
    double ml =
        volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, box: {low: [-9, -9, -1], high: [9, 9, 0.2]}}"), 0);
    assert_near(exact_ml, 1.2e-3 * area, 0.006e-3 * area);
    assert_true(fabs(ml / exact_ml - 1) > 0.1);
    volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, sphere: {centre: [0, 0, 2], radius: 3 mm}}"), 0);
    assert_near(exact_ml, 4e-3 / 3 * M_PI * 27, 0.003e-3 * 4 / 3 * M_PI * 27);
    volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, ellipsoid: {centre: [0, 0, 1], half_axes: [3 mm, 2 mm, 6 "
                          "mm]}}"),
              0);
    assert_near(exact_ml, 4e-3 / 3 * M_PI * 36, 0.003e-3 * 4 / 3 * M_PI * 36);
    volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, box: {low: [-9, -9, -1], high: [9, 9, 1]}}, "
                          "{name: b, permeability: 1e-8 m2, cylinder: {from: [0, 0, 0], to: [0, 0, 4], radius: 9 mm}}"),
              1);
    assert_near(exact_ml, 3e-3 * area, 0.01e-3 * area);
}

static void test_refused(void **state) {
    (void)state;
    assert_true(isnan(
        volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, sphere: {centre: [60, 0, 2], radius: 3 mm}}"), 0)));
    assert_non_null(strstr(status_message(), "porous region 'a' contains no cell of the lumen"));
    assert_true(isnan(volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, label: 7}"), 0)));
    assert_non_null(strstr(status_message(), "correct its label, which segment.labels.values must contain"));
    /* a region that an earlier one covers */
    assert_true(
        isnan(volume_of(CASE("LPS", "{name: a, permeability: 1e-9 m2, box: {low: [-9, -9, -3], high: [9, 9, 3]}}, "
                                    "{name: b, permeability: 1e-8 m2, sphere: {centre: [0, 0, 0], radius: 2 mm}}"),
                        1)));
    assert_non_null(
        strstr(status_message(), "porous region 'b' has no cell of its own: region 'a', which stands before"));
    assert_false(
        isnan(volume_of(CASE("LPS", "{name: b, permeability: 1e-8 m2, sphere: {centre: [0, 0, 0], radius: 2 mm}}, "
                                    "{name: a, permeability: 1e-9 m2, box: {low: [-9, -9, -3], high: [9, 9, 3]}}"),
                        1)));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_volumes), cmocka_unit_test(test_exact),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
