/* SPDX-License-Identifier: Apache-2.0 */
/* How computed cases end: the words for every end, and which ends are good. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce/run_outcome.h"
#include "pipeline/run/stages.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void every_end_has_its_word(void **state) {
    (void)state;
    static const struct {
        run_outcome o;
        const char *word;
        bool good;
    } end[] = {{{.solved = true, .converged = true}, "settled", true},
               {{.solved = true, .unsteady = true}, "unsteady", true},
               {{.solved = true}, "not converged", false},
               {{.exit = 5, .solved = true}, "not converged", false},
               {{.exit = 5, .stage = STAGE_SOLVE}, "diverged (exit 5)", false},
               {{.exit = 5, .stage = STAGE_SEGMENT}, "failed (exit 5)", false},
               {{.exit = 3, .stage = STAGE_MESH}, "failed (exit 3)", false},
               {{.exit = 3, .solved = true, .converged = true}, "settled", false}, /* post failed */
               {{.cells = 7}, "not computed", false}};
    for (size_t k = 0; k < sizeof end / sizeof *end; k++) {
        char word[32];
        assert_string_equal(run_outcome_word(&end[k].o, word), end[k].word);
        assert_int_equal(run_outcome_is_good(&end[k].o), end[k].good);
    }
}

static void write_json(const char *name, const char *text) {
    assert_int_equal(file_write(temp_path(name), text, strlen(text)), OK);
}

static void make_case(const char *lattice_sum, const char *more) {
    char text[1024];
    assert_int_equal(file_create_folder(temp_path("out")), OK);
    assert_int_equal(file_create_folder(temp_path("out/mesh")), OK);
    assert_int_equal(file_create_folder(temp_path("out/solve")), OK);
    write_json("out/mesh/mesh.json", "{\"outputs\": [{\"file\": \"out/mesh/lattice.h5\", \"xxh3\": \"12ab\"}],"
                                     " \"result\": {\"cells\": 1000, \"spacing_mm\": 0.25}}");
    snprintf(text, sizeof text,
             "{\"inputs\": [{\"file\": \"out/mesh/lattice.h5\", \"xxh3\": \"%s\"}], \"result\": {\"steps\": 42, %s}}",
             lattice_sum, more);
    write_json("out/solve/solve.json", text);
}

/* A solution counts when it is one of the lattice that lies there; an unsteady one tells its swing. */
static void solutions_belong_to_their_lattice(void **state) {
    (void)state;
    study_case t = {0};
    run_outcome o;
    snprintf(t.folder, sizeof t.folder, "%s", temp_path("."));
    run_outcome_clear(&o);
    make_case("12ab", "\"converged\": true");
    run_outcome_read(&t, &o);
    assert_true(o.solved && o.converged && !o.unsteady && !o.fields && isnan(o.swing_percent));
    assert_true(o.cells == 1000 && o.dx_mm == 0.25 && o.steps == 42 && isnan(o.change));
    make_case("12ab", "\"converged\": false, \"unsteady\": {\"pressure_differences\": ["
                      "{\"mean_pa\": 2, \"low_pa\": 0, \"high_pa\": 9},"
                      "{\"mean_pa\": -50, \"low_pa\": -51, \"high_pa\": -48}]}");
    write_json("out/solve/fields.vtkhdf", "");
    run_outcome_clear(&o);
    run_outcome_read(&t, &o);
    assert_true(o.solved && !o.converged && o.unsteady && o.fields && run_outcome_is_good(&o));
    assert_true(fabs(o.swing_percent - 6) < 1e-12);
    make_case("34cd", "\"converged\": true");
    run_outcome_clear(&o);
    run_outcome_read(&t, &o);
    assert_true(!o.solved && !o.converged && isnan(o.steps) && o.cells == 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_end_has_its_word),
                                       cmocka_unit_test(solutions_belong_to_their_lattice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
