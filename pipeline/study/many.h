/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline run A B C`: several patients, each in its own `pipeline run` process. */
#ifndef PORTAFLOW_STUDY_MANY_H
#define PORTAFLOW_STUDY_MANY_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "pipeline/run/run_patient.h"

typedef struct {
    const char *dir;
    int argc; /* number of words that are added to this patient's command line */
    const char *const *argv;
    int exit_code;
    bool done; /* true: the run was started */
    double seconds;
    char sentence[512]; /* reason why the run failed */
} many_patient;

/* Runs all patients, `jobs` at a time, each with the words of `common` (NULL-terminated, e.g. "--to", "mesh"). A
 * failure does not stop the others; a stop signal does. Prints a summary on stdout unless quiet. Errors: the largest
 * exit code, with the number of failures; ERR_RESOURCE. */
MUST_CHECK int many_run(int n, many_patient *one, const char *const *common, int jobs, bool quiet);

/* Sets unique [n]: each of the n folders once, in order; two paths to one folder count as one. Returns its length. */
int many_unique(int n, const char *const *dir, const char **unique);

/* Runs the patients of n folders with these options. A folder named twice runs once. The processors are divided among
 * the jobs. */
MUST_CHECK int many_run_patients(int n, const char *const *dir, const run_options *o, int jobs);

/* Writes device and threads as words of a command line, NULL-terminated.
 *   threads  buffer for the number of threads
 * Returns the number of words. */
enum { MANY_OPTIONS = 16 + 2 * OPTIONS_LIST_MAX };
int many_add_options(const run_options *o, const char *common[MANY_OPTIONS], char threads[16]);
int many_threads_per_job(int threads, int jobs); /* number of threads for each of `jobs` jobs that run at once */
#endif
