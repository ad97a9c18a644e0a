/* SPDX-License-Identifier: Apache-2.0 */
/* Branches that the lumen does not include: each once, none beyond an opening. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/record/unfed_branches.h"

static void lists_each_branch_once(void **state) {
    (void)state;
    cJSON *segment =
        cJSON_Parse("{\"result\": {\"side_branches\": ["
                    "{\"point_mm\": [5, 0, 30], \"radius_mm\": 1, \"taken\": false},"
                    "{\"point_mm\": [5, 0, 20], \"radius_mm\": 3.35, \"taken\": false},"
                    "{\"point_mm\": [5, 1, 22], \"radius_mm\": 2, \"taken\": false},"    /* the same place */
                    "{\"point_mm\": [-5, 0, 20], \"radius_mm\": 2, \"taken\": true},"    /* included */
                    "{\"point_mm\": [5, 0, 51], \"radius_mm\": 2, \"taken\": false},"    /* beyond OUT */
                    "{\"point_mm\": [5, 0, 49], \"radius_mm\": 0.5, \"taken\": false},"  /* before OUT */
                    /* another vessel */
                    "{\"point_mm\": [50, 0, 60], \"radius_mm\": 1.5, \"taken\": false, \"touches\": true},"
                    "{\"radius_mm\": 9, \"taken\": false}]}}");
    const unfed_plane plane[2] = {{.centre_mm = {0, 0, 0}, .normal = {0, 0, -1}, .radius_mm = 4},
                                  {.centre_mm = {0, 0, 50}, .normal = {0, 0, 1}, .radius_mm = 4}};
    unfed_branch list[UNFED_BRANCHES_MAX];
    assert_int_equal(unfed_branches_list(segment, 2, plane, list), 4);
    assert_true(list[0].diameter_mm == 6.7 && list[0].point_mm[2] == 20);
    assert_true(list[1].touches && !list[0].touches);
    assert_true(list[1].diameter_mm == 3 && list[2].diameter_mm == 2 && list[3].diameter_mm == 1);
    assert_int_equal(unfed_branches_list(segment, 0, plane, list), 4); /* planes unknown: also the branch beyond OUT */
    assert_true(list[1].diameter_mm == 4);
    assert_int_equal(unfed_branches_list(NULL, 2, plane, list), 0);
    cJSON_Delete(segment);
}

/* A wide vessel that touches hides no branch that leaves beside it; a branch hides a narrower one of either kind. */
static void a_touching_vessel_hides_no_branch(void **state) {
    (void)state;
    cJSON *segment =
        cJSON_Parse("{\"result\": {\"side_branches\": ["
                    "{\"point_mm\": [5, 0, 20], \"radius_mm\": 4, \"taken\": false, \"touches\": true},"
                    "{\"point_mm\": [5, 0, 25], \"radius_mm\": 2, \"taken\": false, \"touches\": false},"
                    "{\"point_mm\": [5, 0, 26], \"radius_mm\": 1, \"taken\": false, \"touches\": true}]}}");
    unfed_branch list[UNFED_BRANCHES_MAX];
    assert_int_equal(unfed_branches_list(segment, 0, NULL, list), 2);
    assert_true(list[0].diameter_mm == 8 && list[1].diameter_mm == 4);
    cJSON_Delete(segment);
}

/* Before the first mesh the planes follow from the case and the branches: a branch beyond OUT is no finding. */
static void planes_before_the_mesh(void **state) {
    (void)state;
    cJSON *segment =
        cJSON_Parse("{\"result\": {\"vessel\": {\"branches\": ["
                    "{\"start_mm\": [0, 0, 0], \"end_mm\": [1, 0, 55], \"diameter_mean_mm\": {\"value\": 8}},"
                    "{\"start_mm\": [0, 0, 0], \"end_mm\": [40, 0, 0], \"diameter_mean_mm\": {\"value\": 4}},"
                    "{\"start_mm\": [0, 0, 51], \"end_mm\": [0, 0, 52]}]},"
                    "\"side_branches\": ["
                    "{\"point_mm\": [4, 0, 53], \"radius_mm\": 2, \"taken\": false},"
                    "{\"point_mm\": [4, 0, 40], \"radius_mm\": 1, \"taken\": false}]}}");
    const double out[3] = {0, 0, 50}, slanted[3] = {0, 0.6, 0.8};
    unfed_branch list[UNFED_BRANCHES_MAX];
    unfed_plane plane;
    assert_true(unfed_plane_estimate(segment, out, NULL, &plane));
    assert_true(plane.radius_mm == 4 && plane.centre_mm[2] == 50 && plane.normal[2] > 0);
    assert_int_equal(unfed_branches_list(segment, 1, &plane, list), 1);
    assert_true(list[0].point_mm[2] == 40);
    assert_true(unfed_plane_estimate(segment, out, slanted, &plane));
    assert_true(plane.normal[1] == 0.6 && plane.radius_mm == 4);
    assert_false(unfed_plane_estimate(NULL, out, slanted, &plane));
    cJSON_Delete(segment);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_each_branch_once),
                                       cmocka_unit_test(a_touching_vessel_hides_no_branch),
                                       cmocka_unit_test(planes_before_the_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
