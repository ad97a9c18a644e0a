/* SPDX-License-Identifier: Apache-2.0 */
/* Options from one table. */
#include "common/cli/options.h"
#include "common/cli/options_table.h"
#include "common/base/status.h"
#include "tests/unit/temp.h"
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static const char *case_path;
static int count, device;
static double tau;
static bool resume;
static const options_entry table[] = {{"case", 'c', OPTION_TEXT, &case_path, "FILE", "case file", .required = true},
                                      {"count", 'n', OPTION_INT, &count, "N", "how many", .low = 1, .high = 10},
                                      {"tau", 0, OPTION_REAL, &tau, "T", "relaxation time", .low = 0.5, .high = 2},
                                      {"device", 0, OPTION_CHOICE, &device, "auto|cpu|cuda", "where it runs"},
                                      {"resume", 'r', OPTION_FLAG, &resume, NULL, "continue"},
                                      {0}};
static const options_program program = {"solve", "--case FILE [options] [WORD...]",
                                        "Solves a flow.\n  bench  its speed", table, "solve --case case.yaml"};

static const char *word[3];
static int n_word;
static bool done;

/* Parse "a b c" after the program's name. */
static int parse(const char *line) {
    static char text[1024];
    char *argv[40] = {"solve"};
    int argc = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *save, *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
        argv[argc++] = strcmp(w, "''") == 0 ? "" : w;
    case_path = NULL;
    count = 4;
    device = 0;
    tau = 0.8;
    resume = done = false;
    status_clear();
    return options_parse(&program, argc, argv, word, 3, &n_word, &done);
}

static void test_values(void **state) {
    (void)state;
    assert_int_equal(parse("--case a.yaml"), OK);
    assert_string_equal(case_path, "a.yaml");
    assert_int_equal(count, 4);
    assert_false(done || resume || options_verbose());
    assert_true(options_threads() >= 1);
    assert_int_equal(parse("x --case=a=b --count 10 -r y --tau=1e0 --device cuda --threads 3 --verbose z"), OK);
    assert_string_equal(case_path, "a=b");
    assert_int_equal(count, 10);
    assert_true(tau == 1);
    assert_int_equal(device, 2);
    assert_true(resume && options_verbose());
    assert_int_equal(options_threads(), 3);
    assert_int_equal(n_word, 3);
    assert_string_equal(word[0], "x");
    assert_string_equal(word[2], "z");
    assert_int_equal(parse("-c a -n7 -t2 -v -- --case -r"), OK);
    assert_int_equal(count, 7);
    assert_int_equal(options_threads(), 2);
    assert_int_equal(n_word, 2);
    assert_string_equal(word[0], "--case");
    assert_int_equal(parse("-c=a -n=2 - -5"), OK); /* "-" and numbers are words */
    assert_int_equal(count, 2);
    assert_int_equal(n_word, 2);
    assert_int_equal(parse("--case a --case b"), OK); /* the last one counts */
    assert_string_equal(case_path, "b");
}

static void refuse(const char *line, const char *words) {
    assert_int_equal(parse(line), ERR_USAGE);
    assert_false(done);
    if (!strstr(status_message(), words) || !strstr(status_message(), "solve --help"))
        fail_msg("'%s': \"%s\" has no \"%s\" or no hint", line, status_message(), words);
    status_clear();
}

static void test_refused(void **state) {
    (void)state;
    refuse("", "'--case FILE' is missing");
    refuse("--cas a", "no option '--cas'; did you mean '--case'?");
    refuse("--resme --case a", "did you mean '--resume'?");
    refuse("--zzzzzzzz", "there is no option '--zzzzzzzz' (");
    refuse("-x", "no option '-x'");
    refuse("-rc a", "takes no value");
    refuse("--case", "needs a value (FILE)");
    refuse("--case --resume", "needs a value (FILE)");
    refuse("--case ''", "empty value");
    refuse("--resume=yes --case a", "takes no value, got 'yes'");
    refuse("--case a --count x", "whole number, got 'x'");
    refuse("--case a --count 3.5", "whole number");
    refuse("--case a --count 3abc", "whole number");
    refuse("--case a --count ''", "whole number");
    refuse("--case a --count 0", "must be between 1 and 10");
    refuse("--case a --count 99999999999999999999", "must be between 1 and 10");
    refuse("--case a --tau 0,6", "needs a number, got '0,6'");
    refuse("--case a --tau nan", "needs a number");
    refuse("--case a --tau 2.1", "must be between 0.5 and 2");
    refuse("--case a --device gpu", "must be one of auto|cpu|cuda");
    refuse("--case a --device cpu|cuda", "must be one of");
    refuse("--case a --threads 0", "must be between 1 and 1024");
    refuse("--case a 1 2 3 4", "unexpected argument '4'");
}

