/* The CPU as a backend (backend.h): memory, and the kernel (cpu_kernel.c) for this precision and processor. */
#include "solve/core/backend.h"
#include "common/base/status.h"
#include "solve/cpu/cpu_kernel.h"
#include "common/base/memory.h"
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { PAD = 64, BLOCKS = 256 };

struct backend {
    const domain *d;
    backend_settings settings;
    const cpu_kernel *kernel;
    cpu_state state;
    void *memory; /* of the populations */
    void *link;   /* of the cut links */
    void *heat;   /* of the populations of the temperature, its links, those of each group */
    void *heat_link;
    int64_t *heat_first;
    cpu_group *group;
    int64_t n_group;
    double *value;               /* [n_opening] of the last step */
    float *velocity_old;         /* [n_cell][3] */
    bool seen;                   /* velocity_old holds a field */
    int64_t *part;               /* [threads + 1] groups of each thread */
    int64_t block[BLOCKS + 1];   /* groups of each block of a monitor */
    void *send, *recv;           /* of the halo */
    void *place[BACKEND_PLACES]; /* kept states */
    char device[96];
};

static const cpu_kernel *kernel_choose(int precision) {
    const bool wide = precision == BACKEND_DOUBLE;
#ifdef PORTAFLOW_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw"))
        return wide ? &cpu_kernel_double_avx512 : &cpu_kernel_float_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return wide ? &cpu_kernel_double_avx2 : &cpu_kernel_float_avx2;
#endif
    return wide ? &cpu_kernel_double_base : &cpu_kernel_float_base;
}

/* Values between the starts of two slot arrays: padded, and not a multiple of a page, so that the 19 streams do not
 * compete for the same cache sets. */
static int64_t stride_of(int64_t n_cell, int bytes) {
    const int64_t line = 64 / bytes, page = 4096 / bytes;
    int64_t stride = (n_cell + 2 * PAD + line - 1) / line * line;
    while (stride % page != 5 * line)
        stride += line;
    return stride;
}

static void memory(const domain *d, const backend_settings *s, double *needed, double *available) {
    const int bytes = backend_value_bytes(s->precision);
    *needed = backend_slots(s) * (double)stride_of(d->n_cell + d->n_halo, bytes) * bytes +
              (double)d->n_partial * bytes + 12.0 * d->n_cell +
              (double)d->n_link * kernel_choose(s->precision)->link_bytes + (s->heat ? 12.0 * (double)d->n_cell : 0.0);
    *available = memory_available();
}

/* Whole runs of together at most CPU_GROUP_MAX cells; [n_group + 1]. Errors: ERR_RESOURCE. */
static int groups_create(backend *b) {
    const domain *d = b->d;
    b->group = malloc(((size_t)d->n_run + 1) * sizeof *b->group);
    if (!b->group)
        return fail_memory("the groups of cells", (double)d->n_run * sizeof *b->group);
    b->n_group = 0;
    for (int64_t n = 0; n < d->n_run;) {
        cpu_group *g = &b->group[b->n_group++];
        *g = (cpu_group){.first = d->run[n].first, .run = n};
        for (; n < d->n_run && g->count + d->run[n].count <= CPU_GROUP_MAX; n++) {
            g->count += d->run[n].count;
            g->opening |= d->run[n].opening != 0;
        }
        for (int64_t k = d->run[g->run].link; g->opening && k < d->run[n].link; k++) {
            g->through += domain_through(d, &d->link[k]);
            g->on_site |= domain_on_site(d, &d->link[k]);
        }
    }
    b->group[b->n_group] = (cpu_group){.first = (int32_t)d->n_cell, .run = d->n_run};
    return OK;
}

/* Groups begin[0..parts], about the same number of cells in each. */
static void split_groups(const backend *b, int parts, int64_t *begin) {
    int64_t group = 0;
    for (int p = 0; p < parts; p++) {
        while (group < b->n_group && b->group[group].first < b->d->n_cell * p / parts)
            group++;
        begin[p] = group;
    }
    begin[parts] = b->n_group;
}

static void destroy(backend *b) {
    if (!b)
        return;
    free(b->memory);
    free(b->link);
    free(b->heat);
    free(b->heat_link);
    free(b->heat_first);
    free(b->state.heat.theta);
    free(b->state.heat.theta_old);
    free(b->group);
    free(b->state.kept);
    free(b->state.entered);
    free(b->value);
    free(b->velocity_old);
    free(b->part);
    free(b->send);
    free(b->recv);
    for (int k = 0; k < BACKEND_PLACES; k++)
        free(b->place[k]);
    free(b);
}

