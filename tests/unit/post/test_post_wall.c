/* SPDX-License-Identifier: Apache-2.0 */
/* The whole stage in pulsatile flow: TAWSS, OSI and what else is averaged over the cycle. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/message.h"
#include "common/record/json.h"
#include "post/post.h"
#include "tests/unit/near.h"
#include "tests/unit/post/post_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* tau = a tau0: TAWSS and OSI as in test_cycle.c. `absolute`: mean of |a| */
static void check_averages(double mean, double absolute) {
    cJSON *r = post_run_json("out/post/readouts.json");
    double exact = POST_RUN_WSS;
    assert_near(json_get_number(post_run_at(r, "wss", NULL), "tawss_mean_pa"), absolute * exact,
                0.005 * absolute * exact);
    assert_near(json_get_number(post_run_at(r, "wss", NULL), "mean_pa"), absolute * exact, 0.005 * absolute * exact);
    assert_near(json_get_number(post_run_at(r, "wss", NULL), "osi_mean"), 0.5 * (1 - mean / absolute), 0.002);
    assert_near(json_get_number(post_run_at(r, "sections", "mid"), "flow_ml_s"), mean * POST_RUN_FLOW,
                0.003 * absolute * POST_RUN_FLOW); /* averaged over the cycle */
    assert_near(json_get_number(cJSON_GetArrayItem(post_run_at(r, "pressure_drops", NULL), 0), "value_pa"),
                mean * post_run_drop_pa(12), 0.003 * absolute * post_run_drop_pa(12));
    assert_near(json_get_number(post_run_at(r, "velocity", NULL), "max_m_s"),
                0.2 * (mean + cos(M_PI / POST_RUN_INSTANTS)), 0.002 * (1 + mean));
    assert_non_null(cJSON_GetStringValue(post_run_at(r, "units", "osi")));
    cJSON_Delete(r);
}

/* a mean with an oscillation; none but an oscillation: OSI 0.5; one that never turns the flow: OSI 0 */
static void pulsatile(void **state) {
    static const double means[] = {0, 2, 0.4};
    lattice l;
    fields f;
    char files[POST_RUN_FILES];
    post_run_make(&l, &f);
    for (int n = 0; n < 3; n++) {
        double absolute = 0;
        post_run_cycle(&l, &f, means[n], files);
        for (int k = 0; k < POST_RUN_INSTANTS; k++)
            absolute += fabs(post_run_factor(means[n], (k + 0.5) / POST_RUN_INSTANTS)) / POST_RUN_INSTANTS;
        post_run_solve("true", "pulsatile", "1", means[n], files);
        assert_int_equal(post_run("out/solve", true), OK);
        check_averages(means[n], absolute);
    }
    char *text = post_run_report();
    assert_true(post_run_has(text, "<b>OSI</b>"));
    free(text);
    remove(post_run_path("out/solve/fields_0003.vtkhdf"));
    assert_int_equal(post_run("out/solve", true), ERR_INPUT);
    assert_non_null(strstr(status_message(), "fields_0003.vtkhdf' is missing"));
    status_clear();
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

/* A closed tube, then one beside which the file has a second one that is in no lattice, then one 1.9 cells wide. */
static void wall_without_values_is_said(void **state) {
    (void)state;
    static const char *const said[3] = {NULL, "are not at the wall of the lattice", "have no wall shear stress"};
    for (int k = 0; k < 3; k++) {
        const post_pipe pipe = {.axis = {0, 0, 1}, .radius_mm = 2, .length_mm = 6};
        const shape tube = {.kind = SHAPE_CYLINDER, .b = {0, 0, 6}, .radius = {2, 0}};
        const double h = k == 2 ? 4 / 1.9 : 0.4, low[3] = {-2 - 1.4 * h, -2 - 1.4 * h, -h}, high[3] = {2 + h, 2 + h, 7};
        lattice l;
        sampler s;
        surface lumen, both;
        wall w;
        post_lattice_make(&tube, h, low, high, 0, NULL, &l);
        post_pipe_surface(&pipe, 24, 0, &lumen);
        assert_int_equal(surface_create(&both, 2 * lumen.n_point, 2 * lumen.n_triangle), OK);
        for (int64_t i = 0; i < 3 * both.n_point; i++)
            both.point_mm[i] = lumen.point_mm[i % (3 * lumen.n_point)] + (i < 3 * lumen.n_point ? 0 : 50);
        for (int64_t i = 0; i < 3 * both.n_triangle; i++)
            both.triangle[i] =
                lumen.triangle[i % (3 * lumen.n_triangle)] + (i < 3 * lumen.n_triangle ? 0 : (int32_t)lumen.n_point);
        assert_int_equal(sampler_create(&s, &l, NULL), OK);
        const surface *own = k == 1 ? &both : &lumen;
        message_clear();
        assert_int_equal(wall_create(&s, own, NULL, NULL, &w), OK);
        wall_values_warn(&l, own, &w);
        assert_int_equal(message_warning_count(), said[k] != NULL);
        if (said[k])
            assert_non_null(strstr(message_warning(0), said[k]));
        wall_free(&w);
        surface_free(&lumen);
        surface_free(&both);
        sampler_free(&s);
        lattice_free(&l);
    }
    message_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulsatile),
        cmocka_unit_test(wall_without_values_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
