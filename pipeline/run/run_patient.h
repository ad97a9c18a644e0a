/* Run the stages of one patient in their order, skipping what is up to date. */
#ifndef PORTAFLOW_RUN_PATIENT_H
#define PORTAFLOW_RUN_PATIENT_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdbool.h>

/* How a stage failed, for programs; the sentence of the status is for people. */
typedef struct {
    bool failed;          /* a stage ended with an exit code above 0 */
    bool missing_program; /* or its program is not there */
    int stage;            /* which (enum in stages.h) */
    char sentence[512];   /* the stage's own, without its name in front */
} run_failure;

typedef struct {
    int from, to;       /* first and last stage (enum in stages.h), inclusive */
    bool force;         /* run also what is up to date, from the beginning */
    const char *device; /* for segment and solve, NULL: their default */
    int threads;        /* for every stage */
    int ranks;          /* of solve, under mpirun; 0, 1: one process */
    options_list set;   /* of the case, in place of what its file says */
    bool verbose;
    bool no_pictures;     /* of post */
    run_failure *failure; /* NULL, or zeroed: out */
    bool quiet;           /* messages of the stages to their logs only (on a terminal a line of progress), no summary */
} run_options;

/* Errors: the failing stage's exit code with its sentence; ERR_INPUT when what the first stage needs is not there;
 * ERR_RESOURCE when another run holds the folder or a program is missing; ERR_OUTPUT. */
MUST_CHECK int run_patient(const char *dir, const run_options *o);
#endif
