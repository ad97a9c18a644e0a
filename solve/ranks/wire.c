/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/ranks/wire.h"
#include "common/base/status.h"
#include "solve/core/device.h"
#include <dlfcn.h>
#include <string.h>

static bool is_lost;

bool wire_lost(void) {
    return is_lost;
}

static int lost_rank(void) {
    is_lost = true;
    return fail(ERR_RESOURCE, "another rank of this run has ended; run the same command with --resume, which continues "
                              "from the last complete checkpoint");
}

int wire_send(int to, const void *data, size_t bytes) {
    return bytes == 0 || wire()->send(to, data, bytes) == 0 ? OK : lost_rank();
}

int wire_recv(int from, void *data, size_t bytes) {
    return bytes == 0 || wire()->recv(from, data, bytes) == 0 ? OK : lost_rank();
}

static int exchange_halo(void *data, const void *send, void *recv, size_t value_bytes) {
    const halo *h = data;
    return wire()->exchange(h->n_peer, h->peer, h->first_sent, h->first_received, send, recv, value_bytes) == 0
               ? OK
               : lost_rank();
}

static int share_from_first(void *data, void *bytes, size_t n) {
    int rc = OK;
    (void)data;
    for (int r = 1; r < wire()->size && wire()->rank == 0 && rc == OK; r++)
        rc = wire_send(r, bytes, n);
    return wire()->rank == 0 ? rc : wire_recv(0, bytes, n);
}

int32_t wire_gpu(void) {
    if (wire()->local_size > device_count_gpus())
        return 0;
    /* the same library as in cuda_nccl.cu */
    return dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL) ? WIRE_GPU | WIRE_NCCL : WIRE_GPU;
}

void wire_halo(halo *h, bool direct) {
    h->exchange = exchange_halo;
    h->data = h;
    h->number = wire()->rank;
    h->count = wire()->size;
    h->share = direct ? share_from_first : NULL;
}

int wire_device(const char *name, const backend_table **table) {
    const bool cpu = strcmp(name, backend_cpu.name) == 0;
    if (cpu) {
        *table = &backend_cpu;
        return OK;
    }
#ifdef PORTAFLOW_CUDA
    if (strcmp(name, backend_cuda.name) == 0) {
        *table = &backend_cuda;
        return backend_cuda_use(wire()->local_rank);
    }
#endif
    return fail(
        ERR_RESOURCE,
        "the ranks compute on '%s', which this build of solve does not know; use the same build on all machines", name);
}
