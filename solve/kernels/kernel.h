/* The whole vocabulary that the cell operations share between C17 and CUDA C++.
 *
 * The file that includes a kernel defines `real` (float or double) first. No #ifdef in a kernel, no loop over cells,
 * no memory beyond its arguments: each device owns the loop. Everything here is in lattice units. */
#ifndef PORTAFLOW_KERNEL_H
#define PORTAFLOW_KERNEL_H

#ifdef __CUDACC__
#define KERNEL_FN static __device__ __forceinline__
#else
#define KERNEL_FN static inline __attribute__((always_inline))
#endif

#endif
