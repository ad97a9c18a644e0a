/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline sweep DIR --set KEY='v1, v2, ..'`: the case with each of several values. */
#ifndef PORTAFLOW_STUDY_SWEEP_H
#define PORTAFLOW_STUDY_SWEEP_H
#include "common/base/must_check.h"
#include "common/cli/options.h"

enum { SWEEP_VALUES = 32, SWEEP_TEXT = 128 };

/* Splits the values of one key. "3, 3.5, 4 mPa s" gives 3 mPa s, 3.5 mPa s, 4 mPa s: values without a unit get the unit
 * of the last. A comma inside brackets or quotes does not separate. Returns the number of values; -1 for more than
 * SWEEP_VALUES, an empty or a too long value. */
int sweep_split(const char *list, char value[SWEEP_VALUES][SWEEP_TEXT]);

/* Runs every combination as a patient in DIR/sweep/01, 02, ..: links to the files in DIR, and an out/. A stage is taken
 * from DIR/out or an earlier combination if its part of the case is the same there. Table on stdout, all numbers in
 * DIR/sweep/sweep.csv; for one numeric key curves in sweep-mmHg, -Pa, -flow, -velocity.png. Errors: as many_run. */
MUST_CHECK int sweep_run(const char *dir, const options_list *set, const char *const *common, int jobs);
#endif
