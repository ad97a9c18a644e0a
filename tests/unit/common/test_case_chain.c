/* SPDX-License-Identifier: Apache-2.0 */
/* What a stage takes from the one before it: whole, of this case, and the very file. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/case/case_chain.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "tests/unit/temp.h"
#include "tests/unit/chain_record.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char TEXT[] = "name: x\n"
                           "segment: {method: labels, labels: {path: a.nii}}\n"
                           "openings:\n"
                           "  - {name: IN, role: inlet, point: [0, 0, 0], flow: 5 mL/s}\n"
                           "  - {name: OUT, role: outlet, point: [0, 0, 9], pressure: %s}\n"
                           "mesh: {spacing: %s}\n";
static char folder[600], case_path[600];

static void read_with(const char *pressure, const char *spacing, case_file *c) {
    char text[1000];
    snprintf(text, sizeof text, TEXT, pressure, spacing);
    snprintf(case_path, sizeof case_path, "%s", temp_text("case.yaml", text));
    assert_int_equal(case_read(case_path, 0, c), OK);
}

static int set_up(void **state) {
    (void)state;
    case_file c;
    assert_int_equal(file_create_folder(temp_path("mesh")), OK);
    snprintf(folder, sizeof folder, "%s", temp_path("mesh"));
    temp_text("mesh/lattice.h5", "a lattice");
    temp_text("phi", "a distance");
    read_with("0 mmHg", "1 mm", &c);
    chain_record(case_path, "mesh", folder, temp_path("phi"), (const char *const[]){"lattice.h5", NULL});
    case_free(&c);
    return 0;
}

static void refuse(int rc, const char *words) {
    assert_int_equal(rc, ERR_INPUT);
    if (!strstr(status_message(), words))
        fail_msg("'%s' lacks '%s'", status_message(), words);
    status_clear();
}

static void the_case_it_was_made_for(void **state) {
    (void)state;
    case_file c;
    cJSON *record = NULL;
    read_with("0 Pa", "0.1 cm", &c); /* the same case in other units */
    assert_int_equal(case_chain_open(&c, "mesh", folder, &record), OK);
    cJSON_Delete(record);
    case_free(&c);
    read_with("2 mmHg", "1 mm", &c); /* which mesh does not look at */
    assert_int_equal(case_chain_open(&c, "mesh", folder, &record), OK);
    cJSON_Delete(record);
    case_free(&c);
    read_with("0 mmHg", "1.1 mm", &c);
    refuse(case_chain_open(&c, "mesh", folder, &record), "for mesh have changed");
    assert_null(record);
    refuse(case_chain_open(&c, "solve", folder, &record), "solve.json' is missing");
    case_free(&c);
}

static void the_file_that_was_recorded(void **state) {
    (void)state;
    case_file c;
    cJSON *record = NULL, *json = cJSON_CreateObject();
    cJSON_AddArrayToObject(json, "inputs");
    read_with("0 mmHg", "1 mm", &c);
    assert_int_equal(case_chain_open(&c, "mesh", folder, &record), OK);
    assert_int_equal(case_chain_accept(&c, record, folder, "lattice.h5", json), OK);
    assert_int_equal(case_chain_check_order(record, json, "lattice.h5"), OK);
    refuse(case_chain_check_order(record, record, "lattice.h5"),
           "from another version of 'lattice.h5'"); /* mesh did not read it */
    temp_text("mesh/lattice.h5", "A lattice");
    refuse(case_chain_accept(&c, record, folder, "lattice.h5", json), "is not the file that mesh wrote");
    temp_text("mesh/other.h5", "a lattice");
    refuse(case_chain_accept(&c, record, folder, "other.h5", json), "is not the file that mesh wrote");
    refuse(case_chain_accept(&c, record, folder, "none.h5", json), "is missing; run mesh first");
    cJSON_Delete(json);
    cJSON_Delete(record);
    case_free(&c);
}

/* A record under another name, and one of a case that has no segment stage. */
static void the_stage_it_is_of(void **state) {
    (void)state;
    static const char other[] =
        "space: LPS\nmesh: {spacing: 1 mm, shape: {type: box, low: [0, 0, 0], high: [9, 9, 9]}, "
        "box: {low: [0, 0, 0], high: [9, 9, 9]}}\n";
    char from[600];
    case_file c;
    cJSON *record = NULL;
    read_with("0 mmHg", "1 mm", &c);
    snprintf(from, sizeof from, "%s", temp_path("mesh/mesh.json"));
    assert_int_equal(link(from, temp_path("mesh/solve.json")), 0);
    refuse(case_chain_open(&c, "solve", folder, &record), "is the record of 'mesh'; run solve again");
    case_free(&c);
    temp_text("case.yaml", other);
    assert_int_equal(case_read(case_path, 0, &c), OK);
    refuse(case_chain_open(&c, "mesh", folder, &record), "belongs to another case");
    assert_null(record);
    /* the right digests, and one stage too many */
    chain_record(case_path, "mesh", folder, NULL, (const char *const[]){NULL});
    assert_int_equal(case_chain_open(&c, "mesh", folder, &record), OK);
    assert_non_null(cJSON_AddStringToObject(cJSON_GetObjectItem(record, "case_parts"), "segment", "0123456789abcdef"));
    cJSON_DeleteItemFromObject(record, "seal");
    assert_int_equal(json_write_sealed(from, record), OK);
    cJSON_Delete(record);
    refuse(case_chain_open(&c, "mesh", folder, &record), "other stages than");
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_case_it_was_made_for),
                                       cmocka_unit_test(the_file_that_was_recorded),
                                       cmocka_unit_test(the_stage_it_is_of)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
