/* SPDX-License-Identifier: Apache-2.0 */
/* The command `pipeline measure`: centerlines and the table of a vessel from a folder, a mask or a surface. */
#ifndef PORTAFLOW_MEASURE_H
#define PORTAFLOW_MEASURE_H
#include "common/base/must_check.h"
#include <stdbool.h>

typedef struct {
    const char *out;    /* folder of the results; NULL: DIR/out/measure, or "measure" next to a file */
    const char *labels; /* label values, such as `--labels 1,2` of `segment measure`; NULL: chosen by name or shape */
    const char *unit, *frame;
    bool all_ends; /* true: also measure beyond the openings of the case */
    int threads;
} measure_options;

/* Measures a vessel. path: a patient's folder, a mask or a surface. A folder with case.yaml is segmented first, unless
 * its segmentation is up to date; in another folder the first mask is measured, otherwise the first surface. Runs
 * `segment measure`, prints its table and also writes it to measure.txt. Errors: errors of run_patient and of the
 * program; ERR_INPUT (nothing to measure), ERR_OUTPUT. Test: tests/cli/pipeline.txt */
MUST_CHECK int measure_patient(const char *path, const measure_options *o);
#endif
