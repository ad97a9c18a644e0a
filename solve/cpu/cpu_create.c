/* SPDX-License-Identifier: Apache-2.0 */
/* See cpu_create.h. */
#include "solve/cpu/cpu_create.h"
#include "common/base/memory.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAD = 64 }; /* readable values before and after each slot array */

static const cpu_kernel *kernel_choose(int precision, int directions) {
    const bool wide = precision == BACKEND_DOUBLE, corners = directions == LATTICE_D3Q27;
#ifdef PORTAFLOW_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw"))
        return corners ? (wide ? &cpu_kernel_double_avx512_27 : &cpu_kernel_float_avx512_27)
                       : (wide ? &cpu_kernel_double_avx512 : &cpu_kernel_float_avx512);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return corners ? (wide ? &cpu_kernel_double_avx2_27 : &cpu_kernel_float_avx2_27)
                       : (wide ? &cpu_kernel_double_avx2 : &cpu_kernel_float_avx2);
#endif
    return corners ? (wide ? &cpu_kernel_double_base_27 : &cpu_kernel_float_base_27)
                   : (wide ? &cpu_kernel_double_base : &cpu_kernel_float_base);
}

/* Distance between two slot arrays. It is padded, and no multiple of a page; otherwise all arrays would compete for the
 * same cache sets. */
static int64_t stride_of(int64_t n_cell, int bytes) {
    const int64_t line = 64 / bytes, page = 4096 / bytes;
    int64_t stride = (n_cell + 2 * PAD + line - 1) / line * line;
    while (stride % page != 5 * line)
        stride += line;
    return stride;
}

void cpu_memory(const domain *d, const backend_settings *s, double *needed, double *available) {
    const int bytes = backend_value_bytes(s->precision);
    const double cells = (double)(d->n_cell + d->n_halo);
    *needed = backend_slots(s) * (double)stride_of(d->n_cell + d->n_halo, bytes) * bytes +
              (double)d->n_partial * bytes + 12.0 * cells +
              (double)d->n_link * (kernel_choose(s->precision, d->directions)->link_bytes + 4 + bytes +
                                   (d->behind ? 2 * bytes + (int)sizeof(cpu_wall_source) : 0)) +
              (s->heat ? 12.0 * (double)d->n_cell : 0.0) + (d->directions == LATTICE_D3Q27 ? 10.0 * cells : 0.0);
    *available = memory_available();
}

/* Creates b->group [n_group + 1]. Each group consists of whole runs with a total of CPU_GROUP_MAX cells or fewer.
 * Errors: ERR_RESOURCE. */
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

/* Sets b->order [n_link]. In each group, wall links come first, then links through openings; both are sorted by
 * direction. */
static void links_order(backend *b) {
    const domain *d = b->d;
    for (int64_t n = 0; n < b->n_group; n++) {
        const int64_t begin = d->run[b->group[n].run].link, end = d->run[b->group[n + 1].run].link;
        int32_t *to = b->order + begin;
        for (int i = 1; i < 2 * d->directions - 1; i++)
            for (int64_t k = begin; k < end; k++)
                if (d->link[k].dir + (domain_through(d, &d->link[k]) ? d->directions - 1 : 0) == i)
                    *to++ = (int32_t)k;
    }
}

/* The cell that sends the wall value of link k: for q < 1/2 the third cell, in direction i; otherwise the next cell, in
 * the opposite direction (solve/BOUNDARY_LINKS.md, eq. 2b). -1: link without wall value. */
static int32_t wall_sender(const domain *d, int64_t k) {
    return d->behind[k].next < 0 ? -1 : d->link[k].q < 0.5f ? d->behind[k].third : d->behind[k].next;
}

