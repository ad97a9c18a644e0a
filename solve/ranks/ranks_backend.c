/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of ranks.h: the backend of one rank's part of the lattice. */
#include "common/base/clock.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "solve/core/device.h"
#include "solve/ranks/part.h"
#include "solve/ranks/ranks.h"
#include "solve/ranks/wire.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct backend {
    const domain *d;
    const backend_table *table; /* functions of the backend b */
    backend *b;
    halo h;     /* copy of the domain's halo with its own function `exchange`; borrows the arrays */
    domain own; /* copy of the domain that uses the halo h; borrows the arrays */
    bool seen;  /* true: the backend has the velocity of an earlier monitor */
    char device[160];
};

static const backend_table *inner;
static int64_t most_values; /* largest number of values that a rank sends per step, in the last partition */

/* --- partition */

typedef struct {
    int64_t least, most, cells, values, most_values;
    int32_t peers;
} cut_counts;

static void join_counts(void *all, const void *more, size_t bytes) {
    cut_counts *a = all;
    const cut_counts *b = more;
    (void)bytes;
    a->least = b->least < a->least ? b->least : a->least;
    a->most = b->most > a->most ? b->most : a->most;
    a->cells += b->cells;
    a->values += b->values;
    a->most_values = b->most_values > a->most_values ? b->most_values : a->most_values;
    a->peers = b->peers > a->peers ? b->peers : a->peers;
}

int ranks_say(const domain *d) {
    if (ranks_count() == 1)
        return OK;
    const int64_t values = d->part->first_sent[d->part->n_peer];
    cut_counts q = {d->n_cell, d->n_cell, d->n_cell, values, values, d->part->n_peer};
    const int rc = ranks_join(&q, sizeof q, join_counts);
    if (rc != OK)
        return rc;
    most_values = q.most_values;
    message_info("%d ranks: %lld to %lld cells each, %.2g %% of the links connect two ranks; a rank has up to %d "
                 "neighbours and %lld values to exchange",
                 ranks_count(), (long long)q.least, (long long)q.most,
                 100.0 * (double)q.values / ((d->directions - 1) * (double)q.cells), (int)q.peers,
                 (long long)q.most_values);
    return OK;
}

/* Requests of all ranks, on rank 0. */
typedef struct {
    part_request *request;
    int64_t n;
} all_requests;

static int requests_add(void *to, const void *data, size_t bytes) {
    all_requests *all = to;
    if (bytes == 0)
        return OK;
    part_request *more = realloc(all->request, (size_t)all->n * sizeof *more + bytes);
    if (!more)
        return fail_memory("the halos of the ranks", (double)bytes);
    memcpy(more + all->n, data, bytes);
    all->request = more;
    all->n += (int64_t)(bytes / sizeof *more);
    return OK;
}

int ranks_connect(part *p) {
    all_requests all = {0};
    int rc;
    TRY(ranks_gather(p->request, (size_t)p->n_request * sizeof *p->request, requests_add, &all));
    TRY(ranks_share(&all.n, sizeof all.n));
    if (ranks_number() > 0)
        all.request = malloc(((size_t)all.n + 1) * sizeof *all.request);
    TRY(ranks_agree(
        all.request || all.n == 0 ? OK : fail_memory("the halos of the ranks", (double)all.n * sizeof *all.request)));
    TRY(ranks_share(all.request, (size_t)all.n * sizeof *all.request));
    TRY(part_connect(p, all.request, all.n));
cleanup:
    free(all.request);
    return rc;
}

void ranks_halo(halo *h) {
    wire_halo(h, false);
}

int64_t ranks_values(void) {
    return most_values;
}

/* --- backend_table ------------------------------------------------------------------------------------------------ */

/* Finds the memory needed by a backend and the available memory. On the CPU, the ranks of a machine share the available
 * memory. */
static void ranked_memory(const domain *d, const backend_settings *s, double *needed, double *available) {
    inner->memory(d, s, needed, available);
    *available /= inner == &backend_cpu ? wire()->local_size : 1;
}

static void ranked_destroy(backend *b) {
    if (!b)
        return;
    if (b->b)
        b->table->destroy(b->b);
    free(b);
}

static void join_and(void *all, const void *more, size_t bytes) {
    (void)bytes;
    *(int32_t *)all &= *(const int32_t *)more;
}

static int gpus_of_all(int32_t *gpus) {
    *gpus = wire_gpu();
    return ranks_join(gpus, sizeof *gpus, join_and);
}

/* Limits the threads for a part with few cells. */
static backend_settings settings_of(const backend_settings *s, int64_t n_cell) {
    backend_settings of = *s;
    const int64_t worth = n_cell / 16384 + 1;
    of.threads = worth < of.threads ? (int)worth : of.threads;
    return of;
}

