/* SPDX-License-Identifier: Apache-2.0 */
/* Reference values from a CSV file in the folder of the case, with the source in its comments. */
#ifndef PORTAFLOW_REFERENCE_H
#define PORTAFLOW_REFERENCE_H
#include "common/base/must_check.h"

enum { REFERENCE_COLUMNS = 8, REFERENCE_ROWS = 512 };

/* Lines that begin with # are comments. The first line that is not a comment names the columns. An empty field is
 * NaN. */
typedef struct {
    int n_column, n_row;
    double value[REFERENCE_COLUMNS][REFERENCE_ROWS]; /* [column][row] numbers of the table */
} reference;

/* Read <folder>/<name>. Errors: ERR_INPUT with file:line. */
MUST_CHECK int reference_read(const char *folder, const char *name, reference *r);
#endif
