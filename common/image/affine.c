/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image/affine.h"
#include "common/base/status.h"
#include <math.h>

/* Upper limit of the cosine between two axes; 0.1 degree from a right angle */
static const double straight_cosine = 1.745e-3;

double affine_determinant(const double m[9]) {
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static double column_dot(const double d[9], int i, int j) {
    return d[i] * d[j] + d[3 + i] * d[3 + j] + d[6 + i] * d[6 + j];
}

/* Gram-Schmidt orthonormalization of the columns. */
static void orthonormalize_columns(double d[9]) {
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < j; k++) {
            double c = column_dot(d, k, j);
            for (int i = 0; i < 3; i++)
                d[3 * i + j] -= c * d[3 * i + k];
        }
        double norm = sqrt(column_dot(d, j, j));
        for (int i = 0; i < 3; i++)
            d[3 * i + j] /= norm;
    }
}

/* Upper limit of a position; positions in a scanner are smaller, and larger ones lose digits by rounding */
static const double ORIGIN_LIMIT_MM = 1e5;

int affine_split(const char *name, double a[3][4], double spacing_mm[3], double origin_mm[3], double direction[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (!isfinite(a[i][j]))
                return fail(ERR_INPUT,
                            "'%s': the orientation is damaged (a value is not a finite number); export it again", name);
    for (int j = 0; j < 3; j++) {
        spacing_mm[j] = sqrt(a[0][j] * a[0][j] + a[1][j] * a[1][j] + a[2][j] * a[2][j]);
        origin_mm[j] = a[j][3];
        if (fabs(origin_mm[j]) > ORIGIN_LIMIT_MM)
            return fail(
                ERR_INPUT,
                "'%s': the orientation is damaged (its first voxel is at %g mm, the limit is %g mm); export it again",
                name, origin_mm[j], ORIGIN_LIMIT_MM);
        if (!(spacing_mm[j] > 1e-4 && spacing_mm[j] < 1e4))
            return fail(ERR_INPUT,
                        "'%s': voxels of %g mm along axis %d are outside 0.0001 to 10000 mm; export it again", name,
                        spacing_mm[j], j + 1);
        for (int i = 0; i < 3; i++)
            direction[3 * i + j] = a[i][j] / spacing_mm[j];
    }
    double worst = fmax(fabs(column_dot(direction, 0, 1)),
                        fmax(fabs(column_dot(direction, 0, 2)), fabs(column_dot(direction, 1, 2))));
    if (worst > straight_cosine)
        return fail(
            ERR_INPUT,
            "'%s': the axes are sheared by %.2f degrees (tilted slices?); resample the image to right angles first",
            name, asin(fmin(worst, 1)) * 180 / M_PI);
    orthonormalize_columns(direction);
    return OK;
}
