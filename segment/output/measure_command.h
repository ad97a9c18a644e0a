/* SPDX-License-Identifier: Apache-2.0 */
/* The command `segment measure`: centerlines and the table of a vessel, from a mask, a surface or a segmentation. */
#ifndef PORTAFLOW_SEGMENT_MEASURE_COMMAND_H
#define PORTAFLOW_SEGMENT_MEASURE_COMMAND_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdio.h>

typedef struct {
    const char *path;      /* mask, surface, or the output folder of segment */
    const char *case_path; /* case whose openings are the ends of the vessel; NULL: ends are found */
    const char *out;       /* folder of the results */
    const char *labels;    /* labels of the vessel, such as "1,2"; NULL: chosen as in `segment ends` */
    double unit_mm;        /* unit of a surface, mm */
    int ras;               /* frame of a surface: 1 RAS, 0 LPS, -1 the frame that the file names, or LPS if it names
                            * none */
} measure_command_options;

/* Writes centerlines.vtp, centerlines.csv, measure.csv and measure.json into the folder o->out, and prints the table to
 * `to`. Errors: read errors, ERR_INPUT (an image that is no mask, no vessel), ERR_OUTPUT, ERR_RESOURCE. Test:
 * tests/cli/segment.txt */
MUST_CHECK int measure_command_run(const measure_command_options *o, FILE *to);
#endif