/* At theta = 0. Errors: ERR_RESOURCE. */
static int heat_create(backend *b, size_t size, size_t bytes) {
    const heat_settings *h = b->settings.heat;
    heat_link *link = NULL;
    int64_t n_link = 0;
    int rc = OK;
    TRY(heat_links_create(b->d, h, &link, &n_link));
    b->heat = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    b->heat_link = malloc(((size_t)n_link + 1) * (size_t)b->kernel->heat_link_bytes);
    b->heat_first = malloc(((size_t)b->n_group + 1) * sizeof *b->heat_first);
    b->state.heat.theta = calloc((size_t)b->d->n_cell + 1, sizeof *b->state.heat.theta);
    b->state.heat.theta_old = calloc((size_t)b->d->n_cell + 1, sizeof *b->state.heat.theta_old);
    if (!b->heat || !b->heat_link || !b->heat_first || !b->state.heat.theta || !b->state.heat.theta_old)
        GIVE_UP(fail_memory("the populations of the temperature", (double)size));
    memset(b->heat, 0, size);
    b->kernel->heat_links_fill(h, b->group, b->n_group, link, n_link, b->heat_link, b->heat_first);
    b->state.heat.settings = h;
    b->state.heat.pop = (char *)b->heat + PAD * bytes;
    b->state.heat.link = b->heat_link;
    b->state.heat.first = b->heat_first;
cleanup:
    free(link);
    return rc;
}

static void rates_take(const backend_settings *s, cpu_state *to) {
    to->omega_plus = s->omega_plus;
    to->omega_minus = s->omega_minus;
    to->fourth = s->fourth;
    to->pressure_rate = s->pressure_rate > 0 ? s->pressure_rate : 1;
    to->most = s->stress_limit > 0 ? s->stress_limit * s->stress_limit : 1e30;
    memcpy(to->force, s->force, sizeof s->force);
    to->forced = s->forced;
    to->regularized = s->regularized;
}

static int create(const domain *d, const backend_settings *s, backend **out) {
    *out = NULL;
    if (s->precision == BACKEND_HALF)
        return fail(ERR_RESOURCE, "precision 'half' runs on a GPU only; use 'float', or --device cuda");
    double needed, available;
    memory(d, s, &needed, &available);
    if (needed > available)
        return fail(ERR_RESOURCE,
                    "the run needs %.2f GB of memory and %.2f GB are free; use a spacing larger by %.0f %%",
                    needed * 1e-9, available * 1e-9, ceil(100 * (cbrt(needed / fmax(available, 1)) - 1)));
    const size_t bytes = (size_t)backend_value_bytes(s->precision);
    const int threads = s->threads > 0 ? s->threads : 1;
    backend *b = calloc(1, sizeof *b);
    if (!b)
        return fail_memory("the CPU backend", sizeof *b);
    b->d = d;
    b->settings = *s;
    b->settings.threads = threads;
    b->kernel = kernel_choose(s->precision);
    const int64_t stride = stride_of(d->n_cell + d->n_halo, (int)bytes);
    const size_t values = d->part ? (size_t)d->part->first[d->part->n_peer] : 0;
    const size_t size = (19 * (size_t)stride + 2 * PAD) * bytes;
    b->memory = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    b->link = malloc(((size_t)d->n_link + 1) * (size_t)b->kernel->link_bytes);
    b->state.kept = calloc((size_t)d->n_partial + 1, bytes);
    b->value = calloc((size_t)d->n_opening + 1, sizeof *b->value);
    b->velocity_old = calloc((size_t)d->n_cell * 3, sizeof *b->velocity_old);
    b->part = calloc((size_t)threads + 1, sizeof *b->part);
    b->send = malloc((values + 1) * bytes);
    b->recv = malloc((values + 1) * bytes);
    if (groups_create(b) == OK)
        b->state.entered = calloc((size_t)b->n_group + 1, sizeof *b->state.entered);
    if (!b->state.entered || !b->memory || !b->link || !b->state.kept || !b->value || !b->velocity_old || !b->part ||
        !b->send || !b->recv) {
        destroy(b);
        return fail_memory("the populations", (double)size + 12.0 * d->n_cell);
    }
    memset(b->memory, 0, size);
    b->state.d = d;
    b->state.pop = (char *)b->memory + PAD * bytes;
    b->state.stride = stride;
    b->state.link = b->link;
    b->state.group = b->group;
    b->kernel->links_fill(d, b->group, b->n_group, b->link);
    b->state.value = b->value;
    rates_take(s, &b->state);
    if (s->heat) {
        const int rc = heat_create(b, (7 * (size_t)stride + 2 * PAD) * bytes, bytes);
        if (rc != OK) {
            destroy(b);
            return rc;
        }
    }
    split_groups(b, threads, b->part);
    split_groups(b, BLOCKS, b->block);
    snprintf(b->device, sizeof b->device, "cpu, %d thread%s, %s", threads, threads == 1 ? "" : "s", b->kernel->name);
    *out = b;
    return OK;
}

