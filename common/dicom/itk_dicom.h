/* DICOM folders and files as volumes, through GDCM. Called through itk_image.h.
 *
 * Geometry comes from ImagePositionPatient and ImageOrientationPatient alone (never SliceThickness or
 * SpacingBetweenSlices); the rules are in dicom_stack.h. Nothing that names a patient, date or place is read. */
#ifndef PORTAFLOW_ITK_DICOM_H
#define PORTAFLOW_ITK_DICOM_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* `path` a folder (searched with its subfolders) or one file. `series` NULL: the only series there. A damaged file
 * refuses the series it belongs to, by its UID or as a file of a folder that holds no other series; others are read
 * with a warning.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int dicom_read(const char *path, const char *series, bool pixels, volume *out);
#ifdef __cplusplus
}
#endif
#endif
