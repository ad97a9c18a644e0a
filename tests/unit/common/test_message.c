/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, warnings and the progress line, as they arrive on stderr. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/progress.h"
#include "common/base/status.h"
#include "tests/unit/temp.h"
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static int kept = -1, to = -1;

static void capture_start(void) {
    fflush(stderr);
    kept = dup(2);
    to = open(temp_path("stderr"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(to, 2);
}

static const char *capture_end(void) {
    static char text[8192];
    fflush(stderr);
    dup2(kept, 2);
    lseek(to, 0, SEEK_SET);
    ssize_t n = read(to, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    close(to);
    close(kept);
    return text;
}

static void test_lines(void **state) {
    (void)state;
    message_clear();
    message_init("mesh", false);
    capture_start();
    message_info("%d cells", 812345);
    message_debug("not shown");
    message_warn("only %d cells across '%s'", 9, "SV");
    message_warn("only %d cells across '%s'", 9, "SV");
    message_warn("another");
    message_init("mesh", true);
    message_debug("shown");
    assert_string_equal(capture_end(),
                        "mesh: 812345 cells\nmesh: warning: only 9 cells across 'SV'\n"
                        "mesh: warning: only 9 cells across 'SV'\nmesh: warning: another\nmesh: shown\n");
    assert_int_equal(message_warning_count(), 2); /* each kept once */
    assert_string_equal(message_warning(0), "only 9 cells across 'SV'");
    assert_string_equal(message_warning(1), "another");
    assert_string_equal(message_warning(2), "");
    assert_string_equal(message_warning(-1), "");
    message_clear();
    assert_int_equal(message_warning_count(), 0);
    capture_start();
    message_warn("'a\033[2J' is odd");
    assert_string_equal(capture_end(), "mesh: warning: 'a?[2J' is odd\n");
    assert_string_equal(message_warning(0), "'a?[2J' is odd");
    message_clear();
    char longer[3000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    capture_start();
    for (int k = 0; k < 300; k++)
        message_warn("%d %s", k, longer);
    capture_end();
    assert_int_equal(message_warning_count(), 200);
    message_clear();
}

static void test_progress_format(void **state) {
    (void)state;
    char text[512];
    progress_format(text, sizeof text, 10, "solve", "steps", 5000, 20000, 60, "change 3.1e-4");
    assert_string_equal(text,
                        "solve [###.......]  25 %, 5000 of 20000 steps, 83.3/s, 3:00 min remaining, change 3.1e-4");
    progress_format(text, sizeof text, 0, "solve", "steps", 20000, 20000, 7300, "");
    assert_string_equal(text, "solve 100 %, 20000 of 20000 steps, 2.74/s, 0 s remaining");
    progress_format(text, sizeof text, 0, "solve", "steps", 10, 20000, 20, "");
    assert_non_null(strstr(text, "11:06 h remaining"));
    progress_format(text, sizeof text, 24, "x", "y", 0, 0, 0, ""); /* nothing known: no crash, no number made up */
    assert_non_null(strstr(text, "? remaining"));
}

/* Work without a count: the share is the time that has passed, nothing is made up when the end is not known. */
static void test_progress_left(void **state) {
    (void)state;
    char text[512];
    progress_format_remaining(text, sizeof text, 10, "flow", 0.25, 60, 180, "change 3.1e-4");
    assert_string_equal(text, "flow [###.......]  25 %, about 3:00 min remaining, change 3.1e-4");
    progress_format_remaining(text, sizeof text, 10, "flow", NAN, 61, NAN, "");
    assert_string_equal(text, "flow for 1:01 min, remaining time unknown");
}

/* Another program reads how far the one is that holds the folder. */
static void test_progress_shared(void **state) {
    (void)state;
    progress_record seen;
    int held;
    char lock[512];
    snprintf(lock, sizeof lock, "%s", temp_path("here/.lock"));
    assert_int_equal(file_create_folder(temp_path("here")), OK);
    temp_text("here/.lock", "1 0 of an earlier program");
    assert_int_equal(file_lock(temp_path("here"), &held), OK);
    assert_true(file_is_locked(temp_path("here")));
    assert_false(progress_read(lock, &seen));
    progress_start_open("flow");
    progress_set_remaining(30, "step 7, change 0.5");
    assert_true(progress_read(lock, &seen));
    assert_string_equal(seen.what, "flow, step 7, change 0.5");
    assert_true(seen.left_s == 30 && seen.share >= 0 && seen.share < 0.1);
    progress_start("cells", 200, "planes");
    progress_set(50, NULL);
    assert_true(progress_read(lock, &seen));
    assert_string_equal(seen.what, "cells");
    assert_true(seen.share == 0.25);
    progress_start_open("flow");
    progress_set_remaining(NAN, "");
    assert_true(progress_read(lock, &seen) && isnan(seen.share) && isnan(seen.left_s));
    /* the second half of a work whose first half took no time: what is left is as long as this half's rest, and the
     * quarter after it takes as long as this quarter */
    progress_set_part(0, 0, 0.5, "1 of 3");
    progress_set_part(0.5, 0.5, 0.25, "2 of 3");
    progress_start_open("flow");
    progress_set_remaining(30, "step 7");
    assert_true(progress_read(lock, &seen));
    assert_string_equal(seen.what, "flow 2 of 3, step 7");
    assert_true(seen.share >= 0.5 && seen.share < 0.51);
    assert_true(fabs(seen.left_s - (30 + 30 / 3.0)) < 0.2); /* 30 s for the three quarters so far */
    progress_set_part(0, 0, 0, "");
    progress_start_open("flow");
    progress_set_remaining(30, "");
    assert_true(progress_read(lock, &seen) && seen.share < 0.1 && seen.left_s == 30);
    file_unlock(held);
    assert_false(file_is_locked(temp_path("here")));
}

/* A log gets no line for a short run, but one at its end. */
static void test_progress_log(void **state) {
    (void)state;
    message_init("solve", false);
    capture_start();
    progress_set(1, "no one started it");
    progress_start("walls", 100, "cells");
    for (int k = 0; k <= 100; k++)
        progress_set(k, k == 100 ? "done" : NULL);
    progress_end();
    progress_end();
    const char *text = capture_end();
    assert_non_null(strstr(text, "solve: walls 100 cells in "));
    assert_non_null(strstr(text, ", done\n"));
    assert_null(strchr(text, '\r'));
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); /* one line */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_progress_format),
                                       cmocka_unit_test(test_progress_left), cmocka_unit_test(test_progress_shared),
                                       cmocka_unit_test(test_progress_log)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
