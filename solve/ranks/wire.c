/* See wire.h. */
#include "solve/ranks/wire.h"
#include "common/base/status.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static int lost(void) {
    return fail(ERR_RESOURCE,
                "another rank of this run has ended; the last checkpoint is complete: the same command with "
                "--resume continues from it");
}

int wire_send(int to, const void *data, size_t bytes) {
    return bytes == 0 || wire()->send(to, data, bytes) == 0 ? OK : lost();
}

int wire_recv(int from, void *data, size_t bytes) {
    return bytes == 0 || wire()->recv(from, data, bytes) == 0 ? OK : lost();
}

/* An array from malloc with room for one more. */
static int array_recv(int from, void **data, int64_t n, size_t size) {
    *data = malloc(((size_t)n + 1) * size);
    return *data ? wire_recv(from, *data, (size_t)n * size)
                 : fail_memory("the part of a rank", (double)n * (double)size);
}

/* Numbers of what follows. */
typedef struct {
    int64_t n_cell, n_halo, n_run, n_link, n_partial, n_value;
    int32_t dims[3], n_opening, n_peer;
    bool periodic[3], fluid;
} part_sizes;

int wire_part_send(int to, const part *p) {
    const domain *d = &p->d;
    const halo *h = &p->h;
    part_sizes s = {.n_cell = d->n_cell,
                    .n_halo = d->n_halo,
                    .n_run = d->n_run,
                    .n_link = d->n_link,
                    .n_partial = d->n_partial,
                    .n_value = h->first[h->n_peer],
                    .n_opening = d->n_opening,
                    .n_peer = h->n_peer,
                    .fluid = d->fluid != NULL};
    int rc;
    for (int a = 0; a < 3; a++) {
        s.dims[a] = d->dims[a];
        s.periodic[a] = d->periodic[a];
    }
    TRY(wire_send(to, &s, sizeof s));
    TRY(wire_send(to, d->run, ((size_t)s.n_run + 1) * sizeof *d->run));
    TRY(wire_send(to, d->link, (size_t)s.n_link * sizeof *d->link));
    TRY(wire_send(to, d->partial, (size_t)s.n_partial * sizeof *d->partial));
    TRY(wire_send(to, d->opening, (size_t)s.n_opening * sizeof *d->opening));
    if (s.fluid)
        TRY(wire_send(to, d->fluid, (size_t)s.n_cell * sizeof *d->fluid));
    TRY(wire_send(to, h->peer, (size_t)s.n_peer * sizeof *h->peer));
    TRY(wire_send(to, h->first, ((size_t)s.n_peer + 1) * sizeof *h->first));
    TRY(wire_send(to, h->mine, (size_t)s.n_value * sizeof *h->mine));
    TRY(wire_send(to, h->theirs, (size_t)s.n_value * sizeof *h->theirs));
    TRY(wire_send(to, h->mine_slot, (size_t)s.n_value));
    TRY(wire_send(to, h->theirs_slot, (size_t)s.n_value));
cleanup:
    return rc;
}

int wire_part_recv(int from, part *p) {
    domain *d = &p->d;
    halo *h = &p->h;
    part_sizes s;
    int rc;
    memset(p, 0, sizeof *p);
    TRY(wire_recv(from, &s, sizeof s));
    *d = (domain){.n_cell = s.n_cell,
                  .n_halo = s.n_halo,
                  .n_run = s.n_run,
                  .n_link = s.n_link,
                  .n_partial = s.n_partial,
                  .n_opening = s.n_opening,
                  .part = h};
    for (int a = 0; a < 3; a++) {
        d->dims[a] = s.dims[a];
        d->periodic[a] = s.periodic[a];
    }
    h->n_peer = s.n_peer;
    TRY(array_recv(from, (void **)&d->run, s.n_run + 1, sizeof *d->run));
    TRY(array_recv(from, (void **)&d->link, s.n_link, sizeof *d->link));
    TRY(array_recv(from, (void **)&d->partial, s.n_partial, sizeof *d->partial));
    TRY(array_recv(from, (void **)&d->opening, s.n_opening, sizeof *d->opening));
    if (s.fluid)
        TRY(array_recv(from, (void **)&d->fluid, s.n_cell, sizeof *d->fluid));
    TRY(array_recv(from, (void **)&h->peer, s.n_peer, sizeof *h->peer));
    TRY(array_recv(from, (void **)&h->first, s.n_peer + 1, sizeof *h->first));
    TRY(array_recv(from, (void **)&h->mine, s.n_value, sizeof *h->mine));
    TRY(array_recv(from, (void **)&h->theirs, s.n_value, sizeof *h->theirs));
    TRY(array_recv(from, (void **)&h->mine_slot, s.n_value, 1));
    TRY(array_recv(from, (void **)&h->theirs_slot, s.n_value, 1));
cleanup:
    if (rc != OK)
        part_free(p);
    return rc;
}

static int exchange(void *data, const void *send, void *recv, size_t value_bytes) {
    const halo *h = data;
    return wire()->exchange(h->n_peer, h->peer, h->first, send, recv, value_bytes) == 0 ? OK : lost();
}

static int share(void *data, void *bytes, size_t n) {
    int rc = OK;
    (void)data;
    for (int r = 1; r < wire()->size && wire()->rank == 0 && rc == OK; r++)
        rc = wire_send(r, bytes, n);
    return wire()->rank == 0 ? rc : wire_recv(0, bytes, n);
}

static int devices_here(void) {
#ifdef PORTAFLOW_CUDA
    return backend_cuda_count();
#else
    return 0;
#endif
}

int32_t wire_gpu(void) {
    if (wire()->local_size > devices_here())
        return 0;
    return dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL) ? WIRE_GPU | WIRE_NCCL : WIRE_GPU; /* cuda_nccl.cu wants it */
}

void wire_halo(halo *h, bool direct) {
    h->exchange = exchange;
    h->data = h;
    h->number = wire()->rank;
    h->count = wire()->size;
    h->share = direct ? share : NULL;
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
    return fail(ERR_RESOURCE, "rank 0 computes on '%s', which this build of solve does not know", name);
}
