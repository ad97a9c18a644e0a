/* How computed cases end: the words for every end, and which ends are good. */
#include "pipeline/trial/outcome.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void every_end_has_its_word(void **state) {
    (void)state;
    static const struct {
        outcome o;
        const char *word;
        bool good;
    } end[] = {{{.solved = true, .converged = true}, "settled", true},
               {{.solved = true, .unsteady = true}, "unsteady", true},
               {{.solved = true}, "not converged", false},
               {{.exit = 5, .solved = true}, "not converged", false},
               {{.exit = 5, .sentence = "solve: the flow diverged before step 100"}, "diverged (exit 5)", false},
               {{.exit = 5, .sentence = "segment: the lumen leaked"}, "failed (exit 5)", false},
               {{.exit = 3, .sentence = "mesh: opening 'IN' is outside"}, "failed (exit 3)", false},
               {{.exit = 3, .solved = true, .converged = true}, "settled", false}, /* post failed */
               {{.cells = 7}, "not computed", false}};
    for (size_t k = 0; k < sizeof end / sizeof *end; k++) {
        char word[32];
        assert_string_equal(outcome_word(&end[k].o, word), end[k].word);
        assert_int_equal(outcome_good(&end[k].o), end[k].good);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_end_has_its_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
