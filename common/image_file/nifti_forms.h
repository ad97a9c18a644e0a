/* The two orientations that a NIfTI header may hold, sform and qform, as one affine. Used by nifti_file.c alone. */
#ifndef PORTAFLOW_NIFTI_FORMS_H
#define PORTAFLOW_NIFTI_FORMS_H
#include "common/base/must_check.h"

typedef struct {
    int qform_code, sform_code; /* 0: absent; else the frame it is in (1 scanner, 2 aligned, 3 Talairach, 4 MNI) */
    double pixdim[4];           /* [0] the sign of the third axis, [1..3] sizes of voxels, the file's unit */
    double quatern[3], qoffset[3];
    double srow[3][4];
} nifti_forms;

/* a: index to RAS in the file's unit; the sform where there is one. Where both are there and differ by more than half a
 * voxel somewhere in the image they must be of frames of different names (a warning), and never mirror each other. A
 * sform alone has the voxels of pixdim, to 1 %.
 * Formula: nifti1.h, "METHOD 2" and "METHOD 3". Errors: ERR_INPUT (none, contradicting). */
MUST_CHECK int nifti_forms_affine(const char *path, const nifti_forms *f, const int dims[3], double unit_mm,
                                  double a[3][4]);
#endif
