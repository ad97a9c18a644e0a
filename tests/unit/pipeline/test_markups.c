/* SPDX-License-Identifier: Apache-2.0 */
/* Points of 3D Slicer: both of its files, in both frames, give the same places; what does not say where is refused. */
#include "common/base/status.h"
#include "pipeline/inspect/markups.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "tests/unit/temp.h"

#define COLUMNS "# columns = id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID\n"

static const char json[] =
    "{\"@schema\": \"markups\", \"markups\": [{\"type\": \"Fiducial\", \"coordinateSystem\": \"%s\", "
    "\"coordinateUnits\": \"%s\", \"controlPoints\": ["
    "{\"id\": \"1\", \"label\": \"SMV\", \"position\": [%s], \"positionStatus\": \"defined\"},"
    "{\"id\": \"2\", \"label\": \"later\", \"position\": [0, 0, 0], \"positionStatus\": \"undefined\"}]}]}";

static int add(const char *name, const char *text, markups *to) {
    const int rc = markups_add(temp_write(name, text, strlen(text)), to);
    status_clear();
    return rc;
}

static void both_files_in_both_frames(void **state) {
    (void)state;
    char text[2][1000];
    markups m = {0};
    snprintf(text[0], sizeof text[0], json, "LPS", "mm", "-12.5, 30, 4");
    snprintf(text[1], sizeof text[1], json, "RAS", "mm", "12.5, -30, 4");
    assert_int_equal(add("a.mrk.json", text[0], &m), OK);
    assert_int_equal(add("b.mrk.json", text[1], &m), OK);
    assert_int_equal(add("a.fcsv",
                         "# Markups fiducial file version = 5.6\n# CoordinateSystem = LPS\n" COLUMNS
                         "1,-12.5,30,4,0,0,0,1,1,1,0,SMV,,vtkMRMLScalarVolumeNode1\n",
                         &m),
                     OK);
    assert_int_equal(add("b.fcsv",
                         "# Markups fiducial file version = 4.6\n# CoordinateSystem = 0\n" COLUMNS
                         "vtkMRMLMarkupsFiducialNode_0,12.5,-30,4,0,0,0,1,1,1,0,SMV,,\n",
                         &m),
                     OK);
    assert_int_equal(m.n, 4);
    for (int k = 0; k < m.n; k++) {
        assert_string_equal(m.point[k].name, "SMV");
        assert_float_equal(m.point[k].ras_mm[0], 12.5, 1e-9);
        assert_float_equal(m.point[k].ras_mm[1], -30, 1e-9);
        assert_float_equal(m.point[k].ras_mm[2], 4, 1e-9);
    }
}

static void names_are_a_cases(void **state) {
    (void)state;
    markups m = {0};
    assert_int_equal(add("n.fcsv",
                         "# CoordinateSystem = LPS\n" COLUMNS "1,0,0,0,0,0,0,1,1,1,0,\"V. lienalis, left\",,\n"
                         "2,0,0,0,0,0,0,1,1,1,0,,,\n3,0,0,0,0,0,0,1,1,1,0,Seed 2,,\n",
                         &m),
                     OK);
    assert_int_equal(m.n, 3);
    assert_string_equal(m.point[0].name, "V._lienalis__left");
    assert_string_equal(m.point[1].name, "p");
    assert_true(markups_is_seed(m.point[2].name));
}

static void what_does_not_say_where_is_refused(void **state) {
    (void)state;
    char text[1000];
    markups m = {0};
    static const char *const row[][3] = {{"IJK", "mm", "1, 2, 3"},
                                         {"LPS", "cm", "1, 2, 3"},
                                         {"LPS", "mm", "1, 2"},
                                         {"LPS", "mm", "1, null, 3"},
                                         {"LPS", "mm", "1, 2, 1e300"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        snprintf(text, sizeof text, json, row[k][0], row[k][1], row[k][2]);
        assert_int_equal(add("a.mrk.json", text, &m), ERR_INPUT);
    }
    snprintf(text, sizeof text, json, "LPS", "mm", "1, 2, 3");
    memcpy(strstr(text, "Fiducial"), "Curve\"   ", 9); /* the line between two points that the user did not place */
    assert_int_equal(add("a.mrk.json", text, &m), ERR_INPUT);
    static const char *const list[] = {COLUMNS "1,0,0,0,0,0,0,1,1,1,0,A,,\n",
                                       "# CoordinateSystem = 2\n" COLUMNS "1,0,0,0,0,0,0,1,1,1,0,A,,\n",
                                       "# CoordinateSystem = LPS\n1,0,0,0,0,0,0,1,1,1,0,A,,\n",
                                       "# CoordinateSystem = LPS\n" COLUMNS "1,0,0,0,0,0,0,1,1,1\n",
                                       "# CoordinateSystem = LPS\n" COLUMNS "1,0,x,0,0,0,0,1,1,1,0,A,,\n"};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        assert_int_equal(add("a.fcsv", list[k], &m), ERR_INPUT);
    assert_int_equal(m.n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_files_in_both_frames), cmocka_unit_test(names_are_a_cases),
                                       cmocka_unit_test(what_does_not_say_where_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
