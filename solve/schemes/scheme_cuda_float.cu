/* SPDX-License-Identifier: Apache-2.0 */
/* The schemes in float; see scheme_cuda.cuh. */
typedef float real;
#include "solve/schemes/scheme_cuda.cuh"

cudaError_t scheme_cuda_step_float(scheme_state *s, cudaStream_t stream) {
    return step_enqueue(s, stream);
}
