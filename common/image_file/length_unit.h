/* SPDX-License-Identifier: Apache-2.0 */
/* Length units in image headers. */
#ifndef PORTAFLOW_LENGTH_UNIT_H
#define PORTAFLOW_LENGTH_UNIT_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Set *unit_mm to the length in mm of one `unit` (mm, cm, m, um, or a word such as "millimeter"). `key`: header key for
 * the message. Errors: ERR_INPUT (another unit). */
MUST_CHECK int length_unit_to_mm(const char *path, const char *key, const char *unit, double *unit_mm);
#ifdef __cplusplus
}
#endif
#endif
