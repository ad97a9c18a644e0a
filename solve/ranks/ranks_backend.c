/* See ranks.h: the backend of rank 0, which asks those of all ranks. */
#include "common/base/clock.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "solve/core/device.h"
#include "solve/ranks/partition.h"
#include "solve/ranks/ranks.h"
#include "solve/ranks/wire.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct backend {
    const domain *d;
    backend_settings settings;
    backend *b; /* of part 0 */
    part p;
    uint16_t *owner;             /* [d->n_cell] */
    int64_t *n_cell, *n_partial; /* [ranks] */
    bool seen;                   /* there is a velocity to compare with */
    bool direct;                 /* wire_settings */
    char device[160];
};

static const backend_table *inner;
static int64_t most_values; /* of the last partition */

/* --- the parts ---------------------------------------------------------------------------------------------------- */

static void say_partition(const backend *b, const partition_quality *q) {
    message_info(
        "%d ranks: %lld to %lld cells each, %.2g %% of the links cut, at most %d neighbours and %lld values to "
        "exchange",
        ranks_count(), (long long)q->least, (long long)q->most, 100.0 * (double)q->cut / (9.0 * (double)b->d->n_cell),
        q->peers, (long long)q->values);
}

/* Threads of a part, which has few cells where the lattice has many. */
static backend_settings settings_of(const backend_settings *s, int64_t n_cell) {
    backend_settings of = *s;
    const int64_t worth = n_cell / 16384 + 1;
    of.threads = worth < of.threads ? (int)worth : of.threads;
    return of;
}

