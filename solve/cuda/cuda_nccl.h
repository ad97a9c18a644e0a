/* NCCL, opened at run time: solve runs on machines without it. One communicator a process, kept until its end. */
#ifndef PORTAFLOW_CUDA_NCCL_H
#define PORTAFLOW_CUDA_NCCL_H
#include "common/base/must_check.h"
#include <cuda_runtime.h>
extern "C" {
#include "solve/core/halo.h"
}

/* *connected: whether NCCL carries the halo: part->share is there and part 0 found the library. All parts call it.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int cuda_nccl_connect(const halo *part, bool *connected);
/* To and from all peers, device memory, in a stream. Errors: ERR_RESOURCE. */
MUST_CHECK int cuda_nccl_exchange(const halo *part, const void *send, void *recv, size_t value_bytes,
                                  cudaStream_t stream);
#endif
