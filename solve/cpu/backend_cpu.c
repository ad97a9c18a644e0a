/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU backend (backend.h): steps, monitors and states. Loops over cells are in cpu_step.c. */
#include "solve/core/backend.h"
#include "common/base/status.h"
#include "solve/cpu/cpu_advection.h"
#include "solve/cpu/cpu_create.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static const char *cpu_device(const backend *b) {
    return b->device;
}

/* Barrier for the threads of a step. Waiting threads yield to other processes: OpenMP's barrier would spin for
 * milliseconds if there are fewer processors than threads. */
typedef struct {
    atomic_int arrived, turn;
} meeting;

static void meeting_wait(meeting *m, int threads) {
    const int turn = atomic_load(&m->turn);
    if (atomic_fetch_add(&m->arrived, 1) == threads - 1) {
        atomic_store(&m->arrived, 0);
        atomic_fetch_add(&m->turn, 1);
        return;
    }
    for (int spins = 0; atomic_load(&m->turn) == turn; spins++)
        if (spins > 4000)
            sched_yield();
}

static size_t value_bytes(const backend *b) {
    return (size_t)backend_value_bytes(b->settings.precision);
}

static char *slot_array(const backend *b, int a) {
    const int n = b->d->directions;
    char *pop = a < n ? b->state.pop : b->state.heat.pop;
    return pop + (size_t)(a < n ? a : a - n) * (size_t)b->state.stride * value_bytes(b);
}

/* Exchanges the halo (halo.h). odd 0, after an even step: sends own values to the parts that read them. odd 1, after an
 * odd step: returns the values that this part wrote into halo cells to the parts that own these cells. Both also send
 * the wall values. */
static int halo_exchange(backend *b, int odd) {
    const halo *h = b->d->part;
    const size_t bytes = value_bytes(b), n_sent = (size_t)h->first_sent[h->n_peer],
                 n_received = (size_t)h->first_received[h->n_peer];
    const halo_values from = h->sent[odd], to = h->received[odd];
    for (size_t k = 0; k < n_sent; k++)
        memcpy((char *)b->send + k * bytes, slot_array(b, from.slot[k]) + (size_t)from.cell[k] * bytes, bytes);
    const int rc = h->exchange(h->data, b->send, b->recv, bytes);
    for (size_t k = 0; k < n_received && rc == OK; k++)
        memcpy(slot_array(b, to.slot[k]) + (size_t)to.cell[k] * bytes, (const char *)b->recv + k * bytes, bytes);
    return rc;
}

/* Sets the wall values after the slots of all own cells were written. The first exchange fills the halo cells as the
 * odd step would; the second one sends the wall values and returns the others unchanged. */
static int wall_values_refresh(backend *b) {
    int rc = OK;
    if (!b->d->behind)
        return OK;
    if (b->d->part) {
        TRY(halo_exchange(b, 0));
        TRY(halo_exchange(b, 1));
    }
    b->kernel->wall_values_read(&b->state, 0, NULL, b->d->n_link);
cleanup:
    return rc;
}

/* Copies the slots of all wall links from the populations to cpu_state.wall_slot, or back if `write` is true. */
static void wall_slots_copy(backend *b, bool write) {
    const size_t bytes = value_bytes(b);
    for (int64_t l = 0; l < b->d->n_link; l++) {
        const domain_link *k = &b->d->link[b->order[l]];
        char *slot = (char *)b->state.wall_slot + (size_t)l * bytes,
             *population = slot_array(b, lattice_opposite(k->dir)) + (size_t)k->cell * bytes;
        if (!domain_through(b->d, k))
            memcpy(write ? population : slot, write ? slot : population, bytes);
    }
}

/* Call after the slots of all own cells were overwritten: copies the wall slots, clears the inflow sums, discards the
 * velocity of the last monitor, and refreshes the wall values. */
static int slots_written(backend *b) {
    wall_slots_copy(b, false);
    memset(b->state.entered, 0, (size_t)b->n_group * sizeof *b->state.entered);
    b->seen = false;
    return wall_values_refresh(b);
}

static int cpu_step(backend *b, int n, const prescribed_value *given) {
    const int n_given = domain_given(b->d), threads = b->settings.threads;
    void (*const advance)(const cpu_state *, int, int64_t, int64_t) =
        b->settings.heat ? b->kernel->step_heat : b->kernel->step;
    int rc = OK; /* status of the first thread */
    meeting m = {0};
#pragma omp parallel num_threads(threads)
    {
#ifdef _OPENMP
        const int me = omp_get_thread_num(), all = omp_get_num_threads();
#else
        const int me = 0, all = 1;
#endif
        cpu_state state = b->state;
        for (int k = 0; k < n; k++) {
            state.given = given + (int64_t)k * n_given;
            for (int p = me; p < threads; p += all)
                advance(&state, k & 1, b->part[p], b->part[p + 1]);
            meeting_wait(&m, all);
            if (!b->d->part)
                continue;
            if (me == 0 && rc == OK)
                rc = halo_exchange(b, k & 1);
            if (me == 0 && b->n_foreign > 0)
                b->kernel->wall_values_read(&state, !(k & 1), b->foreign, b->n_foreign);
            meeting_wait(&m, all);
        }
    }
    if (n_given > 0)
        memcpy(b->given, given + (int64_t)(n > 0 ? n - 1 : 0) * n_given, (size_t)n_given * sizeof *given);
    return rc;
}

