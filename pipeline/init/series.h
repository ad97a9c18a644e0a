/* SPDX-License-Identifier: Apache-2.0 */
/* Choice of one DICOM series in a folder. */
#ifndef PORTAFLOW_PIPELINE_SERIES_H
#define PORTAFLOW_PIPELINE_SERIES_H
#include "common/base/must_check.h"
#include "pipeline/inspect/case_choice.h"

/* Chooses one of several series in the folder `path`: the first that can be read as one volume, ordered by
 * 1. match with `wanted` (a UID, or words of the description; NULL: any)
 * 2. acquired before derived images and localizers
 * 3. description with portal or venous, if it has a quarter of the maximum number of slices
 * 4. number of slices
 * Prints all series with their modality, the choice, and why others were not used.
 *   series  out: UID; unchanged if the folder has fewer than two series
 * Errors: ERR_INPUT when no readable series is `wanted`. */
MUST_CHECK int series_choose(const char *path, const char *wanted, char series[CASE_CHOICE_SERIES]);
#endif
