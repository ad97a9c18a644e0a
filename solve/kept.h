/* What belongs to a checkpoint and lies beside it: the rows of monitors.csv so far and the stored instants of the
 * cycle, from which the means are made. The checkpoint keeps their mark; it is continued only with these very files. */
#ifndef PORTAFLOW_SOLVE_KEPT_H
#define PORTAFLOW_SOLVE_KEPT_H
#include "common/base/must_check.h"

enum { KEPT_SUM = 17, KEPT_MARK = 64 };

/* `sum`, a checksum of all instants stored so far (16 hex digits, "" of none), becomes that with `path` among them.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int kept_store(const char *path, char sum[KEPT_SUM]);

/* Of the files in `folder` as they are now. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int kept_mark(const char *folder, const char *sum, char mark[KEPT_MARK]);

/* The files are those of the mark, and of `stored` instants; what was added to monitors.csv since is dropped, `sum` is
 * set to go on with. Errors: ERR_INPUT (they are not), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int kept_take(const char *folder, const char *mark, int stored, char sum[KEPT_SUM]);
#endif
