/* SPDX-License-Identifier: Apache-2.0 */
/* GPU kernels for populations stored as half. */
#include <cuda_fp16.h>
typedef float real;
typedef __half stored;
/* factor of populations stored as half; must equal CUDA_HALF_UNIT (cuda_kernels.h) */
#define UNIT        32768.0
#define STEP_BLOCKS 9 /* blocks of 128 threads per multiprocessor, limited by registers */
#include "solve/cuda/cuda_fields.cuh"

const cuda_kernels cuda_kernels_half = {step,       monitor,     advection,  moments_of, temperature,
                                        slots_read, slots_write, slots_mend, combine,    BY_DIRECTION};
