/* XXH3-64 checksums of files and folders. */
#ifndef PORTAFLOW_CHECKSUM_H
#define PORTAFLOW_CHECKSUM_H
#include "common/base/must_check.h"

/* Checksum of the bytes of a file, or of the contents of all regular files of a folder and its sub-folders in name
 * order. Names do not enter the checksum. hex: 16 digits + NUL. Links to folders are not followed. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int checksum_path(const char *path, char hex[17]);
#endif