/* What the parse prints on stdout. */
static void capture(const char *line, char *text, size_t size) {
    fflush(stdout);
    int kept = dup(1), to = open(temp_path("stdout"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(to, 1);
    int rc = parse(line);
    fflush(stdout);
    dup2(kept, 1);
    lseek(to, 0, SEEK_SET);
    ssize_t n = read(to, text, size - 1);
    text[n > 0 ? n : 0] = '\0';
    close(to);
    close(kept);
    assert_int_equal(rc, OK);
    assert_true(done);
}

static void test_help(void **state) {
    (void)state;
    char text[8192];
    capture("--case --help --nonsense", text, sizeof text);
    const char *const wanted[] = {"Usage: solve --case FILE [options]",
                                  "Solves a flow.\n  bench  its speed\n",
                                  "-c, --case FILE",
                                  "case file (required)",
                                  "how many (1 to 10, default: 4)",
                                  "relaxation time (0.5 to 2, default: 0.8)",
                                  "--device auto|cpu|cuda",
                                  "where it runs (default: auto)",
                                  "-r, --resume",
                                  "-t, --threads N",
                                  "-v, --verbose",
                                  "-h, --help",
                                  "--version",
                                  "Example:\n  solve --case case.yaml",
                                  "Exit codes: 0 done"};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
        if (!strstr(text, wanted[k]))
            fail_msg("the help has no \"%s\":\n%s", wanted[k], text);
    int lines = 0;
    for (char *save, *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save), lines++)
        assert_true(strlen(l) <= 100);
    assert_true(lines < 40);
    capture("--version", text, sizeof text);
    assert_string_equal(text, "solve (portaflow) 0.1.0\n");
}

static void test_command_first(void **state) {
    (void)state;
    char *before[] = {"p", "--threads", "2", "-v", "run", "x"}, *case_word[] = {"p", "--case", "run"};
    options_move_command_first(6, before);
    const char *const after[] = {"p", "run", "--threads", "2", "-v", "x"};
    for (int k = 0; k < 6; k++)
        assert_string_equal(before[k], after[k]);
    options_move_command_first(3, case_word);
    assert_string_equal(case_word[1], "--case");
    options_move_command_first(3, before); /* the command is where it belongs */
    assert_string_equal(before[1], "run");
    char *none[] = {"p", "--threads"};
    options_move_command_first(2, none);
    assert_string_equal(none[1], "--threads");
}

static void test_threads(void **state) {
    (void)state;
    assert_int_equal(parse("--case a"), OK);
    setenv("OMP_NUM_THREADS", "5", 1);
    assert_int_equal(options_threads(), 5);
    setenv("OMP_NUM_THREADS", "nonsense", 1);
    int all = options_threads();
    assert_true(all >= 1 && all <= (int)sysconf(_SC_NPROCESSORS_CONF));
    unsetenv("OMP_NUM_THREADS");
    assert_int_equal(options_threads(), all);
}

/* The manual page from the same table: names, ranges and defaults as in the help, '-' as troff writes it. */
static void test_man(void **state) {
    (void)state;
    char text[8192];
    capture("--case --man --nonsense", text, sizeof text);
    const char *const wanted[] = {".TH \"SOLVE\" 1",
                                  "solve \\- solves a flow\n",
                                  ".B solve\n\\-\\-case FILE [options]",
                                  "\\fB\\-c\\fR, \\fB\\-\\-case\\fR \\fIFILE\\fR\ncase file (required)",
                                  "how many (1 to 10, default: 4)",
                                  "\\fIauto|cpu|cuda\\fR\nwhere it runs (default: auto)",
                                  ".SH EXIT STATUS\n.TP\n0\ndone",
                                  "solve \\-\\-case case.yaml"};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
        if (!strstr(text, wanted[k]))
            fail_msg("the page has no \"%s\":\n%s", wanted[k], text);
}

/* A default that is no value of the option (an empty text, a choice that was not made, a number out of range) is not
 * shown. */
static void test_no_default(void **state) {
    (void)state;
    const char *nothing = "", *title = "flow";
    int choice = -1, chosen = 1, number = 0;
    double real = NAN;
    const struct {
        options_entry entry;
        const char *said;
    } tried[] = {{{"title", 0, OPTION_TEXT, &nothing, "TEXT", "above"}, ""},
                 {{"title", 0, OPTION_TEXT, &title, "TEXT", "above"}, " (default: flow)"},
                 {{"as", 0, OPTION_CHOICE, &choice, "a|b", "which"}, ""},
                 {{"as", 0, OPTION_CHOICE, &chosen, "a|b", "which"}, " (default: b)"},
                 {{"longest", 0, OPTION_INT, &number, "N", "cells", .low = 8, .high = 99}, " (8 to 99)"},
                 {{"snr", 0, OPTION_REAL, &real, "X", "noise", .low = 0, .high = 5}, " (0 to 5)"}};
    for (size_t k = 0; k < sizeof tried / sizeof tried[0]; k++) {
        char text[256];
        options_describe(&tried[k].entry, text, sizeof text);
        assert_string_equal(text, tried[k].said);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),    cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_help),      cmocka_unit_test(test_man),
                                       cmocka_unit_test(test_threads),   cmocka_unit_test(test_command_first),
                                       cmocka_unit_test(test_no_default)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
