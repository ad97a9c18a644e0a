/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded sentence, and what main() does with it. */
#include "common/base/status.h"
#include "tests/unit/temp.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static void test_first_reason(void **state) {
    (void)state;
    status_clear();
    assert_string_equal(status_message(), "");
    assert_int_equal(fail(ERR_INPUT, "cannot open '%s'", "a"), ERR_INPUT);
    assert_int_equal(fail(ERR_OUTPUT, "later"), ERR_OUTPUT);
    assert_string_equal(status_message(), "cannot open 'a'");
    assert_int_equal(status_code(), ERR_INPUT);
    status_clear();
    assert_int_equal(status_code(), OK);
    assert_int_equal(fail_memory("an image", 3.5 * 1024 * 1024 * 1024), ERR_RESOURCE);
    assert_string_equal(status_message(), "not enough memory for an image (3.5 GiB needed); free memory and repeat");
    status_clear();
    fail_memory("a word", 12);
    assert_string_equal(status_message(), "not enough memory for a word (12 bytes needed); free memory and repeat");
    status_clear();
}

/* What a damaged file brings along may not steer the terminal. */
static void test_controls(void **state) {
    (void)state;
    status_clear();
    fail(ERR_INPUT, "'a\033[31m\a.\r.\x7f.' is\tno\nnumber, \xc3\xa9");
    assert_string_equal(status_message(), "'a?[31m?.?.?.' is?no\nnumber, \xc3\xa9");
    status_clear();
}

static int try_twice(int first, int second, int *freed) {
    int rc;
    TRY(first);
    TRY(second);
cleanup:
    ++*freed;
    return rc;
}

static void test_try(void **state) {
    (void)state;
    int freed = 0;
    assert_int_equal(try_twice(OK, OK, &freed), OK);
    assert_int_equal(try_twice(ERR_INPUT, OK, &freed), ERR_INPUT);
    assert_int_equal(try_twice(OK, ERR_NUMERIC, &freed), ERR_NUMERIC);
    assert_int_equal(freed, 3);
}

/* Run status_finish in a child whose stdout goes to `out`; its exit code, and what it said on stderr. */
static int finish(int rc, const char *reason, const char *out, const char *printed, char said[512]) {
    const char *log = temp_path("stderr");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
        if (out)
            dup2(open(out, O_WRONLY | O_CREAT, 0600), 1);
        else
            close(1);
        status_clear();
        if (reason)
            fail(rc, "%s", reason);
        if (printed)
            printf("%s", printed);
        _exit(status_finish("solve", rc));
    }
    int status = 0;
    waitpid(child, &status, 0);
    FILE *f = fopen(log, "r");
    said[fread(said, 1, 511, f)] = '\0';
    fclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_finish(void **state) {
    (void)state;
    char said[512];
    assert_int_equal(finish(OK, NULL, "/dev/null", "fine\n", said), 0);
    assert_string_equal(said, "");
    assert_int_equal(finish(ERR_INPUT, "cannot open 'x'", "/dev/null", NULL, said), 3);
    assert_string_equal(said, "solve: cannot open 'x'\n");
    assert_int_equal(finish(ERR_INPUT, "c:1:1: a\nc:2:1: b", "/dev/null", NULL, said), 3);
    assert_string_equal(said, "solve: 2 problems:\nc:1:1: a\nc:2:1: b\n");
    assert_int_equal(finish(ERR_INPUT, "'d' holds 2 series:\n  1.2  4 slices\n  1.3  9 slices\n(one is damaged)",
                            "/dev/null", NULL, said),
                     3); /* what belongs to a line is no problem of its own */
    assert_string_equal(said, "solve: 'd' holds 2 series:\n  1.2  4 slices\n  1.3  9 slices\n(one is damaged)\n");
    assert_int_equal(finish(ERR_INPUT, "c:1:1: 'd' holds:\n  1.2\nc:2:1: b", "/dev/null", NULL, said), 3);
    assert_string_equal(said, "solve: 2 problems:\nc:1:1: 'd' holds:\n  1.2\nc:2:1: b\n");
    assert_int_equal(finish(77, NULL, "/dev/null", NULL, said), ERR_INTERNAL);
    assert_int_equal(finish(ERR_NUMERIC, NULL, "/dev/null", NULL, said), 5);
    assert_non_null(strstr(said, "without a recorded reason"));
}

static void test_full_disk(void **state) {
    (void)state;
    char said[512];
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(finish(OK, NULL, "/dev/full", "result\n", said), ERR_OUTPUT);
    assert_non_null(strstr(said, "cannot write to the standard output: No space left"));
    assert_int_equal(finish(ERR_INPUT, "bad", "/dev/full", "result\n", said), ERR_INPUT);
    assert_int_equal(finish(OK, NULL, NULL, NULL, said), OK); /* closed and not used */
    assert_int_equal(finish(OK, NULL, NULL, "result\n", said), ERR_OUTPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_reason), cmocka_unit_test(test_controls),
                                       cmocka_unit_test(test_try), cmocka_unit_test(test_finish),
                                       cmocka_unit_test(test_full_disk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