/* Sets a field [n_cell + n_halo][n] of the halo cells to the values of their owners. */
static int halo_cells_exchange(backend *b, int n, float *field) {
    const halo *h = b->d->part;
    const halo_values from = h->sent[0], to = h->received[0];
    float *send = b->send, *recv = b->recv; /* their values have 4 or 8 bytes */
    int rc = OK;
    for (int i = 0; i < n && rc == OK; i++) {
        for (int64_t k = 0; k < h->first_sent[h->n_peer]; k++)
            send[k] = field[(int64_t)n * from.cell[k] + i];
        rc = h->exchange(h->data, send, recv, sizeof *send);
        for (int64_t k = 0; k < h->first_received[h->n_peer] && rc == OK; k++)
            field[(int64_t)n * to.cell[k] + i] = recv[k];
    }
    return rc;
}

/* Computes the advection correction from the velocity and the density of this monitor. */
static int advection_refresh(backend *b) {
    int rc = OK;
    if (!(b->settings.advection_rate > 0))
        return OK;
    if (b->d->part) {
        TRY(halo_cells_exchange(b, 3, b->velocity_old));
        TRY(halo_cells_exchange(b, 1, b->density_old));
    }
#pragma omp parallel for schedule(dynamic) num_threads(b->settings.threads)
    for (int k = 0; k < CPU_BLOCKS; k++)
        cpu_advection(b->d, b->group[b->block[k]].run, b->group[b->block[k + 1]].run, b->velocity_old, b->density_old,
                      b->state.stride, (float)b->settings.advection_rate, (uint16_t *)b->state.advection);
cleanup:
    return rc;
}

static int cpu_sums(backend *b, backend_sums *all, backend_opening_sums *opening) {
    backend_sums part[CPU_BLOCKS];
#pragma omp parallel for schedule(dynamic) num_threads(b->settings.threads)
    for (int k = 0; k < CPU_BLOCKS; k++) {
        part[k] = (backend_sums){.bad_cell = -1};
        b->kernel->monitor(&b->state, b->block[k], b->block[k + 1], b->velocity_old, b->density_old, &part[k]);
    }
    *all = (backend_sums){.bad_cell = -1};
    for (int k = 0; k < CPU_BLOCKS; k++)
        backend_sums_join(all, &part[k]);
    for (int64_t n = 0; n < b->n_group; n++)
        exact_sum_join(&all->entered, &b->state.entered[n]);
    memset(b->state.entered, 0, (size_t)b->n_group * sizeof *b->state.entered);
    memset(opening, 0, (size_t)b->d->n_opening * sizeof *opening);
    b->kernel->openings(&b->state, 0, b->n_group, opening);
    return advection_refresh(b);
}

/* Computes the heat part of *m. Also stores the temperature of all cells, which the other sums of the monitor need.
 * Errors: ERR_RESOURCE. */
static int monitor_heat(backend *b, backend_monitor *m) {
    cpu_heat_sums total = {.bad_cell = -1}, *cpu_sums = calloc(CPU_BLOCKS, sizeof *cpu_sums);
    if (!cpu_sums)
        return fail_memory("the heat through the walls", CPU_BLOCKS * sizeof *cpu_sums);
#pragma omp parallel for schedule(dynamic) num_threads(b->settings.threads)
    for (int k = 0; k < CPU_BLOCKS; k++) {
        cpu_sums[k].bad_cell = -1;
        b->kernel->heat_monitor(&b->state, b->block[k], b->block[k + 1], &cpu_sums[k]);
    }
    for (int k = 0; k < CPU_BLOCKS; k++) {
        for (int i = 0; i < BACKEND_HEAT + b->settings.heat->n_side; i++)
            total.of[i] += cpu_sums[k].of[i];
        if (total.bad_cell < 0)
            total.bad_cell = cpu_sums[k].bad_cell;
    }
    free(cpu_sums);
    backend_heat_make(b->settings.heat, total.of, b->seen, m);
    m->bad_cell = total.bad_cell;
    return OK;
}

static int cpu_monitor(backend *b, backend_monitor *m) {
    backend_sums all;
    backend_opening_sums opening[BACKEND_OPENINGS];
    int rc = OK;
    m->bad_cell = -1;
    if (b->settings.heat)
        TRY(monitor_heat(b, m));
    const int64_t bad_cell = m->bad_cell;
    TRY(cpu_sums(b, &all, opening));
    backend_monitor_make(b->d, &all, opening, b->seen, m);
    if (m->bad_cell < 0)
        m->bad_cell = bad_cell;
    b->seen = true;
cleanup:
    return rc;
}

