/* SPDX-License-Identifier: Apache-2.0 */
/* See cuda_halo.h. */
#include "solve/cuda/cuda_halo.h"
#include <stdlib.h>

enum { HALO_BLOCK = 256 };

template <class T>
static __global__ void __launch_bounds__(HALO_BLOCK) pack_kernel(const T *pop, const uint64_t *at, size_t n, T *out) {
    const size_t k = blockIdx.x * (size_t)HALO_BLOCK + threadIdx.x;
    if (k < n)
        out[k] = pop[at[k]];
}

template <class T>
static __global__ void __launch_bounds__(HALO_BLOCK) unpack_kernel(const T *in, const uint64_t *at, size_t n, T *pop) {
    const size_t k = blockIdx.x * (size_t)HALO_BLOCK + threadIdx.x;
    if (k < n)
        pop[at[k]] = in[k];
}

/* Number in GPU order of the cell with the value at place `at` of the populations, which have `slots` per cell, in
 * blocks of 32 cells. */
static __device__ size_t cell_at(uint64_t at, uint32_t slots) {
    return at / (32 * slots) * 32 + at % 32;
}

static __global__ void __launch_bounds__(HALO_BLOCK)
    pack_cells_kernel(const float *field, const uint64_t *at, size_t n, uint32_t slots, float *out) {
    const size_t k = blockIdx.x * (size_t)HALO_BLOCK + threadIdx.x;
    if (k < n)
        out[k] = field[cell_at(at[k], slots)];
}

static __global__ void __launch_bounds__(HALO_BLOCK)
    unpack_cells_kernel(const float *in, const uint64_t *at, size_t n, uint32_t slots, float *field) {
    const size_t k = blockIdx.x * (size_t)HALO_BLOCK + threadIdx.x;
    if (k < n)
        field[cell_at(at[k], slots)] = in[k];
}

static unsigned blocks_for(size_t n) {
    return (unsigned)((n + HALO_BLOCK - 1) / HALO_BLOCK);
}

template <class T> static void pack_as(const cuda_halo *h, const char *place, const uint64_t *at, cudaStream_t stream) {
    pack_kernel<<<blocks_for(h->n_sent), HALO_BLOCK, 0, stream>>>((const T *)place, at, h->n_sent, (T *)h->send);
}
template <class T> static void unpack_as(const cuda_halo *h, char *place, const uint64_t *at, cudaStream_t stream) {
    unpack_kernel<<<blocks_for(h->n_received), HALO_BLOCK, 0, stream>>>((const T *)h->recv, at, h->n_received,
                                                                        (T *)place);
}

static int halo_pack(const backend *b, const char *place, const uint64_t *at) {
    const size_t bytes = cuda_value_bytes(b);
    if (b->halo->n_sent == 0)
        return OK;
    (bytes == 2   ? pack_as<uint16_t>
     : bytes == 4 ? pack_as<uint32_t>
                  : pack_as<uint64_t>)(b->halo, place, at, b->stream[1]);
    return cuda_check(cudaGetLastError(), "packing the halo");
}

static int halo_unpack(const backend *b, char *place, const uint64_t *at) {
    const size_t bytes = cuda_value_bytes(b);
    if (b->halo->n_received == 0)
        return OK;
    (bytes == 2   ? unpack_as<uint16_t>
     : bytes == 4 ? unpack_as<uint32_t>
                  : unpack_as<uint64_t>)(b->halo, place, at, b->stream[1]);
    return cuda_check(cudaGetLastError(), "unpacking the halo");
}

/* Index in the populations of the value that `cell` sends to the owner of `slot` (halo.h, cuda_group.cuh). */
static uint64_t place_of_value(const backend *b, const cell_order *inverse, int32_t cell, int slot) {
    const uint64_t c = (uint64_t)order_from(inverse, cell), block = cuda_value_bytes(b) == 2 ? 64 : 32;
    return c + (uint64_t)(backend_slots(&b->settings) - 1) * (c & ~(block - 1)) +
           (uint64_t)lattice_opposite(slot) * block;
}

static int places_upload(backend *b, const cell_order *inverse, const halo_values *v, size_t n, uint64_t **out) {
    uint64_t *at = (uint64_t *)malloc((n + 1) * sizeof *at);
    int rc = OK;
    if (!at)
        return fail_memory("the halo", 8.0 * (double)n);
    for (size_t k = 0; k < n; k++)
        at[k] = place_of_value(b, inverse, v->cell[k], v->slot[k]);
    CUDA_TRY(cudaMalloc((void **)out, (n + 1) * sizeof *at), "the halo");
    CUDA_TRY(cudaMemcpy(*out, at, n * sizeof *at, cudaMemcpyHostToDevice), "the halo");
cleanup:
    free(at);
    return rc;
}

int cuda_halo_create(backend *b) {
    const halo *part = b->d->part;
    cell_order inverse = {};
    const size_t bytes = cuda_value_bytes(b);
    int rc = OK;
    if (!part)
        return OK;
    cuda_halo *h = b->halo = (cuda_halo *)calloc(1, sizeof *h);
    if (!h)
        return fail_memory("the halo", sizeof *h);
    h->n_sent = (size_t)part->first_sent[part->n_peer];
    h->n_received = (size_t)part->first_received[part->n_peer];
    TRY(order_inverse(&b->order, &inverse));
    for (int odd = 0; odd < 2; odd++) {
        TRY(places_upload(b, &inverse, &part->sent[odd], h->n_sent, &h->sent[odd]));
        TRY(places_upload(b, &inverse, &part->received[odd], h->n_received, &h->received[odd]));
    }
    CUDA_TRY(cudaMalloc(&h->send, (h->n_sent + 1) * bytes), "the halo");
    CUDA_TRY(cudaMalloc(&h->recv, (h->n_received + 1) * bytes), "the halo");
    CUDA_TRY(cudaMallocHost(&h->send_host, (h->n_sent + 1) * bytes), "pinned memory");
    CUDA_TRY(cudaMallocHost(&h->recv_host, (h->n_received + 1) * bytes), "pinned memory");
    CUDA_TRY(cudaEventCreateWithFlags(&h->border, cudaEventDisableTiming), "creating an event");
    CUDA_TRY(cudaEventCreateWithFlags(&h->copied, cudaEventDisableTiming), "creating an event");
cleanup:
    order_free(&inverse);
    return rc;
}

