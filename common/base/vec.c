/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvectors of a symmetric 3 x 3 matrix by Jacobi rotations (Golub and Van Loan, Matrix Computations, section
 * 8.5). */
#include "common/base/vec.h"
#include <string.h>

static void rotate_pair(double a[3][3], double v[3][3], int p, int q) {
    if (fabs(a[p][q]) <= 1e-300)
        return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = a[p][k], qk = a[q][k], vp = v[p][k], vq = v[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        v[p][k] = c * vp - s * vq;
        v[q][k] = s * vp + c * vq;
    }
}

void vec_eigen(const double m[6], double value[3], double v[3][3]) {
    double a[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    double rows[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 30; sweep++) {
        rotate_pair(a, rows, 0, 1);
        rotate_pair(a, rows, 0, 2);
        rotate_pair(a, rows, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (a[order[j]][order[j]] > a[order[j + 1]][order[j + 1]]) {
                int t = order[j];
                order[j] = order[j + 1];
                order[j + 1] = t;
            }
    for (int i = 0; i < 3; i++) {
        value[i] = a[order[i]][order[i]];
        memcpy(v[i], rows[order[i]], sizeof v[i]);
    }
}
