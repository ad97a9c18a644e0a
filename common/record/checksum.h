/* XXH3-64 checksums of files and folders. */
#ifndef PORTAFLOW_CHECKSUM_H
#define PORTAFLOW_CHECKSUM_H
#include "common/base/must_check.h"

/* As provenance_checksum: of a file's bytes or, for a folder, of its regular files (sub-folders too) in name order,
 * contents and not names. 16 hex digits + NUL. Links to folders are not followed. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int checksum_path(const char *path, char hex[17]);
#endif
