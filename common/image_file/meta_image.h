/* MetaImage: what must be checked before ITK reads one, because its reader fills what is missing with zeros,
 * a missing geometry with 1 mm from 0, and ignores the unit of length. */
#ifndef PORTAFLOW_META_IMAGE_H
#define PORTAFLOW_META_IMAGE_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Spacing, directions and place are given, and the voxels are all there: as many bytes as the header's sizes ask
 * for, no
 * more, and undamaged as far as the format can tell. Data in the same file or in one other file is checked; lists of
 * slice files are refused. *unit_mm: a length of the file in mm (DistanceUnits; 1 where it names none).
 * Errors: ERR_INPUT. */
MUST_CHECK int meta_image_check(const char *path, double *unit_mm);
#ifdef __cplusplus
}
#endif
#endif
