/* SPDX-License-Identifier: Apache-2.0 */
/* Files that belong to a checkpoint: rows of monitors.csv and the stored instants of the cycle, from which means are
 * computed. The checkpoint holds a mark computed from these files. A run resumes only if the files still have this
 * mark. */
#ifndef PORTAFLOW_STORED_FILES_H
#define PORTAFLOW_STORED_FILES_H
#include "common/base/must_check.h"

enum { STORED_FILES_SUM = 17, STORED_FILES_MARK = 64 };

/* Adds `path` to `sum`, the checksum of all stored instants (16 hex digits, "" for none). Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int stored_files_add(const char *path, char sum[STORED_FILES_SUM]);

/* Computes the mark (checksum) of the files in `folder` as they are now. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int stored_files_mark(const char *folder, const char *sum, char mark[STORED_FILES_MARK]);

/* Checks that the files match the mark of a checkpoint and have `stored` instants. Cuts off the rows of monitors.csv
 * after the mark, and sets `sum` to the checksum of the stored instants, to which the continued run adds. Errors:
 * ERR_INPUT (mismatch), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int stored_files_resume(const char *folder, const char *mark, int stored, char sum[STORED_FILES_SUM]);
#endif
