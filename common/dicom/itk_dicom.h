/* SPDX-License-Identifier: Apache-2.0 */
/* Read DICOM folders and files as volumes, through GDCM. Called by itk_image.h.
 *
 * Geometry comes from ImagePositionPatient and ImageOrientationPatient only; dicom_stack.h has the rules. Elements that
 * identify a patient, date or place are never shown or stored. */
#ifndef PORTAFLOW_ITK_DICOM_H
#define PORTAFLOW_ITK_DICOM_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Read the image at `path`: a folder, searched with its sub-folders, or one file. `series` NULL: the only series;
 * DICOM_HEAD_LABELS: the segmentation (SEG) of the folder, if it has one. A file or folder without images, but with one
 * segmentation, gives its labels. A structure set (RTSTRUCT) is refused by name.
 * `pixels` false: geometry only. A damaged file makes its series unreadable; the series of a file is found by UID, or
 * because its folder holds only one series. Other series are read with a warning. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int dicom_read(const char *path, const char *series, bool pixels, volume *out);
#ifdef __cplusplus
}
#endif
#endif
