/* Units of length in the headers of images. */
#ifndef PORTAFLOW_LENGTH_UNIT_H
#define PORTAFLOW_LENGTH_UNIT_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

/* *unit_mm: one `unit` (mm, cm, m, um, or the word: "millimeter") in mm. `key` names the line of the header.
 * Errors: ERR_INPUT (another unit). */
MUST_CHECK int length_unit(const char *path, const char *key, const char *unit, double *unit_mm);
#ifdef __cplusplus
}
#endif
#endif
