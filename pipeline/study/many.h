/* `pipeline run A B C`: several patients, each by a `pipeline run` of its own. */
#ifndef PORTAFLOW_STUDY_MANY_H
#define PORTAFLOW_STUDY_MANY_H
#include "common/base/must_check.h"
#include "common/cli/options.h"

typedef struct {
    const char *dir;
    int argc; /* more words for this one */
    const char *const *argv;
    int exit_code;
    bool done; /* it was tried */
    double seconds;
    char sentence[512]; /* why it failed */
} many_one;

/* Runs all of them, `jobs` at a time, with the words of `common` for each (NULL-terminated, e.g. "--to", "mesh"); goes
 * on past one that fails; ends early when asked to stop. The summary on stdout unless quiet.
 * Errors: the largest exit code of all, with a sentence that counts; ERR_RESOURCE. */
MUST_CHECK int many_run(int n, many_one *one, const char *const *common, int jobs, bool quiet);
#endif
