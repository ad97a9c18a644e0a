/* SPDX-License-Identifier: Apache-2.0 */
/* common/CASE.md and common/CASE_FLOW.md explain every key of case.yaml and name every choice. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/case/case_reader.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void explained(const char *page, const case_key *table) {
    for (const case_key *key = table; key->name; key++) {
        char quoted[80];
        snprintf(quoted, sizeof quoted, "`%s`", key->name);
        if (!strstr(page, quoted) && strcmp(key->name, "type") != 0)
            fail_msg("common/CASE.md and CASE_FLOW.md do not explain the key %s", quoted);
        if (key->block)
            explained(page, key->block);
        for (const char *choice = key->choices; choice && *choice;) {
            size_t n = strcspn(choice, "|");
            snprintf(quoted, sizeof quoted, "%.*s", (int)n, choice);
            if (!strstr(page, quoted))
                fail_msg("common/CASE.md and CASE_FLOW.md do not name the choice %s of %s", quoted, key->name);
            choice += n + (choice[n] == '|');
        }
        const char *const limits[] = {key->low, key->high};
        double value;
        char reason[UNITS_REASON_MAX];
        for (int k = 0; k < 2; k++) /* a limit of a table is itself a value */
            if (limits[k] &&
                units_check(limits[k], key->kind == KEY_INTEGER ? UNIT_NONE : key->unit, &value, reason) != OK)
                fail_msg("the limit of %s: %s", key->name, reason);
    }
}

static void test_readme(void **state) {
    (void)state;
    char *part[2], page[1 << 16];
    assert_int_equal(file_read(PORTAFLOW_SOURCE_DIR "/common/CASE.md", 1 << 15, &part[0], NULL), OK);
    assert_int_equal(file_read(PORTAFLOW_SOURCE_DIR "/common/CASE_FLOW.md", 1 << 15, &part[1], NULL), OK);
    assert_in_range(snprintf(page, sizeof page, "%s\n%s", part[0], part[1]), 1, sizeof page - 1);
    explained(page, case_keys);
    explained(page, case_opening_keys);
    explained(page, case_section_keys);
    explained(page, case_wall_keys);
    explained(page, case_porous_keys);
    for (int kind = 0; case_shape_keys(kind); kind++)
        explained(page, case_shape_keys(kind));
    free(part[0]);
    free(part[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_readme)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
