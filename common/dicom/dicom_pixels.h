/* Whether the pixel data of a DICOM file are all there and nothing else; GDCM reads a file that was cut short, or that
 * goes on behind its end, without a word. */
#ifndef PORTAFLOW_DICOM_PIXELS_H
#define PORTAFLOW_DICOM_PIXELS_H
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* bytes[n]: the whole file, not deflated. Looks for element (7FE0,0010) with `needed` bytes (native pixels, made even),
 * or, when `packed`, with a chain of fragments that ends in its delimiter; true when it lies within the file and only
 * whole elements follow it.
 * Format: DICOM PS3.5 7.1 and A.4. */
bool dicom_pixels_whole(const unsigned char *bytes, size_t n, bool big_endian, bool packed, double needed);
#ifdef __cplusplus
}
#endif
#endif
