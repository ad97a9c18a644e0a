/* SPDX-License-Identifier: Apache-2.0 */
/* See curve_fit.h. */
#include "common/centerline/curve_fit.h"
#include "common/base/vec.h"
#include <math.h>
#include <string.h>

enum { TERMS = CURVE_FIT_DEGREE + 1 };

/* Solves the symmetric positive definite system m c = r with n unknowns and 3 right-hand sides, in place (Cholesky).
 * Returns false if the system is singular. */
static bool solve_normal(int n, double m[TERMS][TERMS], double r[TERMS][3]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            double sum = m[i][k];
            for (int j = 0; j < k; j++)
                sum -= m[i][j] * m[k][j];
            if (i != k)
                m[i][k] = sum / m[k][k];
            else if (sum > 1e-12)
                m[i][i] = sqrt(sum);
            else
                return false;
        }
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++)
                r[i][a] -= m[i][k] * r[k][a];
            r[i][a] /= m[i][i];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++)
                r[i][a] -= m[k][i] * r[k][a];
            r[i][a] /= m[i][i];
        }
    }
    return true;
}

/* Finds the points from .. to - 1, whose arc length is within `width` of s0. */
static void find_window(int n, const double *s, double s0, double width, int *from, int *to) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s[middle] < s0 - width)
            low = middle + 1;
        else
            high = middle;
    }
    *from = low;
    for (*to = low; *to < n && s[*to] <= s0 + width; (*to)++)
        continue;
}

static bool fit_window(int from, int to, const double *s, const double (*at)[3], double s0, double width, int degree,
                       double c[TERMS][3]) {
    double m[TERMS][TERMS] = {{0}}, total = 0;
    memset(c, 0, TERMS * sizeof *c);
    for (int k = from; k < to; k++) {
        const double u = (s[k] - s0) / width, far = fabs(u) * 0.999, cube = 1 - far * far * far, w = cube * cube * cube;
        double power[TERMS] = {1};
        for (int i = 1; i <= degree; i++)
            power[i] = power[i - 1] * u;
        total += w;
        for (int i = 0; i <= degree; i++) {
            for (int j = 0; j <= i; j++)
                m[i][j] += w * power[i] * power[j];
            for (int a = 0; a < 3; a++)
                c[i][a] += w * power[i] * (at[k][a] - at[from][a]);
        }
    }
    for (int i = 0; i <= degree; i++) {
        for (int j = 0; j <= i; j++)
            m[i][j] /= total;
        for (int a = 0; a < 3; a++)
            c[i][a] /= total;
    }
    return solve_normal(degree + 1, m, c);
}

bool curve_fit_at(int n, const double *s, const double (*at)[3], double s0, double width_mm, int degree,
                  curve_point *out) {
    int from, to;
    double c[TERMS][3];
    if (n < 2)
        return false;
    for (degree = n / 2 < degree ? (n / 2 < 1 ? 1 : n / 2) : degree;; width_mm *= 1.3) {
        find_window(n, s, s0, width_mm, &from, &to);
        if (to - from == n || to - from >= 2 * (degree + 1))
            break;
    }
    while (!fit_window(from, to, s, at, s0, width_mm, degree, c)) {
        if (degree == 1)
            return false;
        degree--;
    }
    for (int i = degree + 1; i < TERMS; i++)
        memset(c[i], 0, sizeof c[i]);
    for (int a = 0; a < 3; a++) {
        out->at[a] = at[from][a] + c[0][a];
        out->d1[a] = c[1][a] / width_mm;
        out->d2[a] = 2 * c[2][a] / (width_mm * width_mm);
        out->d3[a] = 6 * c[3][a] / (width_mm * width_mm * width_mm);
    }
    out->degree = degree;
    return true;
}

void curve_fit_frame(const curve_point *p, double least_curvature, double *curvature, double *torsion) {
    double cross[3];
    vec_cross(p->d1, p->d2, cross);
    const double speed = vec_length(p->d1), turn = vec_length(cross);
    *curvature = turn / (speed * speed * speed);
    *torsion = *curvature < least_curvature ? NAN : vec_dot(cross, p->d3) / (turn * turn);
}