static int temperature_read(backend *b, float *theta, float *gradient) {
#pragma omp parallel for schedule(dynamic) num_threads(b->settings.threads)
    for (int k = 0; k < CPU_BLOCKS; k++)
        b->kernel->heat_gradients(&b->state, b->block[k], b->block[k + 1], gradient);
    for (int64_t c = 0; theta && c < b->d->n_cell; c++)
        theta[c] = (float)b->state.heat.theta[c];
    return OK;
}

static int moments_read(backend *b, float *density, float *velocity, float *stress) {
    if (b->settings.heat && temperature_read(b, NULL, NULL) != OK)
        return ERR_INTERNAL;
#pragma omp parallel for schedule(dynamic) num_threads(b->settings.threads)
    for (int k = 0; k < CPU_BLOCKS; k++)
        b->kernel->moments(&b->state, b->block[k], b->block[k + 1], density, velocity, stress);
    return OK;
}

static int cpu_sample(backend *b, int64_t n, const int64_t *cell, float *value) {
    float *velocity = malloc(4 * (size_t)b->d->n_cell * sizeof *velocity), *density = velocity + 3 * b->d->n_cell;
    if (!velocity)
        return fail_memory("the velocities to sample", 16.0 * (double)b->d->n_cell);
    const int rc = moments_read(b, density, velocity, NULL);
    for (int64_t k = 0; k < n && rc == OK; k++) {
        memcpy(value + 4 * k, velocity + 3 * cell[k], 3 * sizeof *value);
        value[4 * k + 3] = density[cell[k]];
    }
    free(velocity);
    return rc;
}

static void set_mass_correction(backend *b, double mass_correction) {
    b->state.mass_correction = mass_correction;
}

static void set_outlets(backend *b, bool at_once) {
    b->state.pressure_rate = backend_pressure_rate(&b->settings, at_once);
}

static int read_slots(backend *b, void *slots, void *kept) {
    const size_t size = (size_t)b->d->n_cell * value_bytes(b);
    wall_slots_copy(b, true);
    for (int a = 0; a < backend_slots(&b->settings); a++)
        memcpy((char *)slots + (size_t)a * size, slot_array(b, a), size);
    memcpy(kept, b->state.kept, (size_t)b->d->n_partial * value_bytes(b));
    return OK;
}

static int write_slots(backend *b, const void *slots, const void *kept) {
    const size_t size = (size_t)b->d->n_cell * value_bytes(b);
    for (int a = 0; a < backend_slots(&b->settings); a++)
        memcpy(slot_array(b, a), (const char *)slots + (size_t)a * size, size);
    memcpy(b->state.kept, kept, (size_t)b->d->n_partial * value_bytes(b));
    for (int k = 0; k < 3 && b->advection; k++)
        memset((uint16_t *)b->state.advection + k * b->state.stride, 0, (size_t)b->d->n_cell * sizeof *b->advection);
    return slots_written(b);
}

/* Stores the present state in a place: slots and kept values, in the order of read_slots, in one block of memory. */
static int cpu_keep(backend *b, int place) {
    const size_t slots = (size_t)backend_slots(&b->settings) * (size_t)b->d->n_cell * value_bytes(b);
    if (!b->place[place])
        b->place[place] = malloc(slots + (size_t)b->d->n_partial * value_bytes(b));
    if (!b->place[place])
        return fail_memory("a state of the flow", (double)slots);
    return read_slots(b, b->place[place], (char *)b->place[place] + slots);
}

/* Linear combination of stored states: out[i] = sum over p of weight[p] place[p][first + i], for i < n. */
static void mix_values(const backend *b, const double *weight, size_t first, size_t n, void *out) {
    const bool wide = b->settings.precision == BACKEND_DOUBLE;
#pragma omp parallel for num_threads(b->settings.threads)
    for (size_t k = 0; k < n; k++) {
        double sum = 0;
        for (int p = 0; p < BACKEND_PLACES; p++)
            if (weight[p] != 0)
                sum += weight[p] * (wide ? ((const double *)b->place[p])[first + k]
                                         : (double)((const float *)b->place[p])[first + k]);
        if (wide)
            ((double *)out)[k] = sum;
        else
            ((float *)out)[k] = (float)sum;
    }
}

static int cpu_combine(backend *b, const double *weight) {
    const size_t n = (size_t)b->d->n_cell;
    const int slots = backend_slots(&b->settings);
    for (int a = 0; a < slots; a++)
        mix_values(b, weight, (size_t)a * n, n, slot_array(b, a));
    mix_values(b, weight, (size_t)slots * n, (size_t)b->d->n_partial, b->state.kept);
    return slots_written(b);
}

const backend_table backend_cpu = {"cpu",        cpu_memory,          cpu_create,       cpu_destroy, cpu_device,
                                   cpu_step,     set_mass_correction, set_outlets,      cpu_monitor, cpu_sums,
                                   moments_read, cpu_sample,          temperature_read, read_slots,  write_slots,
                                   cpu_keep,     cpu_combine};
