/* SPDX-License-Identifier: Apache-2.0 */
/* Check that the pixel data of a DICOM file are complete. GDCM silently reads files that were cut short or have extra
 * bytes. */
#ifndef PORTAFLOW_DICOM_PIXELS_H
#define PORTAFLOW_DICOM_PIXELS_H
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* True when the whole file bytes[n] (not deflated) contains element (7FE0,0010) and only complete elements after it.
 * The element has `needed` bytes (native pixels, rounded up to even) or, when `packed`, a chain of fragments with its
 * delimiter. Format: DICOM PS3.5 sections 7.1 and A.4. */
bool dicom_pixels_complete(const unsigned char *bytes, size_t n, bool big_endian, bool packed, double needed);
#ifdef __cplusplus
}
#endif
#endif