static int ranked_create(const domain *d, const backend_settings *s, backend **out) {
    const backend_settings settings = settings_of(s, d->n_cell);
    int32_t gpus = 0;
    int rc;
    backend *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return fail_memory("the ranks", sizeof *b);
    b->d = d;
    if (inner != &backend_cpu)
        TRY(gpus_of_all(&gpus));
    const bool direct = (gpus & WIRE_NCCL) != 0;
    if (inner != &backend_cpu && !direct)
        message_info("halos are sent through host memory, because not every rank has its own GPU and libnccl.so.2");
    b->h = *d->part;
    b->own = *d;
    b->own.part = &b->h;
    wire_halo(&b->h, direct);
    b->table = inner;
    TRY(ranks_agree(wire_device(inner->name, &b->table)));
    TRY(ranks_agree(b->table->create(&b->own, &settings, &b->b)));
    snprintf(b->device, sizeof b->device, "%d ranks, each %s", ranks_count(), b->table->device(b->b));
    *out = b;
    b = NULL;
cleanup:
    ranked_destroy(b);
    return rc;
}

static const char *ranked_device(const backend *b) {
    return b->device;
}

/* Computes n steps. Either all ranks start a step or none, because they wait for each other. */
static int ranked_step(backend *b, int n, const prescribed_value *given) {
    const double begin_s = clock_s();
    int rc;
    TRY(ranks_agree(OK));
    TRY(b->table->step(b->b, n, given));
    wire_stepped(clock_s() - begin_s);
cleanup:
    return rc;
}

static void set_mass_correction(backend *b, double mass_correction) {
    b->table->set_mass_correction(b->b, mass_correction);
}

static void set_outlets(backend *b, bool at_once) {
    b->table->set_outlets(b->b, at_once);
}

static int ranked_sums(backend *b, backend_sums *s, backend_opening_sums *opening) {
    const int rc = b->table->sums(b->b, s, opening);
    if (rc == OK && s->bad_cell >= 0)
        s->bad_cell = domain_number(b->d, s->bad_cell);
    return rc;
}

typedef struct {
    backend_sums all;
    backend_opening_sums opening[BACKEND_OPENINGS];
} all_sums;

static void join_all(void *all, const void *more, size_t bytes) {
    all_sums *a = all;
    const all_sums *b = more;
    const size_t n = (bytes - offsetof(all_sums, opening)) / sizeof *a->opening;
    backend_sums_join(&a->all, &b->all);
    for (size_t k = 0; k < n; k++) {
        exact_sum_join(&a->opening[k].flow, &b->opening[k].flow);
        exact_sum_join(&a->opening[k].density, &b->opening[k].density);
    }
}

static int ranked_monitor(backend *b, backend_monitor *m) {
    all_sums s = {.all = {.bad_cell = -1}};
    int rc;
    TRY(ranked_sums(b, &s.all, s.opening));
    TRY(ranks_join(&s, offsetof(all_sums, opening) + (size_t)b->d->n_opening * sizeof *s.opening, join_all));
    backend_monitor_make(b->d, &s.all, s.opening, b->seen, m);
    b->seen = true;
cleanup:
    return rc;
}

static int ranked_moments(backend *b, float *density, float *velocity, float *stress) {
    return b->table->moments(b->b, density, velocity, stress);
}

static int ranked_sample(backend *b, int64_t n, const int64_t *cell, float *value) {
    return b->table->sample(b->b, n, cell, value);
}

static int read_slots(backend *b, void *slots, void *kept) {
    return b->table->read(b->b, slots, kept);
}

/* With D3Q27, write and combine exchange halos; either all ranks start them or none. */
static int write_slots(backend *b, const void *slots, const void *kept) {
    const int rc = ranks_agree(OK);
    b->seen = false;
    return rc == OK ? b->table->write(b->b, slots, kept) : rc;
}

static int ranked_keep(backend *b, int place) {
    /* an error is not fatal: the run continues without Anderson acceleration */
    return ranks_settle(b->table->keep(b->b, place));
}

static int ranked_combine(backend *b, const double *weight) {
    const int rc = ranks_agree(OK);
    b->seen = false;
    return rc == OK ? b->table->combine(b->b, weight) : rc;
}

static backend_table joined = {NULL,           ranked_memory,       ranked_create, ranked_destroy, ranked_device,
                               ranked_step,    set_mass_correction, set_outlets,   ranked_monitor, ranked_sums,
                               ranked_moments, ranked_sample,       NULL,          read_slots,     write_slots,
                               ranked_keep,    ranked_combine};

int ranks_wait(backend *b) {
#ifdef PORTAFLOW_CUDA
    if (inner == &backend_cuda)
        return backend_cuda_wait(b->b);
#endif
    return b ? OK : ERR_INTERNAL;
}

int ranks_device(int wanted, const backend_table **table) {
    int32_t gpus = 0;
    int rc = OK;
    if (ranks_count() == 1)
        return OK;
    /* 1 only if all ranks have a GPU, since all ranks use one kind of device */
    int32_t gpu_here = *table != &backend_cpu;
    TRY(ranks_join(&gpu_here, sizeof gpu_here, join_and));
    if (gpu_here && wanted == DEVICE_AUTO) {
        TRY(gpus_of_all(&gpus));
        if (!(gpus & WIRE_GPU))
            message_info("all ranks compute on CPUs, because not every rank has its own GPU (with --device cuda ranks "
                         "share the GPUs)");
        gpu_here = gpus & WIRE_GPU;
    }
    inner = gpu_here ? *table : &backend_cpu;
    const backend_table *own = inner;
    /* select the device first, because other functions read its free memory */
    TRY(ranks_agree(wire_device(inner->name, &own)));
    joined.name = inner->name;
    *table = &joined;
cleanup:
    return rc;
}
