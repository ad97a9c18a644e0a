/* SPDX-License-Identifier: Apache-2.0 */
/* NIfTI-1 and NIfTI-2 files (.nii, .nii.gz) and pairs (.hdr and .img, either is given) as volumes.
 *
 * Not read through ITK, because readers differ in orientation. Here sform (code > 0) has priority over qform, a file
 * with neither is refused, scl_slope, scl_inter and the length unit (m, mm, um) are applied, and RAS becomes LPS.
 * Format: https://nifti.nimh.nih.gov/pub/dist/src/niftilib/nifti1.h and nifti2.h. Called by itk_image.h. */
#ifndef PORTAFLOW_NIFTI_FILE_H
#define PORTAFLOW_NIFTI_FILE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* True when the file starts with a NIfTI header of either version, even cut short, or is a damaged gzip file. */
bool nifti_file_recognize(const char *path);

/* Range *from .. *to - 1 of header extensions in the decompressed file; false: there are none. */
bool nifti_file_extensions(const char *path, size_t *from, size_t *to);

/* Read a volume. `pixels` false: geometry only, value stays NULL. Errors: ERR_INPUT (damaged, cut short, more than
 * three dimensions, no orientation, sheared axes, colour or complex values), ERR_RESOURCE. */
MUST_CHECK int nifti_file_read(const char *path, bool pixels, volume *out);

/* Read one slice over time with dimensions x, y, 1, t or x, y, t. The third dimension of `out` is time; its geometry is
 * the geometry of the slice. *step_s: time step, NaN when unknown. Errors: as nifti_file_read. */
MUST_CHECK int nifti_file_read_cine(const char *path, volume *out, double *step_s);

/* Write NIfTI-1 to `path`, compressed when it ends in .gz. `name`: final name of the file, for messages. as_uint8:
 * rounded and clamped to 0..255, otherwise float32. sform and qform are both set with code 1. Errors: ERR_OUTPUT,
 * ERR_RESOURCE. */
MUST_CHECK int nifti_file_write(const char *path, const char *name, const volume *v, bool as_uint8);
#ifdef __cplusplus
}
#endif
#endif
