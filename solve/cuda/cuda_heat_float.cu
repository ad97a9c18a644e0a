/* SPDX-License-Identifier: Apache-2.0 */
/* GPU kernels for populations stored as float, with heat. */
#include <cuda_fp16.h>
typedef float real;
typedef float stored;
#define UNIT        1.0
#define POPULATIONS 26
#define STEP_BLOCKS 7 /* blocks of 128 threads per multiprocessor, limited by registers */
#include "solve/cuda/cuda_fields.cuh"

const cuda_kernels cuda_kernels_heat_float = {step,       monitor,     advection,  moments_of, temperature,
                                              slots_read, slots_write, slots_mend, combine,    BY_DIRECTION};
