/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline treat`: a case after a treatment that is tried on the computer. */
#ifndef PORTAFLOW_PIPELINE_TREAT_H
#define PORTAFLOW_PIPELINE_TREAT_H
#include "common/base/must_check.h"

typedef struct {
    const char *dir;  /* patient before the treatment, already segmented */
    const char *out;  /* folder of the case after the treatment; created if it does not exist */
    const char *plan; /* file with the list treat; NULL: DIR/treat.yaml */
    int threads;
} treat_options;

/* Writes OUT/case.yaml and changes the lumen (stage segment of OUT). A case.yaml of an earlier treatment is replaced,
 * any other is kept. After an error the earlier state of OUT is restored. Errors: ERR_USAGE (OUT is DIR), ERR_INPUT,
 * ERR_OUTPUT, ERR_RESOURCE, or the exit code of segment. Test: tests/cli/treat.sh */
MUST_CHECK int treat_patient(const treat_options *o);
#endif
