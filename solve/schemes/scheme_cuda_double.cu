/* SPDX-License-Identifier: Apache-2.0 */
/* The schemes in double; see scheme_cuda.cuh. */
typedef double real;
#include "solve/schemes/scheme_cuda.cuh"

cudaError_t scheme_cuda_step_double(scheme_state *s, cudaStream_t stream) {
    return step_enqueue(s, stream);
}