static const char *device(const backend *b) {
    return b->device;
}

/* All threads of a step wait for each other, giving way to other processes: OpenMP's own barrier spins for
 * milliseconds where there are fewer processors than threads. */
typedef struct {
    atomic_int arrived, turn;
} meeting;

static void meet(meeting *m, int threads) {
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
    char *pop = a < 19 ? b->state.pop : b->state.heat.pop;
    return pop + (size_t)(a < 19 ? a : a - 19) * (size_t)b->state.stride * value_bytes(b);
}

/* After an even step what the peers are to read, after an odd one what they are to get back (halo.h). */
static int halo_exchange(backend *b, int odd) {
    const halo *h = b->d->part;
    const size_t bytes = value_bytes(b), n = (size_t)h->first[h->n_peer];
    const int32_t *from = odd ? h->theirs : h->mine, *to = odd ? h->mine : h->theirs;
    const uint8_t *from_slot = odd ? h->theirs_slot : h->mine_slot, *to_slot = odd ? h->mine_slot : h->theirs_slot;
    for (size_t k = 0; k < n; k++)
        memcpy((char *)b->send + k * bytes, slot_array(b, from_slot[k]) + (size_t)from[k] * bytes, bytes);
    const int rc = h->exchange(h->data, b->send, b->recv, bytes);
    for (size_t k = 0; k < n && rc == OK; k++)
        memcpy(slot_array(b, to_slot[k]) + (size_t)to[k] * bytes, (const char *)b->recv + k * bytes, bytes);
    return rc;
}

static int step(backend *b, int n, const double *value) {
    const int n_opening = b->d->n_opening, threads = b->settings.threads;
    void (*const advance)(const cpu_state *, int, int64_t, int64_t) =
        b->settings.heat ? b->kernel->step_heat : b->kernel->step;
    int rc = OK; /* the first thread's */
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
            state.value = value + (int64_t)k * n_opening;
            for (int p = me; p < threads; p += all)
                advance(&state, k & 1, b->part[p], b->part[p + 1]);
            meet(&m, all);
            if (!b->d->part)
                continue;
            if (me == 0 && rc == OK)
                rc = halo_exchange(b, k & 1);
            meet(&m, all);
        }
    }
    if (n_opening > 0)
        memcpy(b->value, value + (int64_t)(n > 0 ? n - 1 : 0) * n_opening, (size_t)n_opening * sizeof *value);
    return rc;
}

static int sums(backend *b, backend_sums *all, backend_opening_sums *opening) {
    backend_sums part[BLOCKS];
#pragma omp parallel for schedule(dynamic) num_threads(b->settings.threads)
    for (int k = 0; k < BLOCKS; k++) {
        part[k] = (backend_sums){.bad_cell = -1};
        b->kernel->monitor(&b->state, b->block[k], b->block[k + 1], b->velocity_old, &part[k]);
    }
    *all = (backend_sums){.bad_cell = -1};
    for (int k = 0; k < BLOCKS; k++)
        backend_sums_join(all, &part[k]);
    for (int64_t n = 0; n < b->n_group; n++)
        exact_sum_join(&all->entered, &b->state.entered[n]);
    memset(b->state.entered, 0, (size_t)b->n_group * sizeof *b->state.entered);
    memset(opening, 0, (size_t)b->d->n_opening * sizeof *opening);
    b->kernel->openings(&b->state, 0, b->n_group, opening);
    return OK;
}

