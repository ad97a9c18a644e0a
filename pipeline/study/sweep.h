/* `pipeline sweep DIR --set KEY='v1, v2, ..'`: the case with each of several values. */
#ifndef PORTAFLOW_STUDY_SWEEP_H
#define PORTAFLOW_STUDY_SWEEP_H
#include "common/base/must_check.h"
#include "common/cli/options.h"

enum { SWEEP_VALUES = 32, SWEEP_TEXT = 128 };

/* The values of one key: "3, 3.5, 4 mPa s" is 3 mPa s, 3.5 mPa s, 4 mPa s: what the last one names after its number
 * the others take, too. A comma inside brackets or quotes does not separate. Returns how many; -1 when there are more
 * than SWEEP_VALUES, an empty or a too long one. */
int sweep_split(const char *list, char value[SWEEP_VALUES][SWEEP_TEXT]);

/* Every combination of the values is a patient of its own in DIR/sweep/01, 02, ..: links to what lies in DIR, and an
 * out/ that takes every stage from DIR/out or an earlier one of the sweep whose part of the case is the same. Table on
 * stdout, all numbers in DIR/sweep/sweep.csv, with one numeric key curves in sweep-<unit>.png. Errors: as many_run. */
MUST_CHECK int sweep_run(const char *dir, const options_list *set, const char *const *common, int jobs);
#endif
