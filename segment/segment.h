/* SPDX-License-Identifier: Apache-2.0 */
/* The stage segment: case.yaml to lumen.nii.gz, phi.nii.gz, lumen.stl, qc.png and segment.json. */
#ifndef PORTAFLOW_SEGMENT_H
#define PORTAFLOW_SEGMENT_H
#include "common/base/must_check.h"
#include "common/cli/options.h"

typedef struct {
    const char *case_path, *out;
    int argc; /* argc, argv: command line, for segment.json */
    char **argv;
    options_list set; /* settings that override the case file (case_read_set) */
} segment_options;

/* Run the stage. Errors: ERR_INPUT, ERR_NUMERIC (lumen refused; writes at most qc.png), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int segment_run(const segment_options *o);
#endif