static int64_t group_of(const backend *b, int32_t cell) {
    int64_t low = 0, high = b->n_group;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (b->group[middle].first <= cell)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Creates b->source for the wall values of own cells, and b->foreign for the wall values of halo cells. Errors:
 * ERR_RESOURCE. */
static int wall_sources_create(backend *b) {
    const domain *d = b->d;
    if (!d->behind)
        return OK;
    b->source = malloc(((size_t)d->n_link + 1) * sizeof *b->source);
    b->foreign = malloc(((size_t)d->n_link + 1) * sizeof *b->foreign);
    if (!b->source || !b->foreign)
        return fail_memory("the wall values", (double)d->n_link * (sizeof *b->source + sizeof *b->foreign));
    for (int64_t l = 0; l < d->n_link; l++) { /* counts the entries of group k in group[k + 1] */
        const int32_t cell = wall_sender(d, b->order[l]);
        if (cell >= d->n_cell)
            b->foreign[b->n_foreign++] = (int32_t)l;
        else if (cell >= 0)
            b->group[group_of(b, cell) + 1].source++;
    }
    for (int64_t n = 0; n < b->n_group; n++)
        b->group[n + 1].source += b->group[n].source;
    const int64_t total = b->group[b->n_group].source;
    for (int64_t l = d->n_link - 1; l >= 0; l--) { /* each group is filled from its end */
        const domain_link *k = &d->link[b->order[l]];
        const int32_t cell = wall_sender(d, b->order[l]);
        if (cell < 0 || cell >= d->n_cell)
            continue;
        cpu_group *g = &b->group[group_of(b, cell) + 1];
        const int dir = k->q < 0.5f ? k->dir : lattice_opposite(k->dir);
        b->source[--g->source] = (cpu_wall_source){(int32_t)l, (uint16_t)(dir * CPU_LANES + (cell - g[-1].first))};
    }
    /* now group n + 1 holds the first entry of group n */
    for (int64_t n = 0; n < b->n_group; n++)
        b->group[n].source = b->group[n + 1].source;
    b->group[b->n_group].source = total;
    return OK;
}

/* Splits the groups into parts of about equal numbers of cells. begin [parts + 1]: first group of each part. */
static void split_groups(const backend *b, int parts, int64_t *begin) {
    int64_t group = 0;
    for (int p = 0; p < parts; p++) {
        while (group < b->n_group && b->group[group].first < b->d->n_cell * p / parts)
            group++;
        begin[p] = group;
    }
    begin[parts] = b->n_group;
}

void cpu_destroy(backend *b) {
    if (!b)
        return;
    free(b->memory);
    free(b->viscosity);
    free(b->drag);
    free(b->link);
    free(b->heat);
    free(b->heat_link);
    free(b->heat_first);
    free(b->state.heat.theta);
    free(b->state.heat.theta_old);
    free(b->group);
    free(b->state.kept);
    free(b->state.wall_slot);
    free(b->state.wall_value[0]);
    free(b->state.wall_value[1]);
    free(b->order);
    free(b->source);
    free(b->foreign);
    free(b->state.entered);
    free(b->given);
    free(b->velocity_old);
    free(b->density_old);
    free(b->advection);
    free(b->part);
    free(b->send);
    free(b->recv);
    for (int k = 0; k < BACKEND_PLACES; k++)
        free(b->place[k]);
    free(b);
}

/* Creates the temperature fields with theta = 0. size: bytes of all temperature populations; bytes: size of one value.
 * Errors: ERR_RESOURCE. */
static int heat_create(backend *b, size_t size, size_t bytes) {
    const heat_settings *h = b->settings.heat;
    heat_link *link = NULL;
    int64_t n_link = 0;
    int rc = OK;
    TRY(heat_links_create(b->d, h, &link, &n_link));
    b->heat = memory_allocate_large(size);
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
    to->pressure_rate = backend_pressure_rate(s, false);
    to->most = backend_most(s);
    memcpy(to->force, s->force, sizeof s->force);
    to->forced = s->forced;
    to->regularized = s->regularized;
}

/* Copies the table of a shear-thinning viscosity. Errors: ERR_RESOURCE. */
static int viscosity_create(backend *b) {
    const size_t size = 2 * VISCOSITY_TABLE_SEGMENTS * (size_t)backend_value_bytes(b->settings.precision);
    if (!b->settings.viscosity)
        return OK;
    b->viscosity = malloc(size);
    if (!b->viscosity)
        return fail_memory("the table of the viscosity", (double)size);
    viscosity_table_copy(b->settings.viscosity, b->settings.precision == BACKEND_DOUBLE, b->viscosity);
    b->state.viscosity = b->viscosity;
    return OK;
}

/* Copies the drag of the porous regions. Errors: ERR_RESOURCE. */
static int drag_create(backend *b) {
    const bool wide = b->settings.precision == BACKEND_DOUBLE;
    if (!b->settings.porous || !b->d->region)
        return OK;
    b->drag = malloc((POROUS_REGIONS + 1) * sizeof(double));
    if (!b->drag)
        return fail_memory("the porous regions", (POROUS_REGIONS + 1) * sizeof(double));
    for (int k = 0; k <= POROUS_REGIONS; k++)
        if (wide)
            ((double *)b->drag)[k] = b->settings.porous->drag[k];
        else
            ((float *)b->drag)[k] = (float)b->settings.porous->drag[k];
    b->state.drag = b->drag;
    return OK;
}

/* Creates the advection correction of D3Q27, which is 0 at first. Errors: ERR_RESOURCE. */
static int advection_create(backend *b) {
    const size_t cells = (size_t)(b->d->n_cell + b->d->n_halo), values = 3 * (size_t)b->state.stride + 2 * PAD;
    if (b->d->directions != LATTICE_D3Q27)
        return OK;
    b->density_old = calloc(cells + 1, sizeof *b->density_old);
    b->advection = calloc(values, sizeof *b->advection);
    if (!b->density_old || !b->advection)
        return fail_memory("the advection correction", 4.0 * (double)cells + 2.0 * (double)values);
    b->state.advection = b->advection + PAD;
    return OK;
}

/* Clears the slot arrays of n directions. Each thread clears the cells that it will compute, so that their pages are
 * local on NUMA machines (first touch). */
static void clear_streams(char *memory, size_t n, size_t stride_bytes, size_t size, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; t++)
        for (size_t k = 0; k < n; k++) {
            const size_t begin = stride_bytes * (size_t)t / (size_t)threads;
            memset(memory + k * stride_bytes + begin, 0, stride_bytes * (size_t)(t + 1) / (size_t)threads - begin);
        }
    memset(memory + n * stride_bytes, 0, size - n * stride_bytes);
}

