/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a drawn patient by their names. Without phantom beside this program an existing patient is used, and a
 * missing one is an error. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "common/base/file.h"
#include "pipeline/reproduce/draw.h"
#include "tests/unit/temp.h"

static results page;
static const study_context x = {.page = &page, .work = temp_root};

static void values_of_a_patient(void **state) {
    static const char *const name[] = {"drawn_volume", "narrowest_radius", "colour"};
    double value[3];
    (void)state;
    assert_int_equal(file_create_folder(temp_path("patient-07/truth")), OK);
    temp_text("patient-07/case.yaml", "name: drawn\n");
    temp_text("patient-07/truth/truth.csv", "name,value,unit\nnarrowest_radius,0.5,mm\ndrawn_volume,8000,mm3\n");
    const char *folder = draw_random(&x, 7);
    assert_string_equal(folder, temp_path("patient-07"));
    draw_read_truth(&x, folder, 3, name, value);
    assert_int_equal(page.error, OK);
    assert_true(value[0] == 8000 && value[1] == 0.5 && isnan(value[2]));
}

static void no_patient(void **state) {
    double value;
    (void)state;
    draw_read_truth(&x, draw_random(&x, 8), 1, &(const char *const){"drawn_volume"}, &value);
    assert_int_equal(page.error, ERR_RESOURCE);
    assert_true(isnan(value));
    results_free(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_of_a_patient), cmocka_unit_test(no_patient)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
