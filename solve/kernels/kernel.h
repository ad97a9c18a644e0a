/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions shared by kernels in C17 and CUDA C++. The including file first defines `real` as float or double. A
 * kernel computes one cell, in lattice units. It has no loop over cells, which each device owns, no memory beyond its
 * arguments, and no #if except for LATTICE_Q. */
#ifndef PORTAFLOW_KERNEL_H
#define PORTAFLOW_KERNEL_H

#include <stdint.h>

#ifdef __CUDACC__
#define KERNEL_FN         static __device__ __forceinline__
#define KERNEL_HOST_FN    static __host__ __device__ __forceinline__ /* also called by the host */
#define KERNEL_LOWEST(in) (__ffs((int)(in)) - 1)                     /* index of the lowest set bit */
/* keeps a loop over the bits of a mask rolled: unrolled, the code would exceed the instruction cache */
#define KERNEL_ROLLED _Pragma("unroll 1")
/* x y + z with a single rounding, where bits must agree between devices */
#define KERNEL_FMA      fma
#define KERNEL_BITS(x)  __float_as_uint(x) /* the bits of a float */
#define KERNEL_FLOAT(x) __uint_as_float(x) /* the float of these bits */
/* 1 / x, in float with an error of up to 2 units in the last place */
#define KERNEL_RECIPROCAL(x) (sizeof(real) == 4 ? (real)__fdividef(1.0f, (float)(x)) : (real)1 / (x))
#else
#define KERNEL_FN         static inline __attribute__((always_inline))
#define KERNEL_HOST_FN    KERNEL_FN
#define KERNEL_LOWEST(in) __builtin_ctz(in)
#define KERNEL_ROLLED
#define KERNEL_FMA(x, y, z)  ((x) * (y) + (z))
#define KERNEL_RECIPROCAL(x) ((real)1 / (x))
#define KERNEL_BITS(x)                                                                                                 \
    (((union {                                                                                                         \
         float value;                                                                                                  \
         uint32_t bits;                                                                                                \
     }){.value = (x)})                                                                                                 \
         .bits)
#define KERNEL_FLOAT(x)                                                                                                \
    (((union {                                                                                                         \
         uint32_t bits;                                                                                                \
         float value;                                                                                                  \
     }){.bits = (x)})                                                                                                  \
         .value)
#endif

#endif
