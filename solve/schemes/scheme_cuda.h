/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of the schemes on the GPU, one instance per precision (scheme_cuda.cuh). */
#ifndef PORTAFLOW_BENCH_SCHEME_CUDA_H
#define PORTAFLOW_BENCH_SCHEME_CUDA_H
#include "solve/schemes/scheme.h"
#include <cuda_runtime.h>

/* Enqueue one step in the stream and advance *s. */
cudaError_t scheme_cuda_step_float(scheme_state *s, cudaStream_t stream);
cudaError_t scheme_cuda_step_double(scheme_state *s, cudaStream_t stream);
#endif
