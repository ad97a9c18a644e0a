/* The halo of a part of a lattice on the GPU (core/halo.h): packed, exchanged, unpacked beside the steps of the inner
 * cells.
 *
 *   stream 1   border groups k | pack, exchange, unpack k | border groups k + 1 | ..
 *   stream 0   inner groups k-1    | inner groups k           | ..
 *
 * Inner groups of step k wait for the border groups of step k - 1, border groups for the inner ones before and, in
 * their stream, for the halo. Between GPUs NCCL carries it, where there is one a part; else MPI, by pinned memory of
 * the host. */
#ifndef PORTAFLOW_CUDA_HALO_H
#define PORTAFLOW_CUDA_HALO_H
#include "common/base/must_check.h"
#include "solve/cuda/cuda_backend.h"

struct cuda_halo {
    size_t n;                    /* values */
    uint64_t *mine, *theirs;     /* [n] their places in the populations, device */
    void *send, *recv;           /* [n], device */
    void *send_host, *recv_host; /* pinned; where NCCL does not carry them */
    cudaEvent_t border, sent;    /* border groups are done; send_host is filled */
    bool connected, nccl;
};

/* Errors of all: ERR_RESOURCE, those of halo.exchange. Nothing to do where the domain is no part. */
MUST_CHECK int cuda_halo_create(backend *b);
void cuda_halo_destroy(backend *b);
/* Once, together with all other parts, before the first exchange. */
MUST_CHECK int cuda_halo_connect(backend *b);
/* Behind the border groups in stream 1; `place`: of the populations that they wrote. begin: until the values are on
 * their way; end, once the inner groups are launched: until the halo is as it will be. */
MUST_CHECK int cuda_halo_begin(backend *b, char *place);
MUST_CHECK int cuda_halo_end(backend *b, char *place);
/* The values of the halo to those whose cells they are: after slots were written. Waits. */
MUST_CHECK int cuda_halo_back(backend *b, char *place);

/* NCCL, opened at run time: solve runs on machines without it. One communicator a process, kept until its end
 * (cuda_nccl.cu). */
/* *connected: whether NCCL carries the halo: part->share is there and part 0 found the library. All parts call it.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int cuda_nccl_connect(const halo *part, bool *connected);
/* To and from all peers, device memory, in a stream. Errors: ERR_RESOURCE. */
MUST_CHECK int cuda_nccl_exchange(const halo *part, const void *send, void *recv, size_t value_bytes,
                                  cudaStream_t stream);
#endif
