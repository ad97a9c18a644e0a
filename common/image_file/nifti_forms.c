/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image_file/nifti_forms.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/image/affine.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const double SIZE_PART = 0.01; /* Relative tolerance of voxel sizes, which often have only two digits */

/* Tolerance of the squared length of the quaternion; rounding of floats gives 1e-7 */
static const double QUATERNION_ERROR = 1e-3;

static double quaternion_square(const nifti_forms *f) {
    return f->quatern[0] * f->quatern[0] + f->quatern[1] * f->quatern[1] + f->quatern[2] * f->quatern[2];
}

static void affine_from_qform(const nifti_forms *f, double a[3][4]) {
    double b = f->quatern[0], c = f->quatern[1], d = f->quatern[2];
    double square = 1 - quaternion_square(f);
    double w = square > 1e-7 ? sqrt(square) : 0;
    if (w == 0) {
        double norm = sqrt(b * b + c * c + d * d);
        b /= norm, c /= norm, d /= norm;
    }
    double r[3][3] = {{w * w + b * b - c * c - d * d, 2 * (b * c - w * d), 2 * (b * d + w * c)},
                      {2 * (b * c + w * d), w * w + c * c - b * b - d * d, 2 * (c * d - w * b)},
                      {2 * (b * d - w * c), 2 * (c * d + w * b), w * w + d * d - b * b - c * c}};
    double scale[3] = {f->pixdim[1], f->pixdim[2], f->pixdim[0] < 0 ? -f->pixdim[3] : f->pixdim[3]};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            a[i][j] = r[i][j] * scale[j];
        a[i][3] = f->qoffset[i];
    }
}

static double matrix_determinant(double a[3][4]) {
    return affine_determinant(
        (const double[9]){a[0][0], a[0][1], a[0][2], a[1][0], a[1][1], a[1][2], a[2][0], a[2][1], a[2][2]});
}

/* Largest distance between the positions of a voxel under both affines; attained at a corner of the image. */
static double max_distance(double a[3][4], double b[3][4], const int dims[3]) {
    double worst = 0;
    for (int corner = 0; corner < 8; corner++) {
        double square = 0;
        for (int i = 0; i < 3; i++) {
            double d = a[i][3] - b[i][3];
            for (int j = 0; j < 3; j++)
                d += (corner >> j & 1) * (dims[j] - 1) * (a[i][j] - b[i][j]);
            square += d * d;
        }
        worst = fmax(worst, sqrt(square));
    }
    return worst;
}

static bool is_finite(double a[3][4]) {
    for (int k = 0; k < 12; k++)
        if (!isfinite(a[k / 4][k % 4]))
            return false;
    return true;
}

static int compare_forms(const char *path, const nifti_forms *f, const int dims[3], double unit_mm, double s[3][4],
                         double q[3][4]) {
    const double voxel = fmin(fabs(f->pixdim[1]), fmin(fabs(f->pixdim[2]), fabs(f->pixdim[3])));
    const double mm = max_distance(s, q, dims) * unit_mm;
    if (!is_finite(s))
        return OK; /* affine_split, called later, reports such a matrix */
    if (!is_finite(q))
        return fail(ERR_INPUT, "'%s': its qform is damaged (a value is not a finite number); set its code to 0", path);
    if (matrix_determinant(s) * matrix_determinant(q) < 0)
        return fail(ERR_INPUT,
                    "'%s': its sform and its qform are mirror images of each other, so left and right are doubtful; "
                    "find out which is right and export it again",
                    path);
    if (!(mm > 0.5 * voxel * unit_mm))
        return OK;
    if (f->sform_code == f->qform_code)
        return fail(ERR_INPUT,
                    "'%s': its sform and its qform differ by %.3g mm, and both name the same frame (code %d); find out "
                    "which is right and set the code of the other one to 0",
                    path, mm, f->sform_code);
    /* a separate message, because the path may identify a patient and must not enter the recorded warning */
    message_info("'%s':", path);
    message_warn("sform (code %d) and qform (code %d) of a NIfTI file differ by %.3g mm; the sform is used: check that "
                 "the points of the case are in the frame of the sform",
                 f->sform_code, f->qform_code, mm);
    return OK;
}

/* Compare voxel sizes of the sform columns and pixdim; a pixdim of 0 is unset. */
static int compare_sizes(const char *path, const nifti_forms *f) {
    double size[3];
    bool same = isfinite(f->pixdim[1] + f->pixdim[2] + f->pixdim[3]);
    for (int j = 0; j < 3; j++) {
        size[j] = sqrt(pow(f->srow[0][j], 2) + pow(f->srow[1][j], 2) + pow(f->srow[2][j], 2));
        same = same && !(fabs(f->pixdim[j + 1]) > 0 && fabs(size[j] - fabs(f->pixdim[j + 1])) > SIZE_PART * size[j]);
    }
    if (same || !isfinite(size[0] + size[1] + size[2]))
        return OK;
    return fail(ERR_INPUT,
                "'%s': its sform has voxels of %.4g x %.4g x %.4g, its pixdim has %.4g x %.4g x %.4g; find out which "
                "is right and export it again",
                path, size[0], size[1], size[2], fabs(f->pixdim[1]), fabs(f->pixdim[2]), fabs(f->pixdim[3]));
}

int nifti_forms_affine(const char *path, const nifti_forms *f, const int dims[3], double unit_mm, double a[3][4]) {
    /* number of known codes: 1 scanner, 2 aligned, 3 Talairach, 4 MNI, 5 other template (0: unset) */
    enum { CODES = 5 };
    double q[3][4];
    if (f->sform_code < 0 || f->sform_code > CODES || f->qform_code < 0 || f->qform_code > CODES)
        return fail(ERR_INPUT,
                    "'%s': the header is damaged (sform code %d, qform code %d; codes are 0 to %d); export it again",
                    path, f->sform_code, f->qform_code, CODES);
    if (f->sform_code <= 0 && f->qform_code <= 0)
        return fail(ERR_INPUT,
                    "'%s' has no orientation (sform and qform codes are 0), so left and right are unknown; "
                    "export it again with its orientation",
                    path);
    const double turn = fabs(f->pixdim[0]); /* sign of the slice direction: 1 or -1; 0 counts as 1 */
    if (f->sform_code <= 0 &&
        !(f->pixdim[1] >= 0 && f->pixdim[2] >= 0 && f->pixdim[3] >= 0 && (turn == 0 || fabs(turn - 1) < 1e-3)))
        return fail(ERR_INPUT,
                    "'%s': the header is damaged: pixdim[0] is %g and must be 1 or -1, the voxel sizes pixdim[1] to "
                    "pixdim[3] are %g, %g, %g and must not be negative; left and right are doubtful: export it again",
                    path, f->pixdim[0], f->pixdim[1], f->pixdim[2], f->pixdim[3]);
    if (f->sform_code <= 0 && quaternion_square(f) > 1 + QUATERNION_ERROR)
        return fail(ERR_INPUT,
                    "'%s': the quaternion of its qform is damaged (%g, %g, %g is longer than 1); export it again", path,
                    f->quatern[0], f->quatern[1], f->quatern[2]);
    affine_from_qform(f, q);
    memcpy(a, f->sform_code > 0 ? f->srow : q, sizeof q);
    if (f->sform_code <= 0)
        return OK;
    return f->qform_code > 0 ? compare_forms(path, f, dims, unit_mm, a, q) : compare_sizes(path, f);
}
