/* SPDX-License-Identifier: Apache-2.0 */
/* Straight lines through measures along a branch. */
#ifndef PORTAFLOW_VESSEL_LINE_H
#define PORTAFLOW_VESSEL_LINE_H
#include "common/base/must_check.h"

/* Median regression: the line y = a + slope x with the least sum of absolute deviations, exact over up to 64 evenly
 * chosen points. A narrowing or a dilatation of less than half of the branch hardly moves this line. Errors:
 * ERR_INTERNAL (less than two points). */
MUST_CHECK int vessel_line_median(int n, const double *x, const double *y, double *a, double *slope);

/* Slope of the least-squares line; NAN for a single x. */
double vessel_line_slope(int n, const double *x, const double *y);
#endif
