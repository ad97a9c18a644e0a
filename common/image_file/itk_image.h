/* Shim around ITK's image files: NIfTI-1/2, NRRD, MetaImage and DICOM folders. */
#ifndef PORTAFLOW_ITK_IMAGE_H
#define PORTAFLOW_ITK_IMAGE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Read an image as float in LPS. `path` is a file or a DICOM folder; `series` is the SeriesInstanceUID to take from a
 * folder that holds several, NULL when there is one. scl_slope/inter applied, sform before qform. Warns of voxels of an
 * unusual size; those 50 times as long as wide are refused.
 * Errors: ERR_INPUT with one sentence (4D, no orientation, sheared, tilted, missing, duplicate or mixed slices,
 * several series: the list of UIDs with slice counts and sizes, nothing that names a patient, date or place). */
MUST_CHECK int image_read(const char *path, const char *series, volume *out);

/* The same without reading the pixels: value stays NULL. Errors: those of image_read that need no
 * pixels. */
MUST_CHECK int image_read_geometry(const char *path, const char *series, volume *out);

enum image_type { IMAGE_FLOAT32, IMAGE_UINT8 };
/* Write NIfTI (.nii, .nii.gz), NRRD or MetaImage by the ending, through "<path>.part.<ending>" and rename.
 * sform and qform both set. Errors: ERR_OUTPUT. */
MUST_CHECK int image_write(const char *path, const volume *v, enum image_type type);
#ifdef __cplusplus
}
#endif
#endif
