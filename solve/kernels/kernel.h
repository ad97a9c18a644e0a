/* The whole vocabulary that the cell operations share between C17 and CUDA C++.
 *
 * The file that includes a kernel defines `real` (float or double) first. No #ifdef in a kernel, no loop over cells,
 * no memory beyond its arguments: each device owns the loop. Everything here is in lattice units. */
#ifndef PORTAFLOW_KERNEL_H
#define PORTAFLOW_KERNEL_H

#include <stdint.h>

#ifdef __CUDACC__
#define KERNEL_FN         static __device__ __forceinline__
#define KERNEL_LOWEST(in) (__ffs((int)(in)) - 1) /* lowest bit that is set */
#define KERNEL_ROLLED     _Pragma("unroll 1")    /* a loop over the bits of a mask: unrolled it outgrows the caches */
#define KERNEL_FMA        fma                    /* x y + z, rounded once wherever it stands: where bits must agree */
#else
#define KERNEL_FN         static inline __attribute__((always_inline))
#define KERNEL_LOWEST(in) __builtin_ctz(in)
#define KERNEL_ROLLED
#define KERNEL_FMA(x, y, z) ((x) * (y) + (z))
#endif

#endif
