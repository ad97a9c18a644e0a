/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of an NRRD file before ITK reads it. ITK guesses missing geometry, ignores the length unit and replaces
 * missing voxels by zeros. Format: https://teem.sourceforge.net/nrrd/format.html */
#ifndef PORTAFLOW_NRRD_IMAGE_H
#define PORTAFLOW_NRRD_IMAGE_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Check that space, directions and origin are given and that the voxels are complete, without extra bytes (raw, gzip or
 * text; in the same file or in one other file). *unit_mm: length unit of the file in mm ("space units"; 1 when
 * missing). *layers: number of layers of a 3D Slicer segmentation (nrrd_layers.h), else 0. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int nrrd_image_check(const char *path, double *unit_mm, int *layers);
#ifdef __cplusplus
}
#endif
#endif
