/* SPDX-License-Identifier: Apache-2.0 */
/* The whole stage on a pipe whose flow is known: the files it writes and the readouts of a steady flow. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/surface_vtk/vtk_surface.h"
#include "tests/unit/near.h"
#include "common/draw/vtk_draw.h"
#include "tests/unit/post/post_run.h"
#include <stdlib.h>
#include <string.h>

static void check_readouts(const cJSON *r) {
    assert_near(json_get_number(post_run_at(r, "openings", "in"), "flow_ml_s"), POST_RUN_FLOW, 1e-6);
    assert_near(json_get_number(post_run_at(r, "sections", "mid"), "flow_ml_s"), POST_RUN_FLOW, 0.003 * POST_RUN_FLOW);
    assert_near(json_get_number(post_run_at(r, "sections", "mid"), "area_mm2"), M_PI * 16, 0.15);
    assert_near(json_get_number(post_run_at(r, "sections", "mid"), "pressure_pa"), post_run_drop_pa(12),
                0.003 * post_run_drop_pa(12));
    assert_true(
        cJSON_IsNull(post_run_at(post_run_at(r, "sections", "nowhere"), "flow_ml_s", NULL))); /* null, never 0 */
    assert_true(cJSON_IsNull(post_run_at(post_run_at(r, "sections", "nowhere"), "area_mm2", NULL)));
    const cJSON *drops = post_run_at(r, "pressure_drops", NULL), *gradients = post_run_at(r, "ppg", NULL);
    assert_near(json_get_number(cJSON_GetArrayItem(drops, 0), "value_pa"), post_run_drop_pa(12),
                0.003 * post_run_drop_pa(12));
    assert_true(cJSON_IsNull(post_run_at(cJSON_GetArrayItem(drops, 1), "value_pa", NULL)));
    const cJSON *terms = post_run_at(cJSON_GetArrayItem(gradients, 0), "terms", NULL);
    assert_int_equal(cJSON_GetArraySize(terms), 2);
    assert_near(json_get_number(cJSON_GetArrayItem(terms, 1), "value_mmhg"), 4 * POST_RUN_FLOW * 0.06, 1e-6);
    assert_true(json_get_number(cJSON_GetArrayItem(gradients, 0), "value_mmhg") > 4 * POST_RUN_FLOW * 0.06);
    assert_true(cJSON_IsNull(post_run_at(cJSON_GetArrayItem(gradients, 1), "value_mmhg", NULL))); /* no liver */
    double exact = POST_RUN_WSS;
    assert_near(json_get_number(post_run_at(r, "wss", NULL), "mean_pa"), exact, 0.005 * exact);
    assert_true(cJSON_IsNull(post_run_at(r, "wss", "osi_mean")));
    assert_near(json_get_number(post_run_at(r, "velocity", NULL), "max_m_s"), 0.2, 0.001);
    assert_string_equal(cJSON_GetStringValue(post_run_at(r, "solve", "device")), "cpu");
    assert_string_equal(cJSON_GetStringValue(post_run_at(r, "solve", "hardware")), "cpu, 2 threads");
    assert_true(cJSON_IsTrue(post_run_at(r, "solve", "converged")));
    assert_true(cJSON_GetArraySize(post_run_at(r, "notes", NULL)) >= 4);
    const cJSON *warnings = post_run_at(r, "warnings", NULL); /* the section, which is serious, then solve's */
    assert_int_equal(cJSON_GetArraySize(warnings), 3);
    assert_true(post_run_has(cJSON_GetStringValue(cJSON_GetArrayItem(warnings, 0)), "section 'nowhere'"));
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(warnings, 1)), "solve: a <warning> of solve");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(warnings, 2)), "solve: another");
}

/* nothing that would leave the page, and no name that becomes markup */
static void check_report(const char *text) {
    const char *reason;
    assert_false(post_run_has(text, "http://"));
    assert_false(post_run_has(text, "https://"));
    assert_false(post_run_has(text, "<script"));
    assert_false(post_run_has(text, "<b>bold"));
    assert_true(post_run_has(text, "a &lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot; name"));
    assert_true(post_run_has(text, "a &lt;warning&gt; of solve"));
    assert_true(post_run_has(text, "not a diagnosis"));
    assert_true(post_run_has(text, "No portal pressure gradient"));
    assert_true(post_run_has(text, "% of it is modelled"));
    if (vtk_draw_available(&reason))
        assert_true(post_run_has(text, "src=\"data:image/png;base64,iVBOR"));
    else
        printf("no pictures here: %s\n", reason);
}

