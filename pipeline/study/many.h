/* `pipeline run A B C`: several patients, each by a `pipeline run` of its own. */
#ifndef PORTAFLOW_STUDY_MANY_H
#define PORTAFLOW_STUDY_MANY_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "pipeline/run/run_patient.h"

typedef struct {
    const char *dir;
    int argc; /* more words for this one */
    const char *const *argv;
    int exit_code;
    bool done; /* it was tried */
    double seconds;
    char sentence[512]; /* why it failed */
} many_patient;

/* Runs all of them, `jobs` at a time, with the words of `common` for each (NULL-terminated, e.g. "--to", "mesh"); goes
 * on past one that fails; ends early when asked to stop. The summary on stdout unless quiet.
 * Errors: the largest exit code of all, with a sentence that counts; ERR_RESOURCE. */
MUST_CHECK int many_run(int n, many_patient *one, const char *const *common, int jobs, bool quiet);

/* The same of n folders, each once however often it is named, with these options; processors are shared out. */
MUST_CHECK int many_run_patients(int n, const char *const *dir, const run_options *o, int jobs);

/* Device and threads as words of a command, NULL-terminated; threads: where their number is kept. Returns how many. */
enum { MANY_OPTIONS = 16 + 2 * OPTIONS_LIST_MAX };
int many_add_options(const run_options *o, const char *common[MANY_OPTIONS], char threads[16]);
int many_threads_per_job(int threads, int jobs); /* of each of so many jobs */
#endif
