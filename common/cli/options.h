/* SPDX-License-Identifier: Apache-2.0 */
/* Command-line options from one table: parsing, --help, defaults, ranges and spelling hints.
 *
 *   static const char *case_path; static int threads; static bool resume;
 *   static const options_entry table[] = {
 *       {"case", 0, OPTION_TEXT, &case_path, "FILE", "case file", .required = true},
 *       {"threads", 't', OPTION_INT, &threads, "N", "CPU threads (default: all)", .low = 1, .high = 1024},
 *       {"resume", 0, OPTION_FLAG, &resume, NULL, "continue from the last checkpoint"},
 *       {0}};
 *   static const options_program program = {"solve", "usage line(s)", "summary, one paragraph", table, "example"};
 *
 * options_parse adds --help, --version, --verbose and --threads to every program (options_threads(),
 * options_verbose()). "--name value" and "--name=value" are equivalent; "--" ends the options. From the same
 * table --man prints the manual page (troff) and --completion the words for bash; the build writes share/man/man1 and
 * share/bash-completion with them. */
#ifndef PORTAFLOW_OPTIONS_H
#define PORTAFLOW_OPTIONS_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_INT, OPTION_REAL, OPTION_CHOICE, OPTION_LIST };

/* Values of an option that may be repeated, in order; borrowed from argv. */
enum { OPTIONS_LIST_MAX = 64 };
typedef struct {
    int n;
    const char *word[OPTIONS_LIST_MAX];
} options_list;

typedef struct {
    const char *name; /* long name without dashes */
    char letter;      /* short name; 0: none */
    enum option_kind kind;
    /* variable that the option sets, with its default before parsing. Its type is, in the order of the kinds: bool,
     * const char *, int, double, int (index of the choice), options_list */
    void *target;
    /* placeholder in the help, such as "FILE". OPTION_CHOICE: the list of choices, "auto|cpu|cuda". OPTION_LIST: with
     * "KEY=VALUE" every value must contain a '='. */
    const char *value_name;
    const char *help;
    bool required;
    double low, high; /* permitted range of a number; both 0: no limit */
} options_entry;

typedef struct {
    const char *name;    /* name of the program, such as "solve" or "solve bench" */
    const char *usage;   /* usage line after the name, such as "--case case.yaml --in DIR --out DIR [options]" */
    const char *summary; /* description in the help, one paragraph */
    const options_entry *table;
    const char *example; /* example of a command in the help */
} options_program;

/* Parse the command line. Positional words are stored in order in positional[0..*n_positional-1] (NULL: none allowed).
 * *done is set when --help, --man or --version was printed to stdout: main then returns 0. Errors: ERR_USAGE with one
 * sentence that refers to --help. */
MUST_CHECK int options_parse(const options_program *program, int argc, char **argv, const char **positional,
                             int max_positional, int *n_positional, bool *done);
/* Move a command after common options to argv[1]: "solve --threads 2 bench" becomes "solve bench --threads 2". Without
 * such a command argv is unchanged. */
void options_move_command_first(int argc, char **argv);
/* number of threads: --threads N, else OMP_NUM_THREADS, else the processors available to this process */
int options_threads(void);
bool options_verbose(void);
#endif
