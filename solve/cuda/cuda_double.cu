/* SPDX-License-Identifier: Apache-2.0 */
/* GPU kernels for populations stored as double. Compiled for D3Q19 and, with LATTICE_Q 27, for cumulants;
 * each also with SHEAR_THINNING and with POROUS_REGION. */
#include <cuda_fp16.h>
typedef double real;
typedef double stored;
#define UNIT 1.0
/* STEP_BLOCKS: blocks of 128 threads per multiprocessor, limited by registers */
#if SHEAR_THINNING && LATTICE_Q == 27
#define STEP_BLOCKS  3
#define CUDA_KERNELS cuda_kernels_shear_double_27
#elif SHEAR_THINNING
#define STEP_BLOCKS  3
#define CUDA_KERNELS cuda_kernels_shear_double
#elif POROUS_REGION && LATTICE_Q == 27
#define STEP_BLOCKS  3
#define CUDA_KERNELS cuda_kernels_porous_double_27
#elif POROUS_REGION
#define STEP_BLOCKS  3
#define CUDA_KERNELS cuda_kernels_porous_double
#elif LATTICE_Q == 27
#define STEP_BLOCKS  3
#define CUDA_KERNELS cuda_kernels_double_27
#else
#define STEP_BLOCKS  4
#define CUDA_KERNELS cuda_kernels_double
#endif
#include "solve/cuda/cuda_fields.cuh"

const cuda_kernels CUDA_KERNELS = {step,       monitor,     advection,  moments_of, temperature,
                                   slots_read, slots_write, slots_mend, combine,    BY_DIRECTION};
