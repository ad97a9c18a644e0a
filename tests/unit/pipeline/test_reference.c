/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of a reference: what is read and what is refused; numbers out of a result. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce/reference.h"
#include "pipeline/reproduce/study_case.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int read_text(const char *text, reference *r) {
    const char *path = temp_text("reference.csv", text);
    char *folder = file_folder(path);
    int rc = reference_read(folder, "reference.csv", r);
    free(folder);
    return rc;
}

static void test_columns(void **state) {
    static reference r;
    (void)state;
    assert_int_equal(read_text("# source\na,b\n1,2.5\n# between\n-3e-2,\n", &r), OK);
    assert_int_equal(r.n_column, 2);
    assert_int_equal(r.n_row, 2);
    assert_true(r.value[0][0] == 1 && r.value[1][0] == 2.5 && r.value[0][1] == -3e-2 && isnan(r.value[1][1]));
}

static void test_refused(void **state) {
    static const char *const bad[] = {"",         "a,b\n",        "a,b\n1\n",
                                      "a\n1,2\n", "a,b\n1,two\n", "a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n"};
    static reference r;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        status_clear();
        assert_int_equal(read_text(bad[k], &r), ERR_INPUT);
    }
}

static void test_number_of_a_result(void **state) {
    study_case t = {0};
    double value = 0;
    (void)state;
    char *folder = file_folder(temp_path("x")), *out = file_join(folder, "out");
    const char *text = "{\"drops\": [{\"pa\": 1}, {\"pa\": 2.5}], \"none\": null}";
    snprintf(t.folder, sizeof t.folder, "%s", folder);
    assert_int_equal(file_create_folder(out), OK);
    char *path = file_join(out, "a.json");
    assert_int_equal(file_write(path, text, strlen(text)), OK);
    assert_int_equal(study_case_number(&t, "a.json", "drops/1/pa", &value), OK);
    assert_true(value == 2.5);
    assert_int_equal(study_case_number(&t, "a.json", "drops/2/pa", &value), ERR_NUMERIC);
    status_clear();
    assert_int_equal(study_case_number(&t, "a.json", "none", &value), ERR_NUMERIC);
    status_clear();
    assert_int_equal(study_case_number(&t, "b.json", "none", &value), ERR_INPUT);
    free(path);
    free(out);
    free(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_number_of_a_result)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
