/* Run one program as a child: its messages go to the terminal and, line by line, into a log. */
#ifndef PORTAFLOW_PROCESS_H
#define PORTAFLOW_PROCESS_H

#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdio.h>

enum { PROCESS_ARGS_MAX = 32 + 2 * OPTIONS_LIST_MAX, PROCESS_SENTENCE_MAX = 2048 };

typedef struct {
    int exit_code; /* of the program; -1 when a signal ended it */
    int signal;    /* that ended it, 0: none */
    double seconds;
    char sentence[PROCESS_SENTENCE_MAX]; /* the last line it said, "" when it said nothing */
} process_result;

/* Where a child's lines are kept. */
typedef struct {
    const char *path;                                            /* written anew */
    void (*write)(FILE *to, const char *line, const void *data); /* one line with its newline; NULL: as it is */
    const void *data;
} process_log;

/* Run argv[0] (a path) with stdin from /dev/null; stdout and stderr come to our stderr (`quiet` 1: only to the log). On
 * a terminal the child sees one too, so that its progress bar works; the log gets the finished lines only.
 * SIGINT, SIGTERM and SIGHUP sent to us are passed to the child (the second one kills it) and we wait for its end.
 * The child dies with us.
 *   argv      NULL-terminated
 *   folder    working directory of the child, NULL: ours
 *   log       NULL: none
 * Errors: ERR_RESOURCE when it cannot be started. A child that fails is OK here: see `result`. */
MUST_CHECK int process_run(const char *const *argv, const char *folder, const process_log *log, int quiet,
                           process_result *result);

/* Run argv[0] and keep its stdout in `output_path` (through "<output_path>.part"); stderr as above, no log.
 * Errors: ERR_RESOURCE when it cannot be started, ERR_OUTPUT. */
MUST_CHECK int process_capture(const char *const *argv, const char *output_path, process_result *result);

/* OK when the program did its work; else its exit code and last sentence, or ERR_RESOURCE and what ended it. */
MUST_CHECK int process_check(const char *name, const process_result *r);

/* The signal by which we were asked to stop, 0: none. */
int process_interrupted(void);

/* Give the signal its usual effect on ourselves now that everything is tidy (does not return when there is one). */
void process_die_if_interrupted(void);

/* Folder of the running program (where the stage programs lie too). Errors: ERR_INTERNAL. */
MUST_CHECK int process_bin_folder(char *folder, int size);
/* Path of a program that lies there. Errors: also ERR_INPUT when it is too long. */
MUST_CHECK int process_program(const char *name, char *path, size_t size);
/* Run it, with its lines nowhere but in the result. argument: NULL-terminated, without the program.
 * Errors: ERR_RESOURCE where it is not in this build, those of process_run. */
MUST_CHECK int process_beside(const char *name, const char *const *argument, process_result *result);
#endif
