/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files, folders, and outputs that appear complete or not at all. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/cli/stop.h"
#include "tests/unit/temp.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static void test_round_trip(void **state) {
    (void)state;
    char *text, data[100000];
    size_t size;
    for (size_t k = 0; k < sizeof data; k++)
        data[k] = (char)(k * 7);
    const size_t sizes[] = {0, 1, 65535, 65536, 65537, sizeof data};
    for (int k = 0; k < 6; k++) {
        assert_int_equal(file_write(temp_path("round"), data, sizes[k]), OK);
        assert_int_equal(file_read(temp_path("round"), sizeof data, &text, &size), OK);
        assert_int_equal(size, sizes[k]);
        assert_memory_equal(text, data, size);
        assert_int_equal(text[size], '\0');
        free(text);
    }
    assert_false(file_exists(temp_path("round.part")));
}

static void refuse_read(const char *path, size_t limit, const char *words) {
    char *text = (char *)1;
    status_clear();
    assert_int_equal(file_read(path, limit, &text, NULL), ERR_INPUT);
    assert_null(text);
    if (!strstr(status_message(), words))
        fail_msg("\"%s\" has no \"%s\"", status_message(), words);
    status_clear();
}

static void test_refused(void **state) {
    (void)state;
    temp_text("ten", "0123456789");
    refuse_read(temp_path("none"), 100, "No such file");
    refuse_read(temp_path("."), 100, "a folder");
    refuse_read(temp_path("ten"), 9, "the limit is");
    refuse_read("/dev/zero", 100, "not a file");
    assert_int_equal(mkfifo(temp_path("pipe"), 0600), 0);
    refuse_read(temp_path("pipe"), 100, "not a file"); /* and does not wait for a writer */
    assert_int_equal(file_check(temp_path("ten")), OK);
    assert_int_equal(file_check(temp_path("pipe")), ERR_INPUT);
    status_clear();
    assert_int_equal(file_write(temp_path("none/x"), "a", 1), ERR_OUTPUT);
    status_clear();
    assert_int_equal(file_write("", "a", 1), ERR_USAGE);
    status_clear();
}

/* A disk that is full, told as a file that may not grow. */
static void test_full(void **state) {
    (void)state;
    struct rlimit before, small;
    char block[8192] = {0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const int rc = file_write(temp_path("full"), block, sizeof block);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(rc, ERR_OUTPUT);
    assert_non_null(strstr(status_message(), "File too large"));
    assert_false(file_exists(temp_path("full")));
    assert_false(file_exists(temp_path("full.part")));
    status_clear();
}

/* Results without their record are removed; with it, and those of earlier, they stay. */
static void test_together(void **state) {
    (void)state;
    for (int failed = 0; failed < 2; failed++) {
        assert_int_equal(file_write(temp_path("earlier"), "a", 1), OK);
        file_group_begin();
        assert_int_equal(file_write(temp_path("result-1"), "a", 1), OK);
        assert_int_equal(file_write(temp_path("result-2"), "a", 1), OK);
        assert_int_equal(file_group_end(failed ? ERR_OUTPUT : OK), failed ? ERR_OUTPUT : OK);
        assert_int_equal(file_write(temp_path("later"), "a", 1), OK);
        assert_int_equal(file_group_end(ERR_OUTPUT), ERR_OUTPUT); /* nothing is noted any more */
        assert_true(file_exists(temp_path("earlier")) && file_exists(temp_path("later")));
        assert_int_equal(file_exists(temp_path("result-1")), !failed);
        assert_int_equal(file_exists(temp_path("result-2")), !failed);
    }
}

/* A link of an output's name, or of its part's, leads nowhere: what it points at stays as it is. */
static void test_links(void **state) {
    (void)state;
    char *text;
    temp_text("mine", "precious");
    assert_int_equal(symlink("mine", temp_path("linked.part")), 0);
    assert_int_equal(symlink("mine", temp_path("b")), 0);
    assert_int_equal(symlink("mine", temp_path("log")), 0);
    assert_int_equal(file_write(temp_path("linked"), "new", 3), OK);
    assert_int_equal(file_write(temp_path("b"), "new", 3), OK);
    FILE *f = file_open_growing(temp_path("log"), false);
    assert_non_null(f);
    assert_int_equal(fputs("new", f) < 0, 0);
    assert_int_equal(fclose(f), 0);
    f = file_open_growing(temp_path("log"), true);
    assert_non_null(f);
    assert_int_equal(fputs(", more", f) < 0, 0);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(file_read(temp_path("mine"), 100, &text, NULL), OK);
    assert_string_equal(text, "precious");
    free(text);
    assert_int_equal(file_read(temp_path("log"), 100, &text, NULL), OK);
    assert_string_equal(text, "new, more");
    free(text);
}

/* A stopped program leaves no part; one that asked for time ends by the signal all the same. */
static void test_stop(void **state) {
    (void)state;
    for (int deferred = 0; deferred < 2; deferred++) {
        int how = 0;
        const pid_t child = fork();
        if (child == 0) {
            char part[FILE_PATH_MAX];
            stop_catch_signals();
            stop_defer_signals(deferred);
            if (file_part_create(temp_path("stopped"), part) != OK)
                _exit(1);
            raise(SIGTERM);
            if (!deferred || stop_requested_signal() != SIGTERM || !file_exists(part))
                _exit(2);
            stop_end_by_signal();
            _exit(3);
        }
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGTERM);
        assert_false(file_exists(temp_path("stopped.part")));
    }
}

