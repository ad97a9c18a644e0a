/* SPDX-License-Identifier: Apache-2.0 */
/* Three-vectors of doubles. */
#ifndef PORTAFLOW_VEC_H
#define PORTAFLOW_VEC_H
#include <math.h>

static inline double vec_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double vec_length(const double a[3]) {
    return sqrt(vec_dot(a, a));
}
static inline double vec_distance(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return vec_length(d);
}
/* out = a + s b; out and a may be the same array */
static inline void vec_add(const double a[3], double s, const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + s * b[k];
}
static inline void vec_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
/* angle between two unit vectors, radians */
static inline double vec_angle(const double a[3], const double b[3]) {
    return acos(fmin(1, fmax(-1, vec_dot(a, b))));
}
/* scales to unit length and returns 1; returns 0 for a zero vector, which stays unchanged */
static inline int vec_normalize(double a[3]) {
    double length = vec_length(a);
    if (!(length > 1e-300))
        return 0;
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return 1;
}
/* d: unit vector k of n, 0 to n - 1; the n vectors are evenly spread over z > 0 (Fibonacci lattice) */
static inline void vec_half_sphere(int k, int n, double d[3]) {
    const double z = (k + 0.5) / n, r = sqrt(1 - z * z), a = k * M_PI * (3 - sqrt(5));
    d[0] = r * cos(a);
    d[1] = r * sin(a);
    d[2] = z;
}
/* makes right-handed orthonormal axes, the third along the unit vector n */
static inline void vec_axes(const double n[3], double axis[3][3]) {
    int smallest = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : (fabs(n[1]) <= fabs(n[2]) ? 1 : 2);
    double helper[3] = {smallest == 0, smallest == 1, smallest == 2};
    vec_cross(helper, n, axis[0]);
    vec_normalize(axis[0]);
    vec_cross(n, axis[0], axis[1]);
    for (int k = 0; k < 3; k++)
        axis[2][k] = n[k];
}
/* finds the eigenvalues (ascending) and unit eigenvectors (rows of v) of a symmetric matrix xx yy zz xy xz yz */
void vec_eigen(const double m[6], double value[3], double v[3][3]);
#endif
