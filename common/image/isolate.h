/* Run a foreign reader in a process of its own, so that whatever a damaged file does to it (a failed assertion, a wild
 * pointer, text on stderr) ends in one sentence here. The readers of DICOM and of ITK's formats run this way. */
#ifndef PORTAFLOW_ISOLATE_H
#define PORTAFLOW_ISOLATE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { ISOLATE_NOTE = 512 };

/* `read` fills *out (value NULL for geometry only) and returns a status with fail(); it may write what it is busy with
 * (a file name) to `note`. Its stdout and stderr are discarded. `name` is what is read, for the sentence.
 * Errors: those of `read`; ERR_INPUT when it crashes; ERR_RESOURCE when there is no process or memory for it. */
MUST_CHECK int isolate_read(const char *name, int (*read)(void *argument, char note[ISOLATE_NOTE], volume *out),
                            void *argument, volume *out);

/* From within `read`: let this process take at most `bytes` more memory, so that a damaged length cannot fill the
 * machine; beyond it allocations fail. */
void isolate_limit_memory(double bytes);
#ifdef __cplusplus
}
#endif
#endif