/* A library that crashes or exits after an allocation failed wants memory; otherwise a crash stays one. No part is
 * left. */
static void test_crash(void **state) {
    (void)state;
    static const int number[] = {SIGSEGV, SIGABRT};
    for (int k = 0; k < 6; k++) { /* two signals and exit() */
        int how = 0;
        const bool memory = k < 3, leaves = k % 3 == 2;
        const pid_t child = fork();
        if (child == 0) {
            char part[FILE_PATH_MAX];
            for (int n = 0; n < 2; n++)
                signal(number[n], SIG_DFL); /* cmocka's and a sanitizer's */
            stop_catch_signals();
            if (file_part_create(temp_path("crashed"), part) != OK || freopen("/dev/null", "w", stderr) == NULL)
                _exit(100);
            errno = memory ? ENOMEM : ENOENT;
            if (leaves)
                exit(255);
            raise(number[k % 3]);
            _exit(101);
        }
        assert_int_equal(waitpid(child, &how, 0), child);
        if (memory || leaves)
            assert_true(WIFEXITED(how) && WEXITSTATUS(how) == (memory ? ERR_RESOURCE : ERR_INTERNAL));
        else
            assert_true(WIFSIGNALED(how) && WTERMSIG(how) == number[k % 3]);
        assert_false(file_exists(temp_path("crashed.part")));
    }
}

/* An old file stays whole when the new one cannot take its place. */
static void test_commit(void **state) {
    (void)state;
    char part[FILE_PATH_MAX];
    assert_int_equal(file_create_folder(temp_path("taken/inner")), OK);
    assert_int_equal(file_part_create(temp_path("taken"), part), OK);
    temp_text("taken.part", "new");
    assert_int_equal(file_commit(part, temp_path("taken")), ERR_OUTPUT);
    assert_false(file_exists(part));
    assert_true(file_is_folder(temp_path("taken/inner")));
    status_clear();
}

static void test_folders(void **state) {
    (void)state;
    assert_int_equal(file_create_folder(temp_path("a/b//c/")), OK);
    assert_int_equal(file_create_folder(temp_path("a/b/c")), OK);
    assert_true(file_is_folder(temp_path("a/b/c")));
    temp_text("word", "x");
    assert_int_equal(file_create_folder(temp_path("word/d")), ERR_OUTPUT);
    assert_non_null(strstr(status_message(), "a file or a broken link has this name"));
    status_clear();
    temp_text("a/b/c/file", "x");
    assert_int_equal(symlink("/etc", temp_path("a/link")), 0);
    file_remove_folder(temp_path("a"));
    assert_false(file_exists(temp_path("a")));
    assert_true(file_exists("/etc"));
}

