/* SPDX-License-Identifier: Apache-2.0 */
/* The affine of a NIfTI header from its two orientations, sform and qform. Used by nifti_file.c. */
#ifndef PORTAFLOW_NIFTI_FORMS_H
#define PORTAFLOW_NIFTI_FORMS_H
#include "common/base/must_check.h"

typedef struct {
    /* frame of each form: 1 scanner, 2 aligned, 3 Talairach, 4 MNI; 0: the form is absent */
    int qform_code, sform_code;
    double pixdim[4]; /* [0] sign of the third axis, [1..3] voxel sizes in the unit of the file */
    double quatern[3], qoffset[3];
    double srow[3][4];
} nifti_forms;

/* Set a to the affine from voxel index to RAS in the unit of the file; sform has priority over qform. If both exist and
 * differ by more than half a voxel in the image, this causes a warning if their codes differ, otherwise an error.
 * Orientations that mirror each other are refused. A sform alone must match the voxel sizes of pixdim to 1 %. Formula:
 * nifti1.h, "METHOD 2" and "METHOD 3". Errors: ERR_INPUT (missing, contradicting). */
MUST_CHECK int nifti_forms_affine(const char *path, const nifti_forms *f, const int dims[3], double unit_mm,
                                  double a[3][4]);
#endif
