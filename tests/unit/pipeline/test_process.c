/* SPDX-License-Identifier: Apache-2.0 */
/* A child process: its exit code, its log, its signals. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include "tests/unit/temp.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static process_result shell(const char *command, const char *in) {
    const char *argv[] = {"/bin/sh", "-c", command, NULL};
    const process_log log = {temp_path("log"), NULL, NULL};
    process_result r;
    status_clear();
    assert_int_equal(process_run(argv, in, &log, 1, &r), OK);
    return r;
}

static void test_exit_code_and_last_sentence(void **state) {
    (void)state;
    process_result r = shell("echo first; echo 'solve: tau 0.48 is too low' >&2; exit 5", NULL);
    assert_int_equal(r.exit_code, 5);
    assert_int_equal(r.signal, 0);
    assert_string_equal(r.sentence, "solve: tau 0.48 is too low");
}

static void test_log_holds_finished_lines_only(void **state) {
    (void)state;
    char *text = NULL;
    shell("printf 'start\\n10 %%\\r50 %%\\r\\033[31m100 %%\\033[0m\\nlast without end'", NULL);
    assert_int_equal(file_read(temp_path("log"), 10000, &text, NULL), OK);
    assert_non_null(strstr(text, "\nstart\n100 %\nlast without end\n# ended with exit code 0"));
    assert_null(strstr(strchr(text, '\n'), "50 %")); /* the first line is the command */
    assert_null(strchr(text, '\033'));
    free(text);
}

static void test_signal_is_told(void **state) {
    (void)state;
    process_result r = shell("kill -9 $$", NULL);
    assert_int_equal(r.exit_code, -1);
    assert_int_equal(r.signal, SIGKILL);
    assert_int_equal(process_check("post plot", &r), ERR_RESOURCE);
    assert_string_equal(status_message(), "post plot was killed by signal 9 (Killed): memory ran out, a user stopped "
                                          "the program, or the program has an error");
}

static void test_check_passes_the_sentence_on(void **state) {
    (void)state;
    process_result r = shell("echo 'post: no such file' >&2; exit 3", NULL);
    assert_int_equal(process_check("post probe", &r), ERR_INPUT);
    assert_string_equal(status_message(), "post: no such file");
    r = shell("exit 5", NULL);
    assert_int_equal(process_check("post probe", &r), ERR_NUMERIC);
    assert_string_equal(status_message(),
                        "post probe failed with exit code 5 and no message: this is an error in the program");
    r = shell("true", NULL);
    assert_int_equal(process_check("post probe", &r), OK);
}

static void test_working_folder_and_no_stdin(void **state) {
    (void)state;
    process_result r = shell("pwd; if read line; then echo got; fi; pwd", temp_root);
    assert_int_equal(r.exit_code, 0);
    assert_string_equal(file_name(r.sentence), file_name(temp_root));
}

static void test_missing_program_is_refused(void **state) {
    (void)state;
    const char *argv[] = {"/nowhere/at/all", NULL};
    process_result r;
    status_clear();
    assert_int_equal(process_run(argv, NULL, NULL, 1, &r), ERR_RESOURCE);
    assert_non_null(strstr(status_message(), "'/nowhere/at/all'"));
}

static void test_much_output_is_not_lost(void **state) {
    (void)state;
    char *text = NULL;
    shell("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done", NULL);
    assert_int_equal(file_read(temp_path("log"), 1000000, &text, NULL), OK);
    assert_non_null(strstr(text, "\nline 0\nline 1\n"));
    assert_non_null(strstr(text, "\nline 19998\nline 19999\n"));
    free(text);
}

static void test_capture_is_whole_or_not_there(void **state) {
    (void)state;
    const char *good[] = {"/bin/sh", "-c", "echo x,y; echo 1,2", NULL};
    const char *bad[] = {"/bin/sh", "-c", "echo half; exit 3", NULL};
    const char *path = temp_path("out.csv");
    char *text = NULL;
    process_result r;
    status_clear();
    assert_int_equal(process_capture(bad, path, &r), OK);
    assert_int_equal(r.exit_code, 3);
    assert_false(file_exists(path));
    assert_int_equal(process_capture(good, path, &r), OK);
    assert_int_equal(file_read(path, 100, &text, NULL), OK);
    assert_string_equal(text, "x,y\n1,2\n");
    free(text);
    assert_false(file_exists(temp_path("out.csv.part")));
}

static void test_capture_without_a_folder_is_an_error(void **state) {
    (void)state;
    const char *argv[] = {"/bin/echo", "x", NULL};
    process_result r;
    status_clear();
    assert_int_equal(process_capture(argv, "/proc/none/x", &r), ERR_OUTPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exit_code_and_last_sentence),
                                       cmocka_unit_test(test_log_holds_finished_lines_only),
                                       cmocka_unit_test(test_signal_is_told),
                                       cmocka_unit_test(test_check_passes_the_sentence_on),
                                       cmocka_unit_test(test_working_folder_and_no_stdin),
                                       cmocka_unit_test(test_missing_program_is_refused),
                                       cmocka_unit_test(test_much_output_is_not_lost),
                                       cmocka_unit_test(test_capture_is_whole_or_not_there),
                                       cmocka_unit_test(test_capture_without_a_folder_is_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
