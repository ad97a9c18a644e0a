/* SPDX-License-Identifier: Apache-2.0 */
/* GPU kernels for populations stored as float. Compiled for D3Q19 and, with LATTICE_Q 27, for cumulants;
 * each also with SHEAR_THINNING and with POROUS_REGION. */
#include <cuda_fp16.h>
typedef float real;
typedef float stored;
#define UNIT 1.0
/* STEP_BLOCKS: blocks of 128 threads per multiprocessor, limited by registers */
#if SHEAR_THINNING && LATTICE_Q == 27
#define STEP_BLOCKS  6
#define CUDA_KERNELS cuda_kernels_shear_float_27
#elif SHEAR_THINNING
#define STEP_BLOCKS  7
#define CUDA_KERNELS cuda_kernels_shear_float
#elif POROUS_REGION && LATTICE_Q == 27
#define STEP_BLOCKS  6
#define CUDA_KERNELS cuda_kernels_porous_float_27
#elif POROUS_REGION
#define STEP_BLOCKS  7
#define CUDA_KERNELS cuda_kernels_porous_float
#elif LATTICE_Q == 27
#define STEP_BLOCKS  8
#define CUDA_KERNELS cuda_kernels_float_27
#else
#define STEP_BLOCKS  9
#define CUDA_KERNELS cuda_kernels_float
#endif
#include "solve/cuda/cuda_fields.cuh"

const cuda_kernels CUDA_KERNELS = {step,       monitor,     advection,  moments_of, temperature,
                                   slots_read, slots_write, slots_mend, combine,    BY_DIRECTION};
