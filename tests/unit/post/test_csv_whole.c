/* SPDX-License-Identifier: Apache-2.0 */
/* The CSV files that post reads, cut at every length and with a surplus: refused, warned of, or whole lines. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/message.h"
#include "post/flow/monitors.h"
#include "post/probe/probe_points.h"
#include "tests/unit/common/lattice_sample.h"
#include "tests/unit/temp.h"
#include <stdio.h>
#include <string.h>

static lattice channel;

static int make_channel(void **state) {
    (void)state;
    return lattice_sample(&channel, 4);
}

static int free_channel(void **state) {
    (void)state;
    lattice_free(&channel);
    return 0;
}

/* The rows of the first n bytes of text; -1: refused with a sentence. */
static int rows_of(const char *text, size_t n, monitors *m) {
    status_clear();
    temp_write("monitors.csv", text, n);
    const int rc = monitors_read(temp_path("monitors.csv"), &channel, m);
    assert_true(rc == OK || (rc == ERR_INPUT && strlen(status_message()) > 20));
    return rc == OK ? m->n : -1;
}

static void write_monitors(char *text, size_t size) {
    size_t n = (size_t)snprintf(text, size, "step,time_s,residual,flow_balance");
    for (int k = 0; k < channel.n_opening; k++)
        n += (size_t)snprintf(text + n, size - n, ",%s_flow_ml_s,%s_pressure_pa", channel.opening[k].name,
                              channel.opening[k].name);
    for (int row = 0; row < 5; row++) {
        n += (size_t)snprintf(text + n, size - n, "\n%d,%g,1e-3,0.001", 100 * row, 0.25 * row);
        for (int k = 0; k < 2 * channel.n_opening; k++)
            n += (size_t)snprintf(text + n, size - n, ",%d.5", 10 * row + k);
    }
    snprintf(text + n, size - n, "\n");
}

static void monitors_cut(void **state) {
    (void)state;
    char text[2048];
    monitors m;
    write_monitors(text, sizeof text);
    const size_t header = strcspn(text, "\n"), n = strlen(text);
    assert_int_equal(rows_of(text, n, &m), 5);
    assert_true(m.time_s[4] == 1 && m.pressure_pa[4] == 41.5);
    monitors_free(&m);
    for (size_t k = 0; k < n; k++) {
        const bool line_ends = k > header && text[k - 1] == '\n';
        const int rows = rows_of(text, k, &m);
        if ((rows >= 0) != (line_ends || k == header))
            print_message("cut at %zu of %zu bytes: %d rows\n", k, n, rows);
        assert_true((rows >= 0) == (line_ends || k == header)); /* what is whole is vouched for by solve.json */
        monitors_free(&m);
    }
    static const char *const more[] = {"1", "\n7,7\n", "600,1.5,1,1\n", "600,2,1,1,1,1,1,1,1\n",
                                       "600,nan,1,1,1,1,1,1\n"};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        char longer[4096];
        snprintf(longer, sizeof longer, "%s%s", text, more[k]);
        if (rows_of(longer, strlen(longer), &m) != -1)
            print_message("'%s' behind its end is not refused\n", more[k]);
        assert_int_equal(rows_of(longer, strlen(longer), &m), -1);
    }
}

/* A run that diverged goes on from an earlier time: what it wrote since is replaced. */
static void monitors_that_go_back(void **state) {
    (void)state;
    char text[2048], longer[4096];
    monitors m;
    write_monitors(text, sizeof text);
    snprintf(longer, sizeof longer, "%s250,0.4,1e-3,0.001,7,7,7,7\n", text);
    assert_int_equal(channel.n_opening, 2);
    assert_int_equal(rows_of(longer, strlen(longer), &m), 3);
    assert_true(m.time_s[1] == 0.25 && m.time_s[2] == 0.4 && m.flow_ml_s[2] == 7 && m.flow_ml_s[1] == 10.5);
    monitors_free(&m);
}

static void points_cut(void **state) {
    (void)state;
    static const char text[] = "x,y,z\n1.5,6.0,9.0\n# middle\n2.5,5.6,8.4\n3.9,6.1,9.3\n";
    for (size_t n = 0; n < sizeof text; n++) {
        probe_points p = {0};
        status_clear();
        message_clear();
        temp_write("points.csv", text, n);
        const int rc = probe_points_read(temp_path("points.csv"), &p);
        const bool told = message_warning_count() > 0, within_point = n > 6 && text[n - 1] != '\n' && text[n] != '\n';
        if (rc == OK) /* whole points: the last one has as many decimals as the others */
            assert_true(p.n > 0 && (told || !within_point || (n > 18 && n <= 26)));
        else
            assert_true(rc == ERR_INPUT && strlen(status_message()) > 20);
        probe_points_free(&p);
    }
    static const char *const more[] = {"1\n", "1,2\n", "1,2,3,4\n", "1,2,3;\n", "1,2,x\n", "1,2,nan\n", "1,2,\n"};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        char longer[256];
        probe_points p = {0};
        snprintf(longer, sizeof longer, "%s%s", text, more[k]);
        temp_write("points.csv", longer, strlen(longer));
        assert_int_equal(probe_points_read(temp_path("points.csv"), &p), ERR_INPUT);
        probe_points_free(&p);
    }
    status_clear();
    message_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(monitors_cut), cmocka_unit_test(monitors_that_go_back),
                                       cmocka_unit_test(points_cut)};
    return cmocka_run_group_tests(tests, make_channel, free_channel);
}
