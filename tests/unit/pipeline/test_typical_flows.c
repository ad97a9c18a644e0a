/* SPDX-License-Identifier: Apache-2.0 */
/* The flows that `init` proposes are those of the table in GUIDE.md, row by row, and follow from the sources' numbers.
 * */
#include "common/waveform/typical_flows.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void test_guide(void **state) {
    char *text = NULL, row[160];
    int n, rows = 0;
    const typical_flow *flow = typical_flows(&n);
    (void)state;
    assert_int_equal(file_read(PORTAFLOW_SOURCE_DIR "/GUIDE.md", 1000000, &text, NULL), OK);
    for (int k = 0; k < n; k++) {
        snprintf(row, sizeof row, "\n| %s | %.2f L/min +- %d %% |", flow[k].vessel, flow[k].l_min, flow[k].percent);
        if (!strstr(text, row))
            fail_msg("GUIDE.md has no row '%s'", row + 1);
    }
    for (const char *at = text; (at = strstr(at, " L/min +- ")); at++) {
        const char *end = strchr(at, '\n');
        const char *bar = strchr(at, '|');
        rows += bar && end && bar < end;
    }
    assert_int_equal(rows, n);
    free(text);
}

/* mean and standard deviation as published, per what (70 kg, or a share of both sides) */
static const struct {
    const char *vessel;
    double mean_ml_min, deviation, times;
} SOURCE[] = {
    {"portal vein", 13.7, 1.8, 70},
    {"superior mesenteric vein", 5.7, 2.0, 70},
    {"celiac trunk", 9.9, 3.2, 70},
    {"superior mesenteric artery", 6.0, 1.8, 70},
    {"aorta above the celiac trunk", 2300, 400, 1},
    {"aorta below the renal arteries", 900, 300, 1},
    {"common carotid artery", 415, 87, 1},
    {"internal carotid artery", 717, 123, 0.36},
    {"vertebral artery", 717, 123, 0.14},
};

static void test_sources(void **state) {
    int n;
    const typical_flow *flow = typical_flows(&n);
    (void)state;
    for (size_t i = 0; i < sizeof SOURCE / sizeof *SOURCE; i++) {
        int found = 0;
        for (int k = 0; k < n; k++) {
            if (strcmp(flow[k].vessel, SOURCE[i].vessel) != 0)
                continue;
            found++;
            assert_true(fabs(flow[k].l_min - 1e-3 * SOURCE[i].mean_ml_min * SOURCE[i].times) < 0.0051);
            assert_true(fabs(flow[k].percent - 200 * SOURCE[i].deviation / SOURCE[i].mean_ml_min) < 0.6);
        }
        assert_int_equal(found, 1);
    }
}

/* A flow counts as proposed only with the proposed half-width. */
static void test_find(void **state) {
    const double m3_s = 0.40e-3 / 60;
    (void)state;
    assert_string_equal(typical_flows_find(m3_s, 0.7 * m3_s)->source, "Burkart 1993");
    assert_null(typical_flows_find(m3_s, 0.1 * m3_s));
    assert_null(typical_flows_find(m3_s, 0));
    assert_null(typical_flows_find(NAN, NAN));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guide), cmocka_unit_test(test_sources),
                                       cmocka_unit_test(test_find)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
