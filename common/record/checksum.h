/* SPDX-License-Identifier: Apache-2.0 */
/* XXH3-64 checksums of files and folders. */
#ifndef PORTAFLOW_CHECKSUM_H
#define PORTAFLOW_CHECKSUM_H
#include "common/base/must_check.h"

/* Checksum of the bytes of a file (and of the file with its voxels, if an image has two), or of a DICOM series in a
 * folder and its sub-folders: the contents of its files in name order. The names themselves, and other files such as
 * results or a second series, have no effect. `series`: UID, or DICOM_HEAD_LABELS; NULL: all images. hex: 16 digits +
 * NUL. Links to folders are not followed. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int checksum_path(const char *path, const char *series, char hex[17]);
#endif
