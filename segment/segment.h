/* The stage: case.yaml to lumen.nii.gz, phi.nii.gz, lumen.stl, qc.png and segment.json. */
#ifndef PORTAFLOW_SEGMENT_H
#define PORTAFLOW_SEGMENT_H
#include "common/base/must_check.h"
#include "common/cli/options.h"

typedef struct {
    const char *case_path, *out;
    int argc; /* for segment.json */
    char **argv;
    options_list set; /* of the case, in place of what its file says: case_read_set */
} segment_options;

/* Errors: ERR_INPUT, ERR_NUMERIC (a leak: qc.png shows it, nothing else is written), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int segment(const segment_options *o);
#endif
