/* SPDX-License-Identifier: Apache-2.0 */
/* See cuda_halo.h. Declarations of NCCL (nccl.h, since 2.7); ncclInt8 is type 0. */
#include "solve/cuda/cuda_halo.h"
#include <dlfcn.h>
#include <string.h>
extern "C" {
#include "common/base/message.h"
#include "common/base/status.h"
}

typedef struct {
    char internal[128];
} nccl_id;

static struct {
    void *library, *comm;
    int (*unique_id)(nccl_id *id);
    int (*init)(void **comm, int count, nccl_id id, int number);
    int (*send)(const void *data, size_t n, int type, int peer, void *comm, cudaStream_t stream);
    int (*recv)(void *data, size_t n, int type, int peer, void *comm, cudaStream_t stream);
    int (*group_start)(void);
    int (*group_end)(void);
    const char *(*error)(int code);
} nccl;

static int nccl_check(int code, const char *what) {
    return code == 0 ? OK
                     : fail(ERR_RESOURCE,
                            "the communication between GPUs (NCCL) failed in %s: %s; use one GPU (without --ranks)",
                            what, nccl.error(code));
}

static bool load_symbol(const char *name, void *to) {
    *(void **)to = dlsym(nccl.library, name);
    return *(void **)to != NULL;
}

static bool nccl_open(void) {
    if (!nccl.library)
        nccl.library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    return nccl.library && load_symbol("ncclGetUniqueId", &nccl.unique_id) &&
           load_symbol("ncclCommInitRank", &nccl.init) && load_symbol("ncclSend", &nccl.send) &&
           load_symbol("ncclRecv", &nccl.recv) && load_symbol("ncclGroupStart", &nccl.group_start) &&
           load_symbol("ncclGroupEnd", &nccl.group_end) && load_symbol("ncclGetErrorString", &nccl.error);
}

int cuda_nccl_connect(const halo *part, bool *connected) {
    struct {
        int found;
        nccl_id id;
    } said = {};
    int rc = OK;
    *connected = nccl.comm != NULL;
    if (!part->share || part->count < 2 || nccl.comm)
        return OK;
    if (part->number == 0)
        said.found = nccl_open() && nccl.unique_id(&said.id) == 0;
    TRY(part->share(part->data, &said, sizeof said));
    if (part->number == 0)
        message_info(said.found ? "halos are sent from GPU to GPU (NCCL)"
                                : "halos are sent through host memory, because libnccl.so.2 was not found");
    if (!said.found)
        return OK;
    if (!nccl_open())
        return fail(ERR_RESOURCE, "rank %d does not find libnccl.so.2, but rank 0 does; install it on all machines",
                    part->number);
    TRY(nccl_check(nccl.init(&nccl.comm, part->count, said.id, part->number), "connecting to the other GPUs"));
    *connected = true;
cleanup:
    return rc;
}

int cuda_nccl_exchange(const halo *part, const void *send, void *recv, size_t value_bytes, cudaStream_t stream) {
    int rc = nccl_check(nccl.group_start(), "the halo");
    for (int k = 0; k < part->n_peer && rc == OK; k++) {
        const char *from = (const char *)send + (size_t)part->first_sent[k] * value_bytes;
        char *to = (char *)recv + (size_t)part->first_received[k] * value_bytes;
        const size_t out = (size_t)(part->first_sent[k + 1] - part->first_sent[k]) * value_bytes,
                     in = (size_t)(part->first_received[k + 1] - part->first_received[k]) * value_bytes;
        if (out > 0)
            rc = nccl_check(nccl.send(from, out, 0, part->peer[k], nccl.comm, stream), "the halo");
        if (rc == OK && in > 0)
            rc = nccl_check(nccl.recv(to, in, 0, part->peer[k], nccl.comm, stream), "the halo");
    }
    const int ended = nccl_check(nccl.group_end(), "the halo");
    return rc == OK ? ended : rc;
}
