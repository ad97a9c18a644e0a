/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one program as a child. Its messages go to the terminal and, line by line, into a log. */
#ifndef PORTAFLOW_PROCESS_H
#define PORTAFLOW_PROCESS_H

#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdio.h>

enum { PROCESS_ARGS_MAX = 32 + 2 * OPTIONS_LIST_MAX, PROCESS_SENTENCE_MAX = 2048 };

typedef struct {
    int exit_code; /* exit code of the program; -1: a signal ended it */
    int signal;    /* signal that ended the program; 0: none */
    double seconds;
    char sentence[PROCESS_SENTENCE_MAX]; /* last line of the program's output; "": none */
} process_result;

/* Log of a child's output. */
typedef struct {
    const char *path; /* path of the log; an existing file is overwritten */
    /* writes one line of the output, and its newline, to the log; NULL: lines are copied unchanged */
    void (*write)(FILE *to, const char *line, const void *data);
    const void *data;
} process_log;

/* Runs argv[0] (a path) with stdin from /dev/null. Its stdout and stderr go to our stderr (`quiet` 1: to the log only).
 * If our stderr is a terminal, the child also sees a terminal, and its progress bar works; the log gets finished lines
 * only. SIGINT, SIGTERM and SIGHUP are forwarded to the child (a second one kills it), and we wait for its end. The
 * child ends when we do.
 *   argv      NULL-terminated
 *   folder    working directory of the child, NULL: ours
 *   log       NULL: none
 * Errors: ERR_RESOURCE (cannot be started), ERR_OUTPUT (log). A child that fails is OK here: see `result`. */
MUST_CHECK int process_run(const char *const *argv, const char *folder, const process_log *log, int quiet,
                           process_result *result);

/* Runs argv[0] and writes its stdout into `output_path` (through "<output_path>.part"). stderr as in process_run, no
 * log. Errors: ERR_RESOURCE when it cannot be started, ERR_OUTPUT. */
MUST_CHECK int process_capture(const char *const *argv, const char *output_path, process_result *result);

/* Returns OK if the program succeeded. If it failed, returns its exit code, with its last line as the message; if a
 * signal ended it, returns ERR_RESOURCE. */
MUST_CHECK int process_check(const char *name, const process_result *r);

/* The signal that requested a stop, 0: none. */
int process_interrupted(void);

/* Ends this process by the signal that requested the stop, after cleanup. Returns if there was none. */
void process_die_if_interrupted(void);

/* Finds the folder of the running program, which also holds the stage programs. Errors: ERR_INTERNAL. */
MUST_CHECK int process_bin_folder(char *folder, int size);
/* Path of a program in the folder of process_bin_folder. Errors: ERR_INTERNAL, ERR_INPUT (the path is too long). */
MUST_CHECK int process_program(const char *name, char *path, size_t size);
/* Path of a file or folder of share/portaflow, next to the folder of the programs: "portal-demo", "reproduce". Errors:
 * ERR_RESOURCE when it is missing; as process_program. */
MUST_CHECK int process_data(const char *name, char *path, size_t size);
/* Runs a program in the folder of process_bin_folder; its output is in `result` only. argument: NULL-terminated,
 * without the program. Errors: ERR_RESOURCE when this build does not include it; as process_run. */
MUST_CHECK int process_run_program(const char *name, const char *const *argument, process_result *result);
#endif