static void check_text(char *text, const char *expected) {
    assert_string_equal(text, expected);
    free(text);
}

static void test_names(void **state) {
    (void)state;
    check_text(file_join("a", "b.c"), "a/b.c");
    check_text(file_join("a/", "b.c"), "a/b.c");
    check_text(file_join("", "b.c"), "b.c");
    check_text(file_join(NULL, "b.c"), "b.c");
    check_text(file_join("a", "/b.c"), "/b.c");
    check_text(file_folder("a/b/c"), "a/b");
    check_text(file_folder("c"), ".");
    check_text(file_folder("/c"), "/");
    assert_string_equal(file_name("a/b.c"), "b.c");
    assert_string_equal(file_name("b.c"), "b.c");
    assert_true(file_ends_with("x.NII.GZ", ".nii.gz"));
    assert_false(file_ends_with("gz", ".nii.gz"));
}

/* A second program is refused while the first lives, however that ends. */
static void test_lock(void **state) {
    (void)state;
    int held, ready[2];
    char word;
    assert_int_equal(file_create_folder(temp_path("locked")), OK);
    assert_int_equal(pipe(ready), 0);
    const pid_t first = fork();
    if (first == 0) {
        if (file_lock(temp_path("locked"), &held) != OK || write(ready[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &word, 1), 1);
    assert_int_equal(file_lock(temp_path("locked"), &held), ERR_RESOURCE);
    assert_non_null(strstr(status_message(), "another program is writing"));
    assert_int_equal(held, -1);
    status_clear();
    temp_text("locked/a.h5.part", "left");
    temp_text("locked/b.part.nii.gz", "left");
    temp_text("locked/part", "mine");
    kill(first, SIGKILL);
    assert_int_equal(waitpid(first, NULL, 0), first);
    assert_int_equal(file_lock(temp_path("locked"), &held), OK);
    assert_false(file_exists(temp_path("locked/a.h5.part")) || file_exists(temp_path("locked/b.part.nii.gz")));
    assert_true(file_exists(temp_path("locked/part")));
    close(held);
    assert_int_equal(file_lock(temp_path("not/there"), &held), ERR_OUTPUT);
    status_clear();
}

static void test_path(void **state) {
    (void)state;
    char path[12];
    assert_int_equal(file_path(path, sizeof path, "%s/%s-%02d", "a", "b", 7), OK);
    assert_string_equal(path, "a/b-07");
    assert_int_equal(file_path(path, sizeof path, "%s/%s", "folder", "name"), OK); /* 11 and its end */
    assert_int_equal(file_path(path, sizeof path, "%s/%s", "folder", "names"), ERR_INPUT);
    assert_non_null(strstr(status_message(), "is longer than 11 characters"));
    status_clear();
}

/* A rename would put a file in the place of a device or a pipe: refused, and it stays. */
static void test_no_file(void **state) {
    (void)state;
    struct stat info;
    char pipe[FILE_PATH_MAX], link[FILE_PATH_MAX];
    snprintf(pipe, sizeof pipe, "%s", temp_path("in_the_way"));
    snprintf(link, sizeof link, "%s", temp_path("to_pipe"));
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(symlink(pipe, link), 0);
    const char *const path[] = {pipe, link, "/dev/null", "/dev/stdout", "/dev/portaflow"};
    for (size_t k = 0; k < sizeof path / sizeof *path; k++) {
        status_clear();
        assert_int_equal(file_write(path[k], "text", 4), ERR_OUTPUT);
        assert_non_null(strstr(status_message(), "give the name of a file"));
    }
    status_clear();
    assert_true(stat(pipe, &info) == 0 && S_ISFIFO(info.st_mode));
    assert_true(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    assert_true(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path),   cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_commit), cmocka_unit_test(test_full),       cmocka_unit_test(test_together),
        cmocka_unit_test(test_links),  cmocka_unit_test(test_no_file),    cmocka_unit_test(test_stop),
        cmocka_unit_test(test_crash),  cmocka_unit_test(test_folders),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_lock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
