/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the stages of one patient in order and skips stages that are up to date. */
#ifndef PORTAFLOW_RUN_PATIENT_H
#define PORTAFLOW_RUN_PATIENT_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdbool.h>

/* Failure of a stage, for programs. The message of the status is for people. */
typedef struct {
    bool failed;          /* true: a stage ended with an exit code above 0 */
    bool missing_program; /* true: the program of the stage does not exist */
    int stage;            /* the failed stage (enum in stages.h) */
    char sentence[512];   /* message of the failed stage, without the name of the program before it */
} run_failure;

typedef struct {
    int from, to;       /* first and last stage to run (enum in stages.h), both included */
    bool force;         /* true: also run stages that are up to date, from their beginning */
    const char *device; /* device for segment and solve; NULL: default */
    int threads;        /* number of threads of each stage */
    int ranks;          /* number of MPI ranks of solve; 0 or 1: one process */
    options_list set;   /* settings that replace values of the case */
    bool verbose;
    bool no_pictures;     /* true: post draws no pictures */
    run_failure *failure; /* output: which stage failed and why. The caller sets it to 0 before the run. NULL: not
                           * requested */
    /* true: the stages write only into their logs, with one progress line on a terminal, and there is no summary */
    bool quiet;
} run_options;

/* Runs the stages from o->from to o->to in the folder `dir`. Errors: the failing stage's exit code with its message;
 * ERR_INPUT when an input of the first stage is missing; ERR_RESOURCE when another run holds the folder or a program is
 * missing; ERR_OUTPUT. */
MUST_CHECK int run_patient(const char *dir, const run_options *o);
#endif
