/* SPDX-License-Identifier: Apache-2.0 */
/* The records that stages leave beside their files, for tests that make those files themselves. */
#ifndef PORTAFLOW_TESTS_CHAIN_RECORD_H
#define PORTAFLOW_TESTS_CHAIN_RECORD_H
#include "common/case/case_chain.h"
#include "common/base/file.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include <stdio.h>
#include <stdlib.h>

/* folder/<stage>.json for this case: what is in the file already ("result", "warnings"), the files of `output` (up to
 * NULL; those that are not there are left out), and `input` as what the stage read (NULL: nothing). */
static inline void chain_record(const char *case_path, const char *stage, const char *folder, const char *input,
                                const char *const *output) {
    char name[32];
    case_file c = {0};
    cJSON *o = NULL;
    snprintf(name, sizeof name, "%s.json", stage);
    char *path = file_join(folder, name);
    if (case_read(case_path, CASE_LUMEN, &c) != OK) { /* what the test is about */
        status_clear();
        free(path);
        return;
    }
    if (!file_exists(path) || json_read(path, &o) != OK)
        o = cJSON_CreateObject();
    static const char *const own[] = {"seal", "case_parts", "inputs", "outputs"};
    for (int k = 0; k < 4; k++)
        cJSON_DeleteItemFromObjectCaseSensitive(o, own[k]);
    if (!cJSON_GetObjectItemCaseSensitive(o, "stage"))
        cJSON_AddStringToObject(o, "stage", stage);
    cJSON_AddArrayToObject(o, "inputs");
    cJSON_AddArrayToObject(o, "outputs");
    assert_int_equal(case_chain_add_parts(&c, stage, o), OK);
    if (input)
        assert_int_equal(provenance_add_stage_input(o, c.folder, input), OK);
    for (int k = 0; output[k]; k++) {
        char *file = file_join(folder, output[k]);
        if (file_exists(file))
            assert_int_equal(provenance_add_output(o, c.folder, file), OK);
        free(file);
    }
    assert_int_equal(json_write_sealed(path, o), OK);
    cJSON_Delete(o);
    case_free(&c);
    free(path);
}
#endif
