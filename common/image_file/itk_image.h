/* SPDX-License-Identifier: Apache-2.0 */
/* Read and write image files: NIfTI-1/2, NRRD, MetaImage and DICOM folders. */
#ifndef PORTAFLOW_ITK_IMAGE_H
#define PORTAFLOW_ITK_IMAGE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Read an image as float in LPS. `path`: a file or a DICOM folder. `series`: SeriesInstanceUID for a folder with
 * several series; NULL: the only one; DICOM_HEAD_LABELS: labels, see itk_dicom.h. scl_slope and scl_inter are applied;
 * sform has priority over qform. Warns of unusual voxel sizes; voxels with an aspect ratio above 50 are refused.
 * Errors: ERR_INPUT (4D, no orientation, sheared, tilted, missing, duplicate or mixed slices; several series: with the
 * list of UIDs, slice counts and sizes, without text that identifies a patient, date or place). */
MUST_CHECK int image_read(const char *path, const char *series, volume *out);

/* As image_read, but voxels may be NaN, as outside a field of view. They get one value below all others, *padding;
 * *padding is NAN if no voxel is NaN. Errors: as image_read. */
MUST_CHECK int image_read_padded(const char *path, const char *series, volume *out, float *padding);

/* As image_read, but reads no voxels: value stays NULL. Errors: as image_read, except errors of voxels. */
MUST_CHECK int image_read_geometry(const char *path, const char *series, volume *out);

enum image_type { IMAGE_FLOAT32, IMAGE_UINT8 };
/* Write NIfTI (.nii, .nii.gz), NRRD or MetaImage, chosen by the ending, through "<path>.part.<ending>". Both sform and
 * qform are set. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int image_write(const char *path, const volume *v, enum image_type type);
#ifdef __cplusplus
}
#endif
#endif
