/* NIfTI-1 and NIfTI-2 single files (.nii, .nii.gz), read and written as volumes.
 *
 * Own code because the orientation matters and readers differ: here sform (when its code is > 0) goes before qform, a
 * file with neither is refused, scl_slope/scl_inter and the unit of length (m, mm, um) are applied, and the affine is
 * turned from the file's RAS to LPS. Format: https://nifti.nimh.nih.gov/pub/dist/src/niftilib/nifti1.h and nifti2.h.
 * Called through itk_image.h. */
#ifndef PORTAFLOW_NIFTI_FILE_H
#define PORTAFLOW_NIFTI_FILE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* True when the first bytes (unpacked where gzipped) are a NIfTI header of either version and byte order. */
bool nifti_file_recognize(const char *path);

/* Bytes of the unpacked file, *from .. *to - 1, between the header and the voxels, where extensions of the header are;
 * false: there are none. */
bool nifti_file_extensions(const char *path, size_t *from, size_t *to);

/* `pixels` false: geometry only, value stays NULL. Errors: ERR_INPUT (damaged, cut short, more than three dimensions,
 * no orientation, sheared axes, colour or complex values), ERR_RESOURCE. */
MUST_CHECK int nifti_file_read(const char *path, bool pixels, volume *out);

/* One slice over time, x, y, 1, t or x, y, t: out has the times in the place of its slices, the geometry is that of
 * the slice. *step_s: time between two, NaN when the file does not say it. Errors: as nifti_file_read. */
MUST_CHECK int nifti_file_read_cine(const char *path, volume *out, double *step_s);

/* Write NIfTI-1 to exactly `path`, gzipped when the path ends in .gz; `name`: what the file will be called (image_write
 * writes a part first); as_uint8: rounded and clamped to 0..255, otherwise float32. sform and qform are both set, code
 * 1. Errors: ERR_OUTPUT. */
MUST_CHECK int nifti_file_write(const char *path, const char *name, const volume *v, bool as_uint8);
#ifdef __cplusplus
}
#endif
#endif
