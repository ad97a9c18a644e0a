/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of verify:uncertainty: a case sets no key twice, which a stage refuses, and an exact flow has a truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include "common/base/status.h"
#include <cmocka.h>
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include <math.h>
#include <string.h>

static void check_keys(const study_case *t) {
    for (int a = 0; a < t->set.n; a++)
        for (int b = 0; b < a; b++) {
            const size_t length = strcspn(t->set.word[a], "=") + 1;
            if (strncmp(t->set.word[a], t->set.word[b], length) == 0)
                fail_msg("'%s' and '%s' set the same key", t->set.word[b], t->set.word[a]);
        }
}

static void each_key_once(void **state) {
    results page = {.error = OK};
    const study_context x = {.page = &page};
    (void)state;
    assert_true(uncertainty_kinds_count > 10);
    for (int i = 0; i < uncertainty_kinds_count; i++) {
        const uncertainty_kind *kind = &uncertainty_kinds[i];
        for (int j = 0; kind->set && j < (int)fmax(kind->n[0], kind->n[2]); j++) {
            study_case t = {.x = &x};
            uncertainty_truth truth = {NAN, NAN, NAN};
            kind->set(&t, kind->first + j, &truth);
            assert_true(t.set.n > 5);
            check_keys(&t);
            assert_true(kind->compared || truth.drop_pa > 0);
            study_case_close(&t);
        }
    }
    assert_int_equal(page.error, OK);
    results_free(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_key_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