/* Before the rest, which needs the cells' temperatures. Errors: ERR_RESOURCE. */
static int monitor_heat(backend *b, backend_monitor *m) {
    cpu_heat_sums total = {.bad_cell = -1}, *sums = calloc(BLOCKS, sizeof *sums);
    if (!sums)
        return fail_memory("the heat through the walls", BLOCKS * sizeof *sums);
#pragma omp parallel for schedule(dynamic) num_threads(b->settings.threads)
    for (int k = 0; k < BLOCKS; k++) {
        sums[k].bad_cell = -1;
        b->kernel->heat_monitor(&b->state, b->block[k], b->block[k + 1], &sums[k]);
    }
    for (int k = 0; k < BLOCKS; k++) {
        total.change += sums[k].change;
        total.square += sums[k].square;
        total.heat += sums[k].heat;
        for (int i = 0; i < b->settings.heat->n_side; i++)
            total.flux[i] += sums[k].flux[i];
        if (total.bad_cell < 0)
            total.bad_cell = sums[k].bad_cell;
    }
    free(sums);
    m->theta_change = !b->seen ? 1.0 : total.square > 0 ? sqrt(total.change / total.square) : 0.0;
    m->heat = total.heat;
    m->bad_cell = total.bad_cell;
    if (m->heat_flux)
        memcpy(m->heat_flux, total.flux, (size_t)b->settings.heat->n_side * sizeof *total.flux);
    return OK;
}

static int monitor(backend *b, backend_monitor *m) {
    backend_sums all;
    backend_opening_sums opening[BACKEND_OPENINGS];
    int rc = OK;
    m->bad_cell = -1;
    if (b->settings.heat)
        TRY(monitor_heat(b, m));
    const int64_t bad_cell = m->bad_cell;
    TRY(sums(b, &all, opening));
    backend_monitor_make(b->d, &all, opening, b->seen, m);
    if (m->bad_cell < 0)
        m->bad_cell = bad_cell;
    b->seen = true;
cleanup:
    return rc;
}

static int temperature_read(backend *b, float *theta, float *gradient) {
#pragma omp parallel for schedule(dynamic) num_threads(b->settings.threads)
    for (int k = 0; k < BLOCKS; k++)
        b->kernel->heat_gradients(&b->state, b->block[k], b->block[k + 1], gradient);
    for (int64_t c = 0; theta && c < b->d->n_cell; c++)
        theta[c] = (float)b->state.heat.theta[c];
    return OK;
}

static int moments_read(backend *b, float *density, float *velocity, float *stress) {
    if (b->settings.heat && temperature_read(b, NULL, NULL) != OK)
        return ERR_INTERNAL;
#pragma omp parallel for schedule(dynamic) num_threads(b->settings.threads)
    for (int k = 0; k < BLOCKS; k++)
        b->kernel->moments(&b->state, b->block[k], b->block[k + 1], density, velocity, stress);
    return OK;
}

static void set_gain(backend *b, double gain) {
    b->state.gain = gain;
}

static int read_slots(backend *b, void *slots, void *kept) {
    const size_t size = (size_t)b->d->n_cell * value_bytes(b);
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
    memset(b->state.entered, 0, (size_t)b->n_group * sizeof *b->state.entered);
    b->seen = false;
    return OK;
}

/* As read_slots has it, in one piece. */
static int keep(backend *b, int place) {
    const size_t slots = (size_t)backend_slots(&b->settings) * (size_t)b->d->n_cell * value_bytes(b);
    if (!b->place[place])
        b->place[place] = malloc(slots + (size_t)b->d->n_partial * value_bytes(b));
    if (!b->place[place])
        return fail_memory("a state of the flow", (double)slots);
    return read_slots(b, b->place[place], (char *)b->place[place] + slots);
}

/* out [n] = sum of weight times place, from its value `first` on. */
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

static int mix(backend *b, const double *weight) {
    const size_t n = (size_t)b->d->n_cell;
    const int slots = backend_slots(&b->settings);
    for (int a = 0; a < slots; a++)
        mix_values(b, weight, (size_t)a * n, n, slot_array(b, a));
    mix_values(b, weight, (size_t)slots * n, (size_t)b->d->n_partial, b->state.kept);
    memset(b->state.entered, 0, (size_t)b->n_group * sizeof *b->state.entered);
    b->seen = false;
    return OK;
}

const backend_table backend_cpu = {"cpu",       memory,  create, destroy,      device,           step,
                                   set_gain,    monitor, sums,   moments_read, temperature_read, read_slots,
                                   write_slots, keep,    mix};
