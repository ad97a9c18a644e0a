/* SPDX-License-Identifier: Apache-2.0 */
/* Run an external reader in a separate process. If the reader crashes on a damaged file, the caller gets an error
 * message; what the reader prints is discarded. Used for DICOM and ITK formats. */
#ifndef PORTAFLOW_ISOLATE_H
#define PORTAFLOW_ISOLATE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { ISOLATE_NOTE = 512 };

/* Run `read` in a separate process. `read` fills *out (value NULL: geometry only) and returns a status with fail(). It
 * may write the name of the current file to `note`, for the message after a crash. Its stdout and stderr are discarded.
 * `name`: the file or folder, for messages. Errors: errors of `read`; ERR_INPUT when `read` crashes; ERR_RESOURCE
 * without process or memory. */
MUST_CHECK int isolate_read(const char *name, int (*read)(void *argument, char note[ISOLATE_NOTE], volume *out),
                            void *argument, volume *out);

/* For `read`: limit further memory of its process to `bytes`, because a damaged length must not exhaust the machine.
 * Larger allocations then fail. */
void isolate_limit_memory(double bytes);
#ifdef __cplusplus
}
#endif
#endif
