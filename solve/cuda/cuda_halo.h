/* SPDX-License-Identifier: Apache-2.0 */
/* Halo of a part of a lattice on the GPU (core/halo.h). It is packed, exchanged and unpacked while inner groups are
 * computed. Border groups contain cells that read
 * the halo or that other parts read (order_part); inner groups are all others.
 *   stream 1   border groups k | pack, exchange, unpack k | border groups k + 1 | ..
 *   stream 0   inner groups k-1    | inner groups k           | ..
 * Inner groups of step k wait for the border groups of step k - 1. Border groups of step k wait for the inner groups of
 * step k - 1 and, in their own stream, for the halo of step k - 1. NCCL transfers the halo if every part has its own
 * GPU; otherwise MPI, through pinned host memory. */
#ifndef PORTAFLOW_CUDA_HALO_H
#define PORTAFLOW_CUDA_HALO_H
#include "common/base/must_check.h"
#include "solve/cuda/cuda_backend.h"

struct cuda_halo {
    size_t n_sent, n_received;   /* numbers of values */
    uint64_t *sent[2];           /* [n_sent] places of halo.sent in the populations, device */
    uint64_t *received[2];       /* [n_received] places of halo.received, device */
    void *send, *recv;           /* [n_sent], [n_received], device */
    void *send_host, *recv_host; /* pinned; NULL with NCCL */
    /* border: recorded when the border groups have ended; copied: recorded when the copy to send_host has ended */
    cudaEvent_t border, copied;
    bool connected, nccl;
};

/* Create and destroy the halo of a part. Without effect on a whole lattice. Errors of all functions: ERR_RESOURCE, and
 * the errors of halo.exchange. */
MUST_CHECK int cuda_halo_create(backend *b);
void cuda_halo_destroy(backend *b);
/* Collective: chooses NCCL or MPI, once before the first exchange. */
MUST_CHECK int cuda_halo_connect(backend *b);
/* Exchange of the halo in stream 1. `begin`: starts the transfer; call it after the launch that writes the border
 * groups to `place`. `end`: call it after the launch of the inner groups; it waits until the halo is complete. */
MUST_CHECK int cuda_halo_begin(backend *b, char *place);
MUST_CHECK int cuda_halo_end(backend *b, char *place);
/* Call after slots were written: returns the values in halo cells to the owners of these cells. With D3Q27, then sends
 * all values, because writing slots does not give the wall values (halo.h). Waits. */
MUST_CHECK int cuda_halo_back(backend *b, char *place);
/* Sets the values of the halo cells in `fields` [n][stride], one value for each cell in GPU order, to the values of
 * their owners. Waits. */
MUST_CHECK int cuda_halo_cells(backend *b, int n, size_t stride, float *fields);

/* NCCL is opened at run time, because solve runs on machines without it. One communicator per process, kept until the
 * process ends (cuda_nccl.cu). */
/* Connects the ranks with NCCL; all ranks call it. *connected: true if part->share (halo.h) is set and rank 0 could
 * open the NCCL library; otherwise halo values pass through the host. Errors: ERR_RESOURCE. */
MUST_CHECK int cuda_nccl_connect(const halo *part, bool *connected);
/* Exchanges device memory with all peers, in a stream. Errors: ERR_RESOURCE. */
MUST_CHECK int cuda_nccl_exchange(const halo *part, const void *send, void *recv, size_t value_bytes,
                                  cudaStream_t stream);
#endif
