/* SPDX-License-Identifier: Apache-2.0 */
/* The directions of a lattice, in the order of common/lattice/lattice.h: 0 rest, then opposite pairs (a odd, a + 1).
 *   pair    1        3        5        7          9          11         13         15         17
 *   e_a     +x       +y       +z       +x+y       +x-y       +x+z       +x-z       +y+z       +y-z
 *   pair    19       21       23       25         (D3Q27 only)
 *   e_a     +x+y+z   +x+y-z   +x-y+z   +x-y-z
 * The including file may define LATTICE_Q as 27; the default is 19. Weights of D3Q19: 1/3, 1/18, 1/36 (Qian,
 * d'Humieres, Lallemand 1992; rinaldi2012 prints w0 = 1/9, a misprint); of D3Q27: 8/27, 2/27, 1/54, 1/216. Populations
 * are stored as f_a - w_a, because a small deviation keeps more digits in float than a sum with the weight. */
#ifndef PORTAFLOW_VELOCITY_SET_H
#define PORTAFLOW_VELOCITY_SET_H
#include "solve/kernels/kernel.h"

#ifndef LATTICE_Q
#define LATTICE_Q 19
#endif
#define D3Q19_W0 ((real)(1.0 / 3.0))
#define D3Q19_W1 ((real)(1.0 / 18.0))
#define D3Q19_W2 ((real)(1.0 / 36.0))
#define D3Q27_W0 ((real)(8.0 / 27.0))
#define D3Q27_W1 ((real)(2.0 / 27.0))
#define D3Q27_W2 ((real)(1.0 / 54.0))
#define D3Q27_W3 ((real)(1.0 / 216.0))

/* Direction opposite to a, for a >= 1. */
KERNEL_FN int velocity_set_opposite(int a) {
    return a + ((a & 1) ? 1 : -1);
}

KERNEL_FN real velocity_set_weight(int a) {
    if (LATTICE_Q == 19)
        return a == 0 ? D3Q19_W0 : a < 7 ? D3Q19_W1 : D3Q19_W2;
    return a == 0 ? D3Q27_W0 : a < 7 ? D3Q27_W1 : a < 19 ? D3Q27_W2 : D3Q27_W3;
}

/* e_a . v for a direction a that is known only at run time. */
KERNEL_FN real velocity_set_dot(int a, real x, real y, real z) {
    const real sign = (a & 1) ? (real)1 : (real)-1;
    const int pair = (a - 1) >> 1;
    if (LATTICE_Q == 27 && pair > 8)
        return sign * (x + (pair > 10 ? -y : y) + ((pair & 1) ? z : -z));
    const real first = (pair == 1 || pair == 7 || pair == 8) ? y : pair == 2 ? z : x;
    const real second = (pair == 3 || pair == 4) ? y : z;
    const real second_sign = pair < 3 ? (real)0 : (pair & 1) ? (real)1 : (real)-1;
    return sign * (first + second_sign * second);
}

/* First moments of the populations (momentum, before any body force). */
KERNEL_FN void velocity_set_momentum(const real f[LATTICE_Q], real *jx, real *jy, real *jz) {
    *jx = (f[1] - f[2]) + (f[7] - f[8]) + (f[9] - f[10]) + (f[11] - f[12]) + (f[13] - f[14]);
    *jy = (f[3] - f[4]) + (f[7] - f[8]) - (f[9] - f[10]) + (f[15] - f[16]) + (f[17] - f[18]);
    *jz = (f[5] - f[6]) + (f[11] - f[12]) - (f[13] - f[14]) + (f[15] - f[16]) - (f[17] - f[18]);
#if LATTICE_Q == 27
    const real a = f[19] - f[20], b = f[21] - f[22], c = f[23] - f[24], d = f[25] - f[26];
    *jx += (a + b) + (c + d);
    *jy += (a + b) - (c + d);
    *jz += (a - b) + (c - d);
#endif
}

KERNEL_FN real velocity_set_density(const real f[LATTICE_Q]) {
    const real sum = f[0] + ((f[1] + f[2]) + (f[3] + f[4]) + (f[5] + f[6])) +
                     ((f[7] + f[8]) + (f[9] + f[10]) + (f[11] + f[12])) +
                     ((f[13] + f[14]) + (f[15] + f[16]) + (f[17] + f[18]));
#if LATTICE_Q == 27
    return sum + (((f[19] + f[20]) + (f[21] + f[22])) + ((f[23] + f[24]) + (f[25] + f[26])));
#else
    return sum;
#endif
}

/* Second moments of the populations, xx yy zz xy xz yz. */
KERNEL_FN void velocity_set_flux(const real f[LATTICE_Q], real flux[6]) {
    const real a = f[7] + f[8], b = f[9] + f[10], c = f[11] + f[12], d = f[13] + f[14], e = f[15] + f[16],
               g = f[17] + f[18];
    flux[0] = f[1] + f[2] + a + b + c + d;
    flux[1] = f[3] + f[4] + a + b + e + g;
    flux[2] = f[5] + f[6] + c + d + e + g;
    flux[3] = a - b;
    flux[4] = c - d;
    flux[5] = e - g;
#if LATTICE_Q == 27
    const real h = f[19] + f[20], i = f[21] + f[22], j = f[23] + f[24], k = f[25] + f[26], all = (h + i) + (j + k);
    flux[0] += all;
    flux[1] += all;
    flux[2] += all;
    flux[3] += (h + i) - (j + k);
    flux[4] += (h - i) + (j - k);
    flux[5] += (h - i) - (j - k);
#endif
}
#endif
