/* What belongs to a checkpoint and lies beside it: the rows of monitors.csv so far and the stored instants of the
 * cycle, from which the means are made. The checkpoint keeps their mark; it is continued only with these very files. */
#ifndef PORTAFLOW_STORED_FILES_H
#define PORTAFLOW_STORED_FILES_H
#include "common/base/must_check.h"

enum { STORED_FILES_SUM = 17, STORED_FILES_MARK = 64 };

/* `sum`, a checksum of all instants stored so far (16 hex digits, "" of none), becomes that with `path` among them.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int stored_files_add(const char *path, char sum[STORED_FILES_SUM]);

/* Of the files in `folder` as they are now. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int stored_files_mark(const char *folder, const char *sum, char mark[STORED_FILES_MARK]);

/* The files are those of the mark, and of `stored` instants; what was added to monitors.csv since is dropped, `sum` is
 * set to go on with. Errors: ERR_INPUT (they are not), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int stored_files_resume(const char *folder, const char *mark, int stored, char sum[STORED_FILES_SUM]);
#endif