/* Every rank gets its part; rank 0 keeps the first. */
static int parts_send(backend *b) {
    wire_settings with = {.direct = b->direct};
    partition_quality q;
    int rc;
    int32_t *local = malloc((size_t)b->d->n_cell * sizeof *local);
    part p = {0};
    if (!local)
        return fail_memory("the parts of the ranks", 4.0 * (double)b->d->n_cell);
    snprintf(with.device, sizeof with.device, "%s", inner->name);
    TRY(partition_make(b->d, ranks_count(), wire()->cut, b->owner));
    TRY(partition_measure(b->d, ranks_count(), b->owner, &q));
    say_partition(b, &q);
    most_values = q.values;
    TRY(wire_tell(&(wire_command){.what = WIRE_CREATE}));
    for (int r = 0; r < ranks_count(); r++) {
        TRY(part_create(b->d, b->owner, r, local, r ? &p : &b->p));
        const domain *d = r ? &p.d : &b->p.d;
        b->n_cell[r] = d->n_cell;
        b->n_partial[r] = d->n_partial;
        if (r == 0)
            continue;
        with.settings = settings_of(&b->settings, d->n_cell);
        TRY(wire_send(r, &with, sizeof with));
        TRY(wire_part_send(r, &p));
        part_free(&p);
    }
cleanup:
    part_free(&p);
    free(local);
    return rc;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static void memory(const domain *d, const backend_settings *s, double *needed, double *available) {
    inner->memory(d, s, needed, available);
}

static void destroy(backend *b) {
    if (!b)
        return;
    status_ignore(wire_tell(&(wire_command){.what = WIRE_DESTROY}));
    inner->destroy(b->b);
    part_free(&b->p);
    free(b->owner);
    free(b->n_cell);
    free(b->n_partial);
    free(b);
}

static int create(const domain *d, const backend_settings *s, backend **out) {
    const backend_table *table = inner;
    int rc, mine;
    int32_t gpus = 0;
    backend *b = calloc(1, sizeof *b);
    *out = NULL;
    if (s->heat) {
        free(b);
        return fail(ERR_INPUT,
                    "heat (solve.heat) is not computed on several ranks; run this case on one (without mpirun, "
                    "without --ranks)");
    }
    if (!b)
        return fail_memory("the ranks", sizeof *b);
    b->d = d;
    b->settings = *s;
    b->owner = malloc((size_t)d->n_cell * sizeof *b->owner);
    b->n_cell = calloc((size_t)ranks_count(), sizeof *b->n_cell);
    b->n_partial = calloc((size_t)ranks_count(), sizeof *b->n_partial);
    if (!b->owner || !b->n_cell || !b->n_partial)
        GIVE_UP(fail_memory("the ranks", 2.0 * (double)d->n_cell));
    TRY(wire_device(inner->name, &table));
    if (inner != &backend_cpu)
        TRY(wire_gpus(&gpus));
    b->direct = (gpus & WIRE_NCCL) != 0;
    if (inner != &backend_cpu && !b->direct)
        message_info("halos go through the hosts' memory: not every rank has a GPU of its own and libnccl.so.2");
    TRY(parts_send(b));
    b->p.d.part = &b->p.h;
    wire_halo(&b->p.h, b->direct);
    const backend_settings settings = settings_of(s, b->p.d.n_cell);
    mine = inner->create(&b->p.d, &settings, &b->b);
    TRY(wire_answers(mine));
    snprintf(b->device, sizeof b->device, "%d ranks, each %s", ranks_count(), inner->device(b->b));
    *out = b;
    b = NULL;
cleanup:
    destroy(b);
    return rc;
}

static const char *device(const backend *b) {
    return b->device;
}

static int step(backend *b, int n, const double *value) {
    const size_t bytes = (size_t)(n > 0 ? n : 1) * (size_t)b->d->n_opening * sizeof *value;
    const double begin_s = clock_s();
    int rc;
    TRY(wire_tell(&(wire_command){.what = WIRE_STEP, .number = n}));
    for (int r = 1; r < ranks_count(); r++)
        TRY(wire_send(r, value, bytes));
    rc = wire_answers(inner->step(b->b, n, value));
    wire_stepped(clock_s() - begin_s);
cleanup:
    return rc;
}

static void set_gain(backend *b, double gain) {
    inner->set_gain(b->b, gain);
    status_ignore(wire_tell(&(wire_command){.what = WIRE_GAIN, .gain = gain})); /* a lost rank shows in the next step */
}

/* The cell of the whole that is cell `at` of a part. */
static int64_t whole_cell(const backend *b, int number, int64_t at) {
    for (int64_t c = 0; c < b->d->n_cell; c++)
        if (b->owner[c] == number && at-- == 0)
            return c;
    return -1;
}

static int sums(backend *b, backend_sums *all, backend_opening_sums *opening) {
    const size_t n_opening = (size_t)b->d->n_opening;
    backend_opening_sums more[BACKEND_OPENINGS];
    int rc;
    TRY(wire_tell(&(wire_command){.what = WIRE_SUMS}));
    rc = inner->sums(b->b, all, opening);
    if (all->bad_cell >= 0)
        all->bad_cell = whole_cell(b, 0, all->bad_cell);
    for (int r = 1; r < ranks_count(); r++) {
        wire_answer a;
        backend_sums s;
        TRY(wire_recv(r, &a, sizeof a));
        if (rc == OK && a.rc != OK)
            rc = fail(a.rc, "rank %d: %s", r, a.sentence);
        const int kept = rc;
        TRY(wire_recv(r, &s, sizeof s));
        TRY(wire_recv(r, more, n_opening * sizeof *more));
        rc = kept;
        if (s.bad_cell >= 0)
            s.bad_cell = whole_cell(b, r, s.bad_cell);
        backend_sums_join(all, &s);
        for (size_t k = 0; k < n_opening; k++) {
            exact_sum_join(&opening[k].flow, &more[k].flow);
            exact_sum_join(&opening[k].density, &more[k].density);
        }
    }
cleanup:
    return rc;
}

static int monitor(backend *b, backend_monitor *m) {
    backend_sums all = {.bad_cell = -1};
    backend_opening_sums opening[BACKEND_OPENINGS] = {0};
    const int rc = sums(b, &all, opening);
    if (rc != OK)
        return rc;
    backend_monitor_make(b->d, &all, opening, b->seen, m);
    b->seen = true;
    return OK;
}

/* Values of the cells of a part, `size` bytes each, to or from their places in the whole. */
static void place(const backend *b, int number, char *whole, char *packed, size_t size, bool into_whole) {
    for (int64_t c = 0; c < b->d->n_cell; c++) {
        if (b->owner[c] != number)
            continue;
        memcpy(into_whole ? whole + (size_t)c * size : packed, into_whole ? packed : whole + (size_t)c * size, size);
        packed += size;
    }
}

static int moments(backend *b, float *density, float *velocity, float *stress) {
    float *const out[3] = {density, velocity, stress};
    static const size_t width[3] = {1, 3, 6};
    float *own[3] = {NULL, NULL, NULL}, *buffer = NULL;
    int64_t most = 0;
    int rc, which = 0;
    for (int r = 0; r < ranks_count(); r++)
        most = b->n_cell[r] > most ? b->n_cell[r] : most;
    buffer = calloc((size_t)most + 1, 6 * sizeof *buffer);
    bool there = buffer != NULL;
    for (int k = 0; k < 3; k++) {
        which |= out[k] ? 1 << k : 0;
        own[k] = out[k] ? calloc((size_t)b->n_cell[0] + 1, width[k] * sizeof **own) : NULL;
        there &= own[k] || !out[k];
    }
    if (!there)
        GIVE_UP(fail_memory("the fields", 40.0 * (double)most));
    TRY(wire_tell(&(wire_command){.what = WIRE_MOMENTS, .number = which}));
    TRY(wire_answers(inner->moments(b->b, own[0], own[1], own[2])));
    for (int r = 0; r < ranks_count(); r++)
        for (int k = 0; k < 3; k++) {
            const size_t size = width[k] * sizeof *buffer;
            if (!out[k])
                continue;
            if (r > 0)
                TRY(wire_recv(r, buffer, (size_t)b->n_cell[r] * size));
            place(b, r, (char *)out[k], (char *)(r > 0 ? buffer : own[k]), size, true);
        }
cleanup:
    wire_astray(rc);
    for (int k = 0; k < 3; k++)
        free(own[k]);
    free(buffer);
    return rc;
}

/* First partial link of each cell's part, in the order of the whole: `kept` of a part to or from its places. */
static void place_kept(const backend *b, int number, char *whole, char *packed, size_t size, bool into_whole) {
    for (int64_t k = 0; k < b->d->n_partial; k++) {
        if (b->owner[b->d->partial[k].cell] != number)
            continue;
        memcpy(into_whole ? whole + (size_t)k * size : packed, into_whole ? packed : whole + (size_t)k * size, size);
        packed += size;
    }
}

/* Slots and kept values of part `number`, [19][cells of the part] and [its partial links]. */
static void place_slots(const backend *b, int number, char *slots, char *kept, char *part_slots, char *part_kept,
                        bool into_whole) {
    const size_t bytes = (size_t)backend_value_bytes(b->settings.precision);
    for (size_t a = 0; a < 19; a++)
        place(b, number, slots + a * (size_t)b->d->n_cell * bytes, part_slots + a * (size_t)b->n_cell[number] * bytes,
              bytes, into_whole);
    place_kept(b, number, kept, part_kept, bytes, into_whole);
}

static int part_buffers(const backend *b, size_t *bytes, char **slots, char **kept) {
    int64_t most = 0, most_kept = 0;
    *bytes = (size_t)backend_value_bytes(b->settings.precision);
    for (int r = 0; r < ranks_count(); r++) {
        most = b->n_cell[r] > most ? b->n_cell[r] : most;
        most_kept = b->n_partial[r] > most_kept ? b->n_partial[r] : most_kept;
    }
    *slots = calloc((size_t)most + 1, 19 * *bytes);
    *kept = calloc((size_t)most_kept + 1, *bytes);
    return *slots && *kept ? OK : fail_memory("the checkpoint", 19.0 * (double)most * (double)*bytes);
}

static int read_slots(backend *b, void *slots, void *kept) {
    char *part_slots = NULL, *part_kept = NULL;
    size_t bytes;
    int rc;
    TRY(part_buffers(b, &bytes, &part_slots, &part_kept));
    TRY(wire_tell(&(wire_command){.what = WIRE_READ}));
    TRY(wire_answers(inner->read(b->b, part_slots, part_kept)));
    for (int r = 0; r < ranks_count(); r++) {
        if (r > 0) {
            TRY(wire_recv(r, part_slots, 19 * (size_t)b->n_cell[r] * bytes));
            TRY(wire_recv(r, part_kept, (size_t)b->n_partial[r] * bytes));
        }
        place_slots(b, r, slots, kept, part_slots, part_kept, true);
    }
cleanup:
    wire_astray(rc);
    free(part_slots);
    free(part_kept);
    return rc;
}

static int write_slots(backend *b, const void *slots, const void *kept) {
    char *part_slots = NULL, *part_kept = NULL;
    size_t bytes;
    int rc;
    TRY(part_buffers(b, &bytes, &part_slots, &part_kept));
    TRY(wire_tell(&(wire_command){.what = WIRE_WRITE}));
    TRY(wire_answers(OK));
    for (int r = 1; r < ranks_count(); r++) {
        place_slots(b, r, (char *)slots, (char *)kept, part_slots, part_kept, false);
        TRY(wire_send(r, part_slots, 19 * (size_t)b->n_cell[r] * bytes));
        TRY(wire_send(r, part_kept, (size_t)b->n_partial[r] * bytes));
    }
    place_slots(b, 0, (char *)slots, (char *)kept, part_slots, part_kept, false);
    TRY(wire_answers(inner->write(b->b, part_slots, part_kept)));
    b->seen = false;
cleanup:
    wire_astray(rc);
    free(part_slots);
    free(part_kept);
    return rc;
}

static int keep(backend *b, int place) {
    int rc;
    TRY(wire_tell(&(wire_command){.what = WIRE_KEEP, .number = place}));
    rc = wire_answers(inner->keep(b->b, place));
cleanup:
    return rc;
}

static int mix(backend *b, const double *weight) {
    int rc;
    TRY(wire_tell(&(wire_command){.what = WIRE_MIX}));
    for (int r = 1; r < ranks_count(); r++)
        TRY(wire_send(r, weight, BACKEND_PLACES * sizeof *weight));
    rc = wire_answers(inner->mix(b->b, weight));
    b->seen = false;
cleanup:
    return rc;
}

static backend_table joined = {NULL, memory,  create, destroy,    device,      step, set_gain, monitor,
                               sums, moments, NULL,   read_slots, write_slots, keep, mix};

int ranks_wait(backend *b) {
#ifdef PORTAFLOW_CUDA
    if (inner == &backend_cuda)
        return backend_cuda_wait(b->b);
#endif
    return b ? OK : ERR_INTERNAL;
}

int64_t ranks_values(void) {
    return most_values;
}

int ranks_join(int device, const backend_table **table) {
    int32_t gpus = 0;
    int rc = OK;
    if (ranks_count() == 1)
        return OK;
    if (*table != &backend_cpu && device == DEVICE_AUTO) {
        TRY(wire_gpus(&gpus));
        if (!(gpus & WIRE_GPU))
            message_info("not every rank has a GPU of its own: all compute on CPUs (--device cuda shares the GPUs)");
        *table = gpus & WIRE_GPU ? *table : &backend_cpu;
    }
    inner = *table;
    joined.name = inner->name;
    *table = &joined;
cleanup:
    return rc;
}
