/* One of several DICOM series in a folder. */
#ifndef PORTAFLOW_PIPELINE_SERIES_H
#define PORTAFLOW_PIPELINE_SERIES_H
#include "common/base/must_check.h"
#include "pipeline/inspect/case_choice.h"

/* For the folder `path` with several series. Taken is the first that can be read as one volume, in this order: acquired
 * before derived and localizers; those whose description says portal or venous, where they have at least a quarter of
 * the slices of the longest; the number of slices; with `wanted` (not NULL: a UID, or words of the description) the
 * first of those that are it. All are printed, with the one taken and why others were not. series: its UID, unchanged
 * where the folder holds one series or none. Errors: ERR_INPUT when none is `wanted`. */
MUST_CHECK int series_choose(const char *path, const char *wanted, char series[CASE_CHOICE_SERIES]);
#endif
