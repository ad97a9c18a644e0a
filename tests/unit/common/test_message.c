/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, warnings and the progress line, as they arrive on stderr. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/progress.h"
#include "common/base/status.h"
#include "common/context/context.h"
#include "tests/unit/temp.h"
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

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
    progress_format_remaining(text, sizeof text, 0, "flow", 1, 60, 90, "cycle 3"); /* a cycle more than expected */
    assert_string_equal(text, "flow  99 %, about 1:30 min remaining, cycle 3");
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
    progress_start_open("flow");
    progress_set_remaining(0, "the end of part 2 seems near");
    assert_true(progress_read(lock, &seen) && seen.share > 0.7);
    progress_start_open("flow");
    progress_set_remaining(30, "and is not: the share waits");
    assert_true(progress_read(lock, &seen) && seen.share > 0.7 && seen.left_s > 30);
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

/* What the context of one thread has received. */
typedef struct {
    context_record record;
    int code;
    double share, left_s;
    char text[400];
} receiver;

static void receive_message(void *data, int level, const char *text) {
    receiver *r = data;
    const size_t n = strlen(r->text);
    snprintf(r->text + n, sizeof r->text - n, "%d %s;", level, text);
}

static void receive_progress(void *data, double share, double left_s, const char *note) {
    receiver *r = data;
    r->share = share;
    r->left_s = left_s;
    receive_message(data, 9, note);
}

static void *work_in_context(void *data) {
    receiver *r = data;
    context_enter(&r->record);
    for (int k = 0; k < 1000; k++) {
        status_clear();
        fail(r->code, "reason %d", r->code);
    }
    message_debug("number %d", r->code);
    message_info("two\a");
    message_suppress(true);
    message_warn("not sent");
    message_suppress(false);
    message_warn("three");
    message_warn_about("resolution", "four");
    progress_start("walls", 100, "cells");
    progress_set(25, "five");
    progress_end();
    assert_ptr_equal(context_enter(NULL), &r->record);
    return NULL;
}

/* Two threads with a context each: neither prints, records for the process, or sees the other's error. */
static void test_context(void **state) {
    (void)state;
    receiver r[2] = {{.code = ERR_INPUT}, {.code = ERR_NUMERIC}};
    pthread_t thread[2];
    char expected[100];
    status_clear();
    message_clear();
    capture_start();
    for (int k = 0; k < 2; k++) {
        r[k].record.data = &r[k];
        r[k].record.on_message = receive_message;
        r[k].record.on_progress = receive_progress;
        assert_int_equal(pthread_create(&thread[k], NULL, work_in_context, &r[k]), 0);
    }
    for (int k = 0; k < 2; k++)
        assert_int_equal(pthread_join(thread[k], NULL), 0);
    assert_string_equal(capture_end(), "");
    assert_int_equal(status_code(), OK);
    assert_int_equal(message_warning_count(), 0);
    for (int k = 0; k < 2; k++) {
        snprintf(expected, sizeof expected, "0 number %d;1 two?;2 three;3 four;9 five;", r[k].code);
        assert_string_equal(r[k].text, expected);
        snprintf(expected, sizeof expected, "reason %d", r[k].code);
        assert_string_equal(r[k].record.message, expected);
        assert_int_equal(r[k].record.code, r[k].code);
        assert_true(r[k].share == 0.25 && r[k].left_s >= 0 && r[k].left_s < 60);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines),         cmocka_unit_test(test_progress_format),
                                       cmocka_unit_test(test_progress_left), cmocka_unit_test(test_progress_shared),
                                       cmocka_unit_test(test_progress_log),  cmocka_unit_test(test_context)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
