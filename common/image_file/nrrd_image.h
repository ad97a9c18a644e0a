/* NRRD: what must be checked before ITK reads one, because its reader guesses the geometry that is missing, ignores the
 * unit of length and takes voxels that are not there for zeros. Format:
 * https://teem.sourceforge.net/nrrd/format.html */
#ifndef PORTAFLOW_NRRD_IMAGE_H
#define PORTAFLOW_NRRD_IMAGE_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Space, directions and origin are given, the voxels are all there and nothing else (raw, gzip or text; in the same
 * file or in one other). *unit_mm: a length of the file in mm ("space units"; 1 where it names none).
 * *layers: of a segmentation of 3D Slicer (nrrd_layers.h), else 0.
 * Errors: ERR_INPUT. */
MUST_CHECK int nrrd_image_check(const char *path, double *unit_mm, int *layers);
#ifdef __cplusplus
}
#endif
#endif
