/* SPDX-License-Identifier: Apache-2.0 */
/* Points from a CSV: columns x, y, z in mm; a header line and lines that begin with # are skipped. */
#ifndef PORTAFLOW_POST_PROBE_PROBE_POINTS_H
#define PORTAFLOW_POST_PROBE_PROBE_POINTS_H
#include "common/base/must_check.h"
#include <stddef.h>

typedef struct {
    size_t n, max;
    double *mm; /* [n][3] coordinates as written in the file, owned */
} probe_points;

/* Read the points; *p must be zeroed. Errors: ERR_INPUT with file:line; also for a file without points, or with a last
 * line that may be cut off within a number. */
MUST_CHECK int probe_points_read(const char *path, probe_points *p);
void probe_points_free(probe_points *p);
#endif