/* A section on a branch: half-way along the pipe, across it; and a branch that is not there. */
static void check_branch_sections(void) {
    char text[4096];
    const char *mark = strstr(POST_RUN_CASE, "  - {name: nowhere");
    snprintf(text, sizeof text,
             "%.*s  - {name: half, branch: mid, at: 50 %%}\n  - {name: six, branch: in-out, at: 6 mm}\n"
             "  - {name: nine, branch: in, at: 9 mm}\n%s",
             (int)(mark - POST_RUN_CASE), POST_RUN_CASE, mark);
    post_run_text("case.yaml", text);
    assert_int_equal(post_run("out/solve", true), OK);
    cJSON *r = post_run_json("out/post/readouts.json");
    const struct {
        const char *name;
        double at_mm;
    } section[] = {{"half", 12}, {"six", 6}, {"nine", 9}};
    for (int k = 0; k < 3; k++) {
        const cJSON *s = post_run_at(r, "sections", section[k].name);
        const double drop_pa = post_run_drop_pa(24 - section[k].at_mm);
        assert_near(json_get_number(s, "flow_ml_s"), POST_RUN_FLOW, 0.003 * POST_RUN_FLOW);
        assert_near(json_get_number(s, "area_mm2"), M_PI * 16, 0.15);
        assert_near(json_get_number(s, "pressure_pa"), drop_pa, 0.005 * post_run_drop_pa(24));
    }
    cJSON_Delete(r);
    static const struct {
        const char *branch, *at, *said;
    } wrong[] = {
        {"7", "50 %", "section 'half': there is no branch '7'; the branches are 'in-out' (24.0 mm)"},
        {"in-out", "25 mm", "section 'half': 25 mm is beyond the end of branch 'in-out', which is 24 mm long"}};
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "%.*s  - {name: half, branch: %s, at: %s}\n%s", (int)(mark - POST_RUN_CASE),
                 POST_RUN_CASE, wrong[k].branch, wrong[k].at, mark);
        post_run_text("case.yaml", text);
        assert_int_equal(post_run("out/solve", true), ERR_INPUT);
        assert_true(post_run_has(status_message(), wrong[k].said));
        status_clear();
    }
    post_run_text("case.yaml", POST_RUN_CASE);
}

static void count_rows(const char *name, const char *header, int least) {
    char *text = NULL;
    int rows = 0;
    assert_int_equal(file_read(post_run_path(name), 1000000, &text, NULL), OK);
    assert_int_equal(strncmp(text, header, strlen(header)), 0);
    for (const char *p = text; *p; p++)
        rows += *p == '\n';
    assert_true(rows > least);
    free(text);
}

static void steady(void **state) {
    lattice l;
    fields f;
    surface lumen;
    char reason[256];
    post_run_make(&l, &f);
    message_init("test", false);
    assert_int_equal(post_run("out/solve", false), OK);
    cJSON *r = post_run_json("out/post/readouts.json");
    check_readouts(r);
    cJSON_Delete(r);
    char *text = post_run_report();
    check_report(text);
    assert_false(post_run_has(text, "class=\"unconverged\""));
    assert_false(post_run_has(text, "NOT CONVERGED &mdash;")); /* not even where no style hides it */
    assert_true(post_run_has(text, "computed flow in an exact shape &middot;"));
    assert_false(post_run_has(text, "as found in the image"));
    assert_true(post_run_has(text, "<h2>Along the branches</h2>"));
    free(text);
    count_rows("out/post/profiles.csv",
               "from,to,distance_mm,area_mm2,flow_ml_s,mean_velocity_m_s,pressure_pa,pressure_mmhg,usable\nin,out,",
               20);
    count_rows("out/post/along.csv",
               "branch,arc_length_mm,x_lps_mm,y_lps_mm,z_lps_mm,area_mm2,equivalent_diameter_mm,flow_ml_s,"
               "mean_velocity_m_s,pressure_pa,pressure_mmhg,total_pressure_pa,wss_mean_pa,wss_min_pa,wss_max_pa,"
               "usable\nin-out,",
               6);
    assert_int_equal(surface_read(post_run_path("out/post/wall.vtp"), 1, 0, &lumen), OK);
    assert_near(surface_area_mm2(&lumen), 2 * M_PI * 4 * 24, 6);
    surface_free(&lumen);
    enum { INPUTS = 5 };
    const char *label[INPUTS] = {"out/mesh/lattice.h5", "out/mesh/surface.vtp", "out/mesh/mesh.json",
                                 "out/solve/solve.json", "out/solve/fields.vtkhdf"};
    char input[INPUTS][512];
    const char *path[INPUTS];
    for (int k = 0; k < INPUTS; k++) {
        snprintf(input[k], sizeof input[k], "%s", post_run_path(label[k]));
        path[k] = input[k];
    }
    assert_int_equal(provenance_find_change(post_run_path("out/post/post.json"), post_run_path("."), NULL, INPUTS,
                                            label, path, NULL, reason),
                     PROVENANCE_CURRENT);
    assert_int_equal(post_run("out", true), OK); /* the folder above; no pictures */
    check_branch_sections();
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
