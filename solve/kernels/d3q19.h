/* D3Q19 in the order of common/lattice/lattice.h: 0 rest, then nine opposite pairs (a odd, a + 1).
 *   pair    1        3        5        7          9          11         13         15         17
 *   e_a     +x       +y       +z       +x+y       +x-y       +x+z       +x-z       +y+z       +y-z
 * Weights 1/3, 1/18, 1/36 (Qian, d'Humieres, Lallemand 1992; rinaldi2012 prints w0 = 1/9, a misprint). Populations are
 * stored as f_a - w_a, so that float keeps the digits of slow flows. */
#ifndef PORTAFLOW_D3Q19_H
#define PORTAFLOW_D3Q19_H
#include "solve/kernels/kernel.h"

#define D3Q19_W0 ((real)(1.0 / 3.0))
#define D3Q19_W1 ((real)(1.0 / 18.0))
#define D3Q19_W2 ((real)(1.0 / 36.0))

/* Opposite direction of a >= 1. */
KERNEL_FN int d3q19_opposite(int a) {
    return a + ((a & 1) ? 1 : -1);
}

KERNEL_FN real d3q19_weight(int a) {
    return a == 0 ? D3Q19_W0 : a < 7 ? D3Q19_W1 : D3Q19_W2;
}

/* e_a . v for a direction known only at run time. */
KERNEL_FN real d3q19_dot(int a, real x, real y, real z) {
    const real sign = (a & 1) ? (real)1 : (real)-1;
    const int pair = (a - 1) >> 1;
    const real first = (pair == 1 || pair == 7 || pair == 8) ? y : pair == 2 ? z : x;
    const real second = (pair == 3 || pair == 4) ? y : z;
    const real second_sign = pair < 3 ? (real)0 : (pair & 1) ? (real)1 : (real)-1;
    return sign * (first + second_sign * second);
}

/* First moments of the populations (momentum, before any body force). */
KERNEL_FN void d3q19_momentum(const real f[19], real *jx, real *jy, real *jz) {
    *jx = (f[1] - f[2]) + (f[7] - f[8]) + (f[9] - f[10]) + (f[11] - f[12]) + (f[13] - f[14]);
    *jy = (f[3] - f[4]) + (f[7] - f[8]) - (f[9] - f[10]) + (f[15] - f[16]) + (f[17] - f[18]);
    *jz = (f[5] - f[6]) + (f[11] - f[12]) - (f[13] - f[14]) + (f[15] - f[16]) - (f[17] - f[18]);
}

KERNEL_FN real d3q19_density(const real f[19]) {
    return f[0] + ((f[1] + f[2]) + (f[3] + f[4]) + (f[5] + f[6])) + ((f[7] + f[8]) + (f[9] + f[10]) + (f[11] + f[12])) +
           ((f[13] + f[14]) + (f[15] + f[16]) + (f[17] + f[18]));
}
#endif