void cuda_halo_destroy(backend *b) {
    cuda_halo *h = b->halo;
    if (!h)
        return;
    for (int odd = 0; odd < 2; odd++) {
        cudaFree(h->sent[odd]);
        cudaFree(h->received[odd]);
    }
    cudaFree(h->send);
    cudaFree(h->recv);
    cudaFreeHost(h->send_host);
    cudaFreeHost(h->recv_host);
    if (h->border)
        cudaEventDestroy(h->border);
    if (h->copied)
        cudaEventDestroy(h->copied);
    free(h);
    b->halo = NULL;
}

int cuda_halo_connect(backend *b) {
    cuda_halo *h = b->halo;
    int rc = OK;
    if (h->connected)
        return OK;
    TRY(cuda_nccl_connect(b->d->part, &h->nccl));
    h->connected = true;
cleanup:
    return rc;
}

int cuda_halo_begin(backend *b, char *place) {
    const halo *part = b->d->part;
    cuda_halo *h = b->halo;
    const size_t bytes = cuda_value_bytes(b);
    int rc = OK;
    TRY(halo_pack(b, place, h->sent[0]));
    if (h->nccl) {
        TRY(cuda_nccl_exchange(part, h->send, h->recv, bytes, b->stream[1]));
        return halo_unpack(b, place, h->received[0]);
    }
    CUDA_TRY(cudaMemcpyAsync(h->send_host, h->send, h->n_sent * bytes, cudaMemcpyDeviceToHost, b->stream[1]),
             "the halo");
    CUDA_TRY(cudaEventRecord(h->copied, b->stream[1]), "the halo");
cleanup:
    return rc;
}

int cuda_halo_end(backend *b, char *place) {
    const halo *part = b->d->part;
    cuda_halo *h = b->halo;
    int rc = OK;
    if (h->nccl)
        return OK;
    CUDA_TRY(cudaEventSynchronize(h->copied), "the border of the part");
    TRY(part->exchange(part->data, h->send_host, h->recv_host, cuda_value_bytes(b)));
    CUDA_TRY(cudaMemcpyAsync(h->recv, h->recv_host, h->n_received * cuda_value_bytes(b), cudaMemcpyHostToDevice,
                             b->stream[1]),
             "the halo");
    TRY(halo_unpack(b, place, h->received[0]));
    /* the next copy to recv_host follows this copy in the stream, so recv_host is not overwritten early */
cleanup:
    return rc;
}

/* Exchanges the packed values through the host; waits. */
static int packed_exchange(backend *b, size_t bytes) {
    const halo *part = b->d->part;
    cuda_halo *h = b->halo;
    int rc = OK;
    CUDA_TRY(cudaMemcpyAsync(h->send_host, h->send, h->n_sent * bytes, cudaMemcpyDeviceToHost, b->stream[1]),
             "the halo");
    CUDA_TRY(cudaStreamSynchronize(b->stream[1]), "the halo");
    TRY(part->exchange(part->data, h->send_host, h->recv_host, bytes));
    CUDA_TRY(cudaMemcpyAsync(h->recv, h->recv_host, h->n_received * bytes, cudaMemcpyHostToDevice, b->stream[1]),
             "the halo");
cleanup:
    return rc;
}

/* Exchange `odd` of halo.h through the host; waits. */
static int exchange_wait(backend *b, char *place, int odd) {
    int rc = OK;
    TRY(halo_pack(b, place, b->halo->sent[odd]));
    TRY(packed_exchange(b, cuda_value_bytes(b)));
    TRY(halo_unpack(b, place, b->halo->received[odd]));
    CUDA_TRY(cudaStreamSynchronize(b->stream[1]), "the halo");
cleanup:
    return rc;
}

int cuda_halo_cells(backend *b, int n, size_t stride, float *fields) {
    const cuda_halo *h = b->halo;
    const uint32_t slots = (uint32_t)backend_slots(&b->settings);
    cudaStream_t stream = b->stream[1];
    int rc = OK;
    for (float *field = fields; field < fields + (size_t)n * stride; field += stride) {
        if (h->n_sent > 0)
            pack_cells_kernel<<<blocks_for(h->n_sent), HALO_BLOCK, 0, stream>>>(field, h->sent[0], h->n_sent, slots,
                                                                                (float *)h->send);
        CUDA_TRY(cudaGetLastError(), "packing the halo");
        TRY(packed_exchange(b, sizeof *field));
        if (h->n_received > 0)
            unpack_cells_kernel<<<blocks_for(h->n_received), HALO_BLOCK, 0, stream>>>(
                (const float *)h->recv, h->received[0], h->n_received, slots, field);
        CUDA_TRY(cudaGetLastError(), "unpacking the halo");
    }
    CUDA_TRY(cudaStreamSynchronize(stream), "the halo");
cleanup:
    return rc;
}

int cuda_halo_back(backend *b, char *place) {
    int rc = exchange_wait(b, place, 1);
    if (rc == OK && b->d->behind)
        rc = exchange_wait(b, place, 0);
    return rc;
}