int cpu_create(const domain *d, const backend_settings *s, backend **out) {
    *out = NULL;
    if (s->precision == BACKEND_HALF)
        return fail(ERR_RESOURCE, "precision 'half' runs on a GPU only; use 'float', or --device cuda");
    double needed, available;
    cpu_memory(d, s, &needed, &available);
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
    b->kernel = kernel_choose(s->precision, d->directions);
    const int64_t stride = stride_of(d->n_cell + d->n_halo, (int)bytes);
    const size_t sent = d->part ? (size_t)d->part->first_sent[d->part->n_peer] : 0,
                 received = d->part ? (size_t)d->part->first_received[d->part->n_peer] : 0;
    const size_t size = ((size_t)d->directions * (size_t)stride + 2 * PAD) * bytes;
    b->memory = memory_allocate_large(size);
    b->link = malloc(((size_t)d->n_link + 1) * (size_t)b->kernel->link_bytes);
    b->state.kept = calloc((size_t)d->n_partial + 1, bytes);
    b->order = malloc(((size_t)d->n_link + 1) * sizeof *b->order);
    b->state.wall_slot = calloc((size_t)d->n_link + 1, bytes);
    for (int k = 0; k < 2; k++)
        b->state.wall_value[k] = calloc(d->behind ? (size_t)d->n_link + 1 : 1, bytes);
    b->given = calloc((size_t)domain_given(d) + 1, sizeof *b->given);
    b->velocity_old = calloc((size_t)(d->n_cell + d->n_halo) * 3, sizeof *b->velocity_old);
    b->part = calloc((size_t)threads + 1, sizeof *b->part);
    b->send = malloc((sent + 1) * bytes);
    b->recv = malloc((received + 1) * bytes);
    if (groups_create(b) == OK)
        b->state.entered = calloc((size_t)b->n_group + 1, sizeof *b->state.entered);
    if (!b->state.entered || !b->memory || !b->link || !b->state.kept || !b->order || !b->state.wall_slot ||
        !b->state.wall_value[0] || !b->state.wall_value[1] || !b->given || !b->velocity_old || !b->part || !b->send ||
        !b->recv) {
        cpu_destroy(b);
        return fail_memory("the populations", (double)size + 12.0 * d->n_cell);
    }
    clear_streams(b->memory, (size_t)d->directions, (size_t)stride * bytes, size, threads);
    b->state.d = d;
    b->state.pop = (char *)b->memory + PAD * bytes;
    b->state.stride = stride;
    b->state.link = b->link;
    b->state.group = b->group;
    links_order(b);
    b->state.order = b->order;
    b->kernel->links_fill(d, b->group, b->n_group, b->order, b->link);
    b->state.given = b->given;
    rates_take(s, &b->state);
    int rc = wall_sources_create(b);
    b->state.source = b->source;
    if (rc == OK)
        rc = viscosity_create(b);
    if (rc == OK)
        rc = drag_create(b);
    if (rc == OK)
        rc = advection_create(b);
    if (rc == OK && s->heat)
        rc = heat_create(b, (7 * (size_t)stride + 2 * PAD) * bytes, bytes);
    if (rc != OK) {
        cpu_destroy(b);
        return rc;
    }
    split_groups(b, threads, b->part);
    split_groups(b, CPU_BLOCKS, b->block);
    snprintf(b->device, sizeof b->device, "cpu, %d thread%s, %s", threads, threads == 1 ? "" : "s", b->kernel->name);
    *out = b;
    return OK;
}
