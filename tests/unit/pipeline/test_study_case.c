/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers out of the results of a case; after the first error the page keeps it, and the calls of a case do nothing. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/run/stages.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static results page;
static const study_context x = {.page = &page};

/* A number that is not there is an error of the page, once; the next case begins without it. */
static void check_error(const study_case *t, const char *file, const char *path, int error) {
    assert_true(isnan(study_case_number(t, file, "%s", path)));
    assert_int_equal(page.error, error);
    assert_true(isnan(study_case_number(t, "a.json", "drops/1/pa")));
    assert_int_equal(study_take_error(&x), error);
    status_clear();
}

static void test_number_of_a_result(void **state) {
    study_case t = {.x = &x};
    (void)state;
    const char *text = "{\"drops\": [{\"pa\": 1}, {\"pa\": 2.5}], \"none\": null}";
    snprintf(t.folder, sizeof t.folder, "%s", temp_path("."));
    assert_int_equal(file_create_folder(temp_path("out")), OK);
    assert_int_equal(file_write(temp_path("out/a.json"), text, strlen(text)), OK);
    assert_true(study_case_number(&t, "a.json", "drops/%d/pa", 1) == 2.5);
    check_error(&t, "a.json", "drops/2/pa", ERR_NUMERIC);
    check_error(&t, "a.json", "none", ERR_NUMERIC);
    check_error(&t, "b.json", "none", ERR_INPUT);
    assert_true(study_case_number(&t, "a.json", "drops/0/pa") == 1);
}

/* Without a case file nothing runs, and the values at points are NaN. */
static void test_calls_after_an_error(void **state) {
    double point[2][3] = {{0}}, velocity[2][3], pressure[2];
    study_context here = {.page = &page, .work = temp_path("work")};
    study_case t;
    (void)state;
    study_case_open(&t, &here, temp_path("nowhere"), "case-%d", 7);
    assert_int_equal(page.error, ERR_INPUT);
    study_case_set(&t, "mesh.spacing", "1 mm");
    assert_int_equal(t.set.n, 0);
    study_case_run(&t, STAGE_POST);
    study_case_probe(&t, 2, point, velocity, pressure);
    assert_true(isnan(velocity[1][2]) && isnan(pressure[0]));
    assert_int_equal(study_take_error(&here), ERR_INPUT);
    study_case_close(&t);
    status_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_number_of_a_result),
                                       cmocka_unit_test(test_calls_after_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
