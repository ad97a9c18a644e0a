/* SPDX-License-Identifier: Apache-2.0 */
/* What readouts and report say of results not to be trusted: eddies in openings, a flow that did not converge. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/record/provenance.h"
#include "tests/unit/post/post_run.h"
#include <stdlib.h>
#include <string.h>

/* u + shear in a plane through the axis: no flow more, but beyond 0.2 m/s at the rim some of it is
 * against the others. Blood that goes the other way everywhere is no eddy. */
static void eddies_in_openings_are_told(void **state) {
    static const struct {
        double way, s;
        bool told;
    } runs[] = {{1, 0.1, false}, {1, 6, true}, {-1, 0.1, false}};
    lattice l;
    fields f;
    post_run_make(&l, &f);
    for (int k = 0; k < 3; k++) {
        fields g;
        message_clear();
        assert_int_equal(fields_create(&g, l.n_cell), OK);
        memcpy(g.pressure_pa, f.pressure_pa, sizeof(float) * (size_t)l.n_cell);
        memcpy(g.stress_pa, f.stress_pa, 6 * sizeof(float) * (size_t)l.n_cell);
        for (int64_t c = 0; c < l.n_cell; c++) {
            double p[3];
            lattice_centre_mm(&l, c, p);
            for (int a = 0; a < 3; a++)
                g.velocity_m_s[3 * c + a] = (float)(runs[k].way * (double)f.velocity_m_s[3 * c + a] *
                                                    (1 + runs[k].s * (p[0] - POST_RUN_PIPE.point_mm[0]) / 4));
        }
        assert_int_equal(field_file_write(post_run_path("out/solve/fields.vtkhdf"), &l, &g), OK);
        assert_int_equal(post_run("out/solve", true), OK);
        char *text = NULL;
        assert_int_equal(file_read(post_run_path("out/post/readouts.json"), 1000000, &text, NULL), OK);
        assert_true(post_run_has(text, "opening 'out': backflow") == runs[k].told);
        assert_true(!runs[k].told || post_run_has(text, "recirculation crosses the opening"));
        free(text);
        fields_free(&g);
    }
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

static void too_coarse_cannot_be_missed(void **state) {
    lattice l;
    fields f;
    post_run_make(&l, &f);
    post_run_solve("true, \"too_coarse\": true", "steady", "null", 1,
                   "\"fields\": [{\"file\": \"fields.vtkhdf\", \"time_s\": 0}]");
    assert_int_equal(post_run("out/solve", true), OK);
    char *text = post_run_report();
    assert_true(post_run_has(text, "<body class=\"unconverged\">"));
    assert_true(post_run_has(text, "TOO COARSE &mdash; no number in this report may be used"));
    assert_false(post_run_has(text, "NOT CONVERGED"));
    assert_false(post_run_has(text, "<h2>In brief</h2>"));
    assert_false(post_run_has(text, "aria-label=\"thresholds\""));
    free(text);
    text = NULL; /* every row, since rows are copied */
    assert_int_equal(file_read(post_run_path("out/post/profiles.csv"), 1000000, &text, NULL), OK);
    assert_true(post_run_has(text, ",TOO COARSE\nin,out,") && !post_run_has(text, ",yes\n"));
    free(text);
    cJSON *r = post_run_json("out/post/readouts.json");
    assert_true(cJSON_IsTrue(post_run_at(r, "solve", "converged")));
    assert_true(cJSON_IsTrue(post_run_at(r, "solve", "too_coarse")));
    assert_true(cJSON_IsFalse(post_run_at(r, "solve", "usable")));
    const cJSON *warning;
    int said = 0;
    cJSON_ArrayForEach(warning, post_run_at(r, "warnings", NULL)) said |=
        post_run_has(cJSON_GetStringValue(warning), "TOO COARSE");
    assert_true(said);
    cJSON_Delete(r);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

static void unconverged_cannot_be_missed(void **state) {
    lattice l;
    fields f;
    post_run_make(&l, &f);
    post_run_solve("false", "steady", "null", 1, "\"fields\": [{\"file\": \"fields.vtkhdf\", \"time_s\": 0}]");
    assert_int_equal(post_run("out/solve", true), ERR_NUMERIC);
    assert_true(post_run_has(status_message(), "did not converge"));
    status_clear();
    char *text = post_run_report();
    assert_true(post_run_has(text, "<body class=\"unconverged\">"));
    assert_true(post_run_has(text, "NOT CONVERGED &mdash; no number in this report may be used"));
    assert_false(post_run_has(text, "aria-label=\"thresholds\"")); /* no ruler to read a wrong number on */
    free(text);
    cJSON *r = post_run_json("out/post/readouts.json");
    assert_true(cJSON_IsFalse(post_run_at(r, "solve", "converged")));
    /* solve.json says 0.02 Pa where the case gives 0 */
    assert_true(cJSON_GetNumberValue(post_run_at(post_run_at(r, "openings", "out"), "pressure_pa", NULL)) == 0);
    int said = 0;
    const cJSON *warning;
    cJSON_ArrayForEach(warning, post_run_at(r, "warnings", NULL)) said |=
        post_run_has(cJSON_GetStringValue(warning), "not converge");
    assert_true(said);
    cJSON_Delete(r);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eddies_in_openings_are_told),
        cmocka_unit_test(unconverged_cannot_be_missed),
        cmocka_unit_test(too_coarse_cannot_be_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
