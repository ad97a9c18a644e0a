/* SPDX-License-Identifier: Apache-2.0 */
/* The whole stage in pulsatile flow: the instants that the case asks for one by one. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/record/json.h"
#include "common/surface_vtk/vtk_surface.h"
#include "tests/unit/near.h"
#include "common/draw/vtk_draw.h"
#include "tests/unit/post/post_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* case.yaml with these instants, pulsatile */
static void write_instants(const char *times) {
    char text[4096];
    const char *flow = strstr(POST_RUN_CASE, "5 mL/s");
    snprintf(text, sizeof text, "%.*s{waveform: wave.csv}%s%s%s", (int)(flow - POST_RUN_CASE), POST_RUN_CASE, flow + 6,
             "solve: {mode: pulsatile}\npost: {instants: ", times);
    strcat(text, "}\n");
    post_run_text("case.yaml", text);
    post_run_text("wave.csv", "t_s,flow_ml_s\n0,7\n0.25,2\n0.5,-3\n0.75,2\n1,7\n");
}

/* three cycles as solve writes them, rows 0.02 s apart */
static void write_monitors(double mean, const char *header) {
    char text[16384];
    int n = snprintf(text, sizeof text, "%s\n", header);
    for (int k = 0; k <= 150; k++) {
        double a = post_run_factor(mean, 0.02 * k);
        n += snprintf(text + n, sizeof text - (size_t)n, "%d,%.9g,1e-3,0,%.9g,%.9g,%.9g,0\n", 200 * k, 0.02 * k,
                      a * POST_RUN_FLOW, a * post_run_drop_pa(24), a * POST_RUN_FLOW);
    }
    post_run_text("out/solve/monitors.csv", text);
}

static void check_instant(const cJSON *i, double time_s, double a, double opening_tolerance) {
    const cJSON *mid = post_run_at(i, "sections", "mid"), *wss = post_run_at(i, "wss", NULL);
    double exact = POST_RUN_WSS, size = fabs(a);
    const cJSON *drop = cJSON_GetArrayItem(post_run_at(i, "pressure_drops", NULL), 0);
    assert_near(json_get_number(i, "time_s"), time_s, 1e-9);
    assert_near(json_get_number(post_run_at(i, "openings", "in"), "flow_ml_s"), a * POST_RUN_FLOW,
                opening_tolerance * POST_RUN_FLOW);
    assert_near(json_get_number(post_run_at(i, "openings", "out"), "flow_ml_s"), a * POST_RUN_FLOW,
                opening_tolerance * POST_RUN_FLOW);
    assert_near(json_get_number(i, "flow_balance"), 0, opening_tolerance);
    assert_near(json_get_number(mid, "flow_ml_s"), a * POST_RUN_FLOW, 0.003 * POST_RUN_FLOW);
    assert_near(json_get_number(mid, "backflow_ml_s"), fmax(-a, 0) * POST_RUN_FLOW, 0.003 * POST_RUN_FLOW);
    assert_near(json_get_number(mid, "velocity_max_m_s"), 0.2 * size, 0.002);
    assert_near(json_get_number(mid, "wss_mean_pa"), size * exact, 0.01 * exact);
    assert_near(json_get_number(mid, "wss_max_pa"), size * exact, 0.05 * exact);
    assert_near(json_get_number(drop, "value_pa"), a * post_run_drop_pa(12),
                (0.004 + 8 * opening_tolerance) * post_run_drop_pa(12));
    assert_near(json_get_number(wss, "mean_pa"), size * exact, 0.005 * exact);
    assert_true(json_get_number(wss, "p99_pa") <= json_get_number(wss, "max_pa"));
    assert_near(json_get_number(post_run_at(i, "velocity", NULL), "max_m_s"), 0.2 * size, 0.002);
    assert_true(cJSON_IsNull(post_run_at(post_run_at(i, "sections", "nowhere"), "velocity_max_m_s", NULL)));
}

static void check_cycle(double mean, double opening_tolerance) {
    cJSON *r = post_run_json("out/post/readouts.json");
    const cJSON *list = post_run_at(r, "instants", NULL);
    assert_int_equal(cJSON_GetArraySize(list), 2);
    check_instant(cJSON_GetArrayItem(list, 0), 0.0625, post_run_factor(mean, 0.0625), opening_tolerance);
    check_instant(cJSON_GetArrayItem(list, 1), 0.4375, post_run_factor(mean, 0.4375),
                  opening_tolerance); /* it flows back */
    cJSON_Delete(r);
}

static void check_wall_file(void) {
    surface found;
    assert_int_equal(surface_read(post_run_path("out/post/wall_0003.vtp"), 1, 0, &found), OK);
    assert_near(surface_area_mm2(&found), 2 * M_PI * 4 * 24, 6);
    surface_free(&found);
    cJSON *json = post_run_json("out/post/post.json");
    char *text = cJSON_PrintUnformatted(json);
    assert_true(post_run_has(text, "wall_0003.vtp") && post_run_has(text, "monitors.csv"));
    free(text);
    cJSON_Delete(json);
}

static void instants_of_the_cycle(void **state) {
    static const char *const page[] = {"wss_instants_front.png", "wss_instants_back.png", "velocity_instants.png",
                                       "sections_instants.png"};
    const char *reason;
    lattice l;
    fields f;
    char files[POST_RUN_FILES], header[256] = "step,time_s,residual,flow_balance";
    double mean = 0.4;
    post_run_make(&l, &f);
    post_run_cycle(&l, &f, mean, files);
    post_run_solve("true", "pulsatile", "1", mean, files);
    strcat(header, ",in_flow_ml_s,in_pressure_pa,out_flow_ml_s,out_pressure_pa");
    write_monitors(mean, header);
    write_instants("[0.07 s, 440 ms, 0.45 s]"); /* the nearest stored; two are one */
    int warnings = message_warning_count();
    assert_int_equal(post_run("out/solve", false), OK);
    assert_true(message_warning_count() > warnings);
    check_cycle(mean, 1e-4);
    check_wall_file();
    for (int k = 0; k < 4 && vtk_draw_available(&reason); k++) {
        char name[64];
        snprintf(name, sizeof name, "out/post/figures/%s", page[k]);
        assert_true(file_exists(post_run_path(name)));
    }
    char *text = post_run_report();
    assert_true(post_run_has(text, "Instants of the cycle"));
    assert_true(post_run_has(text, "flow over the cycle (a waveform)"));
    assert_null(strstr(text, "wave.csv")); /* a file's name may tell who the patient is */
    free(text);
    remove(post_run_path("out/solve/monitors.csv")); /* then they are read just inside the openings */
    assert_int_equal(post_run("out/solve", true), OK);
    check_cycle(mean, 0.01);
    write_instants("[0.9 s]");
    assert_int_equal(post_run("out/solve", true), OK);
    assert_true(!file_exists(post_run_path("out/post/wall_0003.vtp")) &&
                file_exists(post_run_path("out/post/wall_0007.vtp")));
    write_instants("[1.4 s]");
    assert_int_equal(post_run("out/solve", true), ERR_INPUT);
    assert_non_null(strstr(status_message(), "the instant 1.4 s is later than the end of the cycle, 1 s"));
    status_clear();
    write_monitors(mean, "step,time_s,residual,flow_balance,other_flow_ml_s,other_pressure_pa");
    write_instants("[0.9 s]");
    assert_int_equal(post_run("out/solve", true), ERR_INPUT);
    assert_non_null(strstr(status_message(), "monitors.csv' does not have the columns of this lattice's openings"));
    status_clear();
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_of_the_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
