/* Command-line options from one table: parsing, --help, defaults, ranges and "did you mean" come from it.
 *
 *   static const char *case_path; static int threads; static bool resume;
 *   static const options_entry table[] = {
 *       {"case", 0, OPTION_TEXT, &case_path, "FILE", "case file", .required = true},
 *       {"threads", 't', OPTION_INT, &threads, "N", "CPU threads (default: all)", .low = 1, .high = 1024},
 *       {"resume", 0, OPTION_FLAG, &resume, NULL, "continue from the last checkpoint"},
 *       {0}};
 *   static const options_program program = {"solve", "usage line(s)", "what it does, one paragraph", table, "example"};
 *
 * --help, --version, --verbose and --threads are added to every program by options_parse itself
 * (options_threads(), options_verbose()). "--name value" and "--name=value" both work; "--" ends the options. --man
 * prints the manual page (troff) from the same table; the build makes share/man/man1 of it. */
#ifndef PORTAFLOW_OPTIONS_H
#define PORTAFLOW_OPTIONS_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_INT, OPTION_REAL, OPTION_CHOICE, OPTION_LIST };

/* Values of an option that may be given several times, in their order; borrowed from argv. */
enum { OPTIONS_LIST_MAX = 64 };
typedef struct {
    int n;
    const char *word[OPTIONS_LIST_MAX];
} options_list;

typedef struct {
    const char *name; /* long name without dashes */
    char letter;      /* short name or 0 */
    enum option_kind kind;
    /* bool*, const char**, int*, double*, int* (index of the choice), options_list*; holds the default before */
    void *target;
    /* "FILE" in the help; for OPTION_CHOICE "auto|cpu|cuda" is also the list of choices; "KEY=VALUE": there must be a
     * '=' in it */
    const char *value_name;
    const char *help;
    bool required;
    double low, high; /* range of a number, both 0: none */
} options_entry;

typedef struct {
    const char *name;    /* program, "solve" or "solve bench" */
    const char *usage;   /* after the name, e.g. "--case case.yaml --in DIR --out DIR [options]" */
    const char *summary; /* one paragraph */
    const options_entry *table;
    const char *example; /* shown in the help */
} options_program;

/* Parse. Positional words are left in argv order in positional[0..*n_positional-1] (NULL: none allowed).
 * *done is set when --help, --man or --version was answered on stdout: main then returns 0.
 * Errors: ERR_USAGE with one sentence and a hint at --help. */
MUST_CHECK int options_parse(const options_program *program, int argc, char **argv, const char **positional,
                             int max_positional, int *n_positional, bool *done);
/* "solve --threads 2 bench --cells 1e6": the command behind options that every program has takes its place before them,
 * argv[1]; otherwise argv stays as it is. */
void options_command_first(int argc, char **argv);
int options_threads(void); /* --threads N, or the number of processors this process may use */
bool options_verbose(void);
#endif
