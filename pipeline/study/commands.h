/* The commands `table`, `compare`, `sweep` and, of several folders, `run`: options and help. */
#ifndef PORTAFLOW_STUDY_COMMANDS_H
#define PORTAFLOW_STUDY_COMMANDS_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "pipeline/run/run_patient.h"

enum { STUDY_DIRS = 1000 };

/* The options and the folders of a command, `least` to `most` into dir[most]; done: help was asked for and shown.
 * Errors: ERR_USAGE. */
MUST_CHECK int commands_folders(const options_program *program, int argc, char **argv, int least, int most,
                                const char **dir, int *n, bool *done);

/* argv[0] is the command. Errors: ERR_USAGE, and those of table.h, sweep.h. */
MUST_CHECK int command_table(int argc, char **argv);
MUST_CHECK int command_compare(int argc, char **argv);
MUST_CHECK int command_sweep(int argc, char **argv);

/* `run` of n folders, each once however often it is named, with these options. Errors: as many_run. */
MUST_CHECK int commands_run_many(int n, const char *const *dir, const run_options *o, int jobs);
#endif
