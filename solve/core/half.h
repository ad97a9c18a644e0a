/* SPDX-License-Identifier: Apache-2.0 */
/* IEEE 754 half precision on the host, rounded to nearest even, for 16-bit populations (cuda/cuda_kernels.h).
 * Populations f - w are stored times 2^15: value = half / HALF_UNIT. */
#ifndef PORTAFLOW_HALF_H
#define PORTAFLOW_HALF_H
#include <math.h>
#include <stdint.h>

/* Factor of populations stored as half, 2^15 */
static const float HALF_UNIT = 32768.0f;

static inline uint16_t half_from_float(float v) {
    const uint16_t sign = signbit(v) ? 0x8000 : 0;
    int exponent;
    if (isnan(v))
        return 0x7e00;
    if (isinf(v))
        return (uint16_t)(sign | 0x7c00);
    frexpf(v, &exponent);
    if (v == 0 || exponent < -13) /* subnormal numbers are multiples of 2^-24 */
        return (uint16_t)(sign | (uint16_t)rintf(fabsf(v) * 16777216.0f));
    const int mantissa = (int)rintf(ldexpf(fabsf(v), 11 - exponent)); /* 1024..2048 */
    const int bits = (exponent + 14) * 1024 + mantissa - 1024;
    return (uint16_t)(sign | (bits < 0x7c00 ? bits : 0x7c00));
}

static inline float half_to_float(uint16_t h) {
    const int exponent = h >> 10 & 31, mantissa = h & 1023;
    const float size = exponent == 31  ? (mantissa ? NAN : INFINITY)
                       : exponent == 0 ? ldexpf((float)mantissa, -24)
                                       : ldexpf((float)(1024 + mantissa), exponent - 25);
    return h & 0x8000 ? -size : size;
}
#endif
