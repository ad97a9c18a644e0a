/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a MetaImage before ITK reads it. ITK replaces missing voxels by zeros and missing geometry by 1 mm and
 * origin 0, and ignores the length unit. */
#ifndef PORTAFLOW_META_IMAGE_H
#define PORTAFLOW_META_IMAGE_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Check that spacing, directions and position are given and that the voxels are complete and undamaged, without extra
 * bytes. Voxels in the same file or in one other file are checked; lists of slice files are refused. *unit_mm: length
 * unit of the file in mm (DistanceUnits; 1 when missing). Errors: ERR_INPUT. */
MUST_CHECK int meta_image_check(const char *path, double *unit_mm);
#ifdef __cplusplus
}
#endif
#endif
