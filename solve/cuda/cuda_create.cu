/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the GPU backend: size, layout, upload; see cuda_backend.h. */
#include "solve/cuda/cuda_halo.h"
typedef double real;
#include "solve/kernels/cumulant.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFETCH_GROUPS = 1000 };
static const double SLACK_BYTES = 64e6; /* allowance for rounded allocations and recorded graphs */
static const double ORDER_CELLS = 2e5;  /* lattices with fewer cells keep the domain's order (order_chunk) */
/* part of L2 that prefetched planes may fill: L2 also holds the written values, and each of its two halves may hold a
 * copy of the same data */
static const double L2_SHARE = 1.0 / 3;
static const double SLAB_CELLS = 1e6; /* an H200 is busy with slabs of this many cells or more */
enum { SLABS_MIN = 4, SLABS_MAX = 16 };
static int slabs_asked; /* number of slabs set by backend_cuda_slabs; 0: automatic */

void backend_cuda_slabs(int slabs) {
    slabs_asked = slabs;
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

/* Number of slabs of a domain. Each slab has enough cells to keep the GPU busy. With fewer than SLABS_MIN slabs it
 * returns 1, and the memory holds two lattices (cuda_backend.h). */
static int64_t slabs_chosen(const domain *d) {
    const int64_t slabs = slabs_asked > 0 ? slabs_asked : (int64_t)((double)d->n_cell / SLAB_CELLS);
    if (slabs > SLABS_MAX)
        return SLABS_MAX;
    return slabs < SLABS_MIN && !slabs_asked ? 1 : slabs;
}

/* Number of cells per chunk of the order (cuda_order.h). It is small compared with a slab, so that reordering hardly
 * increases the distance between linked cells. Returns 0 for small lattices, which keep the domain's order: their step
 * takes as long as the slowest group, and a group full of opening cells is slower than a group with few. */
static int64_t order_chunk(const domain *d) {
    const int64_t slabs = slabs_chosen(d), least = PACK_LANES, most = ORDER_CHUNK;
    const int64_t chunk = d->n_cell / (4 * slabs) / least * least;
    if (slabs == 1)
        return (double)d->n_cell < ORDER_CELLS ? 0 : most;
    return chunk > most ? most : chunk > least ? chunk : least;
}

/* Sizes on the device of a domain d in GPU order. */
static cuda_layout layout_of(const domain *d, const backend_settings *s) {
    cuda_layout l = {};
    const int64_t groups = pack_groups(d->n_cell);
    const int64_t all = groups + (d->n_halo > 0 ? pack_groups(d->n_halo) : 0);
    int64_t slabs = d->part ? 1 : slabs_chosen(d);
    const int64_t slab = ((groups + slabs - 1) / slabs + 3) / 4 * 4;
    const int64_t reach = pack_reach(d);
    int64_t shift = (2 * slab + reach + 3) / 4 * 4;
    if (slabs <= 2 || shift >= groups) {
        slabs = 1;
        shift = all;
    }
    l.groups = (uint32_t)groups;
    l.slabs = (int)slabs;
    l.slab = (uint32_t)(slabs == 1 ? groups : slab);
    l.shift = (uint32_t)shift;
    l.reach = (uint32_t)reach;
    l.all = (uint32_t)all;
    l.populations = (double)(all + shift) * 32 * backend_slots(s) * backend_value_bytes(s->precision);
    l.index =
        pack_bytes(d) + (d->fluid ? 2.0 * d->n_cell : 0) + (d->region ? 1.0 * d->n_cell : 0) + cuda_heat_bytes(d, s);
    int64_t opened, passages, rows;
    pack_count_openings(d, &opened, &passages, &rows);
    l.other = (12.0 + (s->cumulant ? 10.0 : 0.0)) * 32 * (double)all + 32.0 * sizeof(cuda_special) * (double)passages +
              32.0 * sizeof(double) * (double)opened + (double)STAGES * STAGE_BYTES;
    return l;
}

/* Chooses the order of the cells. *out: the domain in this order; it is d itself or *made. n_border: as for
 * order_part. */
static int order_domain_for(const domain *d, cell_order *order, domain *made, const domain **out, int64_t *n_border) {
    int rc = OK;
    memset(made, 0, sizeof *made);
    *n_border = 0;
    TRY(d->part ? order_part(d, order, n_border) : order_create(d, order_chunk(d), order));
    if (order->n > 1)
        TRY(order_domain(d, order, made));
    *out = order->n > 1 ? made : d;
cleanup:
    return rc;
}

static double bytes_of(const cuda_layout *l) {
    return l->populations + l->index + l->other;
}

static double bytes_free(void) {
    size_t free_bytes = 0, total = 0;
    if (backend_cuda_count() == 0 || cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        free_bytes = 0;
    return (double)free_bytes;
}

void cuda_memory(const domain *d, const backend_settings *s, double *needed, double *available) {
    cell_order order = {};
    domain made;
    const domain *g = d;
    int64_t n_border;
    order_domain_for(d, &order, &made, &g, &n_border); /* a failure is ignored: the layout of d in its own order is
                                                        * an accurate enough estimate */
    const cuda_layout l = layout_of(g, s);
    *needed = bytes_of(&l);
    *available = bytes_free();
    order_domain_free(&made);
    order_free(&order);
}

static int memory_check(const backend_settings *s, double needed) {
    const double available = bytes_free();
    if (needed + SLACK_BYTES <= available)
        return OK;
    needed += SLACK_BYTES;
    if (available < 0.2 * needed)
        return fail(
            ERR_RESOURCE,
            "the GPU has %.0f MB of memory free and this case needs %.0f MB; stop other programs that use it, or use "
            "--device cpu",
            available * 1e-6, needed * 1e-6);
    return fail(ERR_RESOURCE,
                "the GPU has %.0f MB of memory free and this case needs %.0f MB; use a spacing larger by %.0f %%%s, "
                "or --device cpu",
                available * 1e-6, needed * 1e-6, ceil(100 * (cbrt(needed / available) - 1)),
                s->precision == BACKEND_HALF ? "" : ", precision half");
}

/* --- create ------------------------------------------------------------------------------------------------------ */

void cuda_destroy(backend *b) {
    if (!b)
        return;
    cudaDeviceSynchronize();
    cuda_halo_destroy(b);
    cuda_heat_destroy(b);
    const void *device[] = {b->memory,
                            b->args.group,
                            b->args.more,
                            b->args.cut,
                            b->args.link,
                            b->args.behind,
                            b->args.viscosity,
                            b->args.drag,
                            b->args.region,
                            b->args.partial,
                            b->args.rare,
                            b->args.opened,
                            b->args.passage,
                            b->args.weight,
                            b->args.normal,
                            b->args.entered,
                            b->args.explicit_neighbour,
                            b->args.advection,
                            b->monitor.velocity_old,
                            b->monitor.density_old,
                            b->monitor.fluid,
                            b->monitor.sums,
                            b->monitor.special,
                            b->mass_correction,
                            b->given,
                            b->result,
                            b->kept,
                            b->stage[0],
                            b->stage[1]};
    for (const void *p : device)
        cudaFree(const_cast<void *>(p));
    for (void *p : b->place)
        cudaFree(p);
    cuda_sample_free(&b->sample);
    void *pinned[] = {b->given_host[0], b->given_host[1], b->result_host, b->stage_host[0], b->stage_host[1]};
    for (void *p : pinned)
        cudaFreeHost(p);
    for (int k = 0; k < 2; k++) {
        const cudaEvent_t events[] = {b->turn[k], b->given_free[k], b->stage_done[k], b->slab_done[2 * k],
                                      b->slab_done[2 * k + 1]};
        for (cudaEvent_t e : events)
            if (e)
                cudaEventDestroy(e);
        if (b->stream[k])
            cudaStreamDestroy(b->stream[k]);
    }
    if (b->graph)
        cudaGraphExecDestroy(b->graph);
    cudaGetLastError();
    free(b->opened);
    order_free(&b->order);
    free(b);
}

template <class T> static int device_array(T **out, size_t n, const char *what) {
    return cuda_check(cudaMalloc((void **)out, (n + 1) * sizeof(T)), what);
}

/* Copies the array host [n] to device memory. */
template <class To, class From> static int device_copy(const To **out, const From *host, size_t n, const char *what) {
    void *p = NULL;
    int rc = cuda_check(cudaMalloc(&p, (n + 1) * sizeof(From)), what);
    if (rc == OK) {
        *out = (const To *)p;
        rc = cuda_check(cudaMemcpy(p, host, n * sizeof(From), cudaMemcpyHostToDevice), what);
    }
    return rc;
}

/* Copies the openings to the device. Takes ownership of p->opened. */
static int openings_upload(backend *b, pack *p) {
    cuda_args *a = &b->args;
    const size_t n = (size_t)b->d->n_opening;
    double *normal = (double *)malloc((3 * n + 1) * sizeof *normal);
    int rc = OK;
    if (!normal)
        return fail_memory("the openings", 24.0 * (double)n);
    for (size_t k = 0; k < n; k++)
        memcpy(normal + 3 * k, b->d->opening[k].normal, 3 * sizeof *normal);
    b->n_opened = (size_t)p->n_opened;
    b->n_passage = (size_t)p->n_passage;
    b->opened = p->opened;
    p->opened = NULL;
    TRY(device_copy(&a->opened, b->opened, b->n_opened, "the openings"));
    TRY(device_copy(&a->passage, p->passage, b->n_passage, "the openings"));
    TRY(device_copy(&a->weight, p->weight, 32 * (size_t)p->n_row * (size_t)(1 + p->n_pulse), "the openings"));
    TRY(device_copy(&a->normal, normal, 3 * n, "the openings"));
    TRY(device_array(&a->entered, 32 * b->n_opened, "the openings"));
    CUDA_TRY(cudaMemset(a->entered, 0, 32 * b->n_opened * sizeof *a->entered), "clearing the openings");
cleanup:
    free(normal);
    return rc;
}

/* Sets the prefetch distance. If L2 can hold the prefetched groups until the plane of cells below has also read them,
 * the distance is one plane plus PREFETCH_GROUPS, early enough for the plane above. Otherwise it is PREFETCH_GROUPS. */
static int prefetch_choose(backend *b) {
    const int64_t plane = pack_plane(b->d);
    const double bytes = 2.0 * (double)plane * (double)(cuda_group_values(b) * cuda_value_bytes(b));
    int cache = 0;
    const int rc = cuda_check(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, b->gpu), "reading its L2 size");
    const bool early = !b->kernels->by_direction && bytes < L2_SHARE * cache;
    b->args.ahead = PREFETCH_GROUPS + (early ? (uint32_t)plane : 0);
    return rc;
}

static cuda_cumulant cumulant_of(const backend_settings *s) {
    const cumulant_rates r = cumulant_rates_of(s->omega_plus);
    return cuda_cumulant{r.third_sum, r.third_difference, r.third_product, r.a, r.b};
}

static int viscosity_upload(backend *b) {
    const bool wide = b->settings.precision == BACKEND_DOUBLE;
    double values[2 * VISCOSITY_TABLE_SEGMENTS];
    if (!b->settings.viscosity)
        return OK;
    viscosity_table_copy(b->settings.viscosity, wide, values);
    return device_copy(&b->args.viscosity, (const char *)values, (wide ? 16 : 8) * VISCOSITY_TABLE_SEGMENTS,
                       "the table of the viscosity");
}

/* Copies the drag of the porous regions, and the region of each cell. g: the domain in GPU order. */
static int porous_upload(backend *b, const domain *g, const pack *p) {
    const bool wide = b->settings.precision == BACKEND_DOUBLE;
    const size_t n = (size_t)p->n_group * PACK_LANES;
    float narrow[POROUS_REGIONS + 1];
    uint8_t *region = NULL;
    int rc = OK;
    if (!b->settings.porous || !g->region)
        return OK;
    for (int k = 0; k <= POROUS_REGIONS; k++)
        narrow[k] = (float)b->settings.porous->drag[k];
    TRY(device_copy(&b->args.drag, wide ? (const char *)b->settings.porous->drag : (const char *)narrow,
                    (POROUS_REGIONS + 1) * (wide ? sizeof(double) : sizeof(float)), "the porous regions"));
    region = (uint8_t *)calloc(n + 1, 1);
    if (!region)
        return fail_memory("the porous regions", (double)n);
    memcpy(region, g->region, (size_t)g->n_cell);
    TRY(device_copy(&b->args.region, region, n, "the porous regions"));
cleanup:
    free(region);
    return rc;
}

static int index_upload(backend *b, const domain *g, pack *p) {
    cuda_args *a = &b->args;
    int rc = OK;
    TRY(device_copy(&a->group, p->group, p->n_group, "the neighbour index"));
    TRY(device_copy(&a->more, p->more, p->n_more, "the neighbour index"));
    TRY(device_copy(&a->cut, p->cut, p->n_wall, "the neighbour index"));
    TRY(device_copy(&a->link, p->link, p->n_link, "the cut links"));
    if (p->behind)
        TRY(device_copy(&a->behind, p->behind, p->n_link, "the cut links"));
    TRY(device_copy(&a->partial, p->partial, p->n_partial, "the partly solid links"));
    TRY(device_copy(&a->rare, p->rare, p->n_rare, "the neighbour index"));
    TRY(device_copy(&a->explicit_neighbour, p->explicit_neighbour, (p->directions - 1) * p->n_explicit,
                    "the neighbour index"));
    TRY(openings_upload(b, p));
    TRY(viscosity_upload(b));
    TRY(porous_upload(b, g, p));
    a->n_group = (uint32_t)p->n_group;
    a->n_cell = (uint32_t)p->n_cell;
    a->partials = p->n_partial > 0;
    a->n_opening = (uint32_t)b->d->n_opening;
    a->n_pulse = (uint32_t)b->d->n_pulse;
    TRY(prefetch_choose(b));
    a->ahead_index = PREFETCH_GROUPS;
    a->omega_plus = b->settings.omega_plus;
    a->omega_minus = b->settings.omega_minus;
    a->cumulant = cumulant_of(&b->settings);
    a->fourth = b->settings.fourth;
    a->pressure_rate = backend_pressure_rate(&b->settings, false);
    a->most = backend_most(&b->settings);
    memcpy(a->force, b->settings.force, sizeof a->force);
    a->forced = b->settings.forced;
    a->regularized = b->settings.regularized;
    for (int k = 0; k < b->d->n_opening; k++)
        a->on_site = a->on_site || b->d->opening[k].on_site;
cleanup:
    return rc;
}

static int fluid_upload(backend *b, const domain *d) {
    if (!d->fluid)
        return OK;
    uint16_t *fluid = (uint16_t *)malloc((size_t)d->n_cell * sizeof *fluid);
    if (!fluid)
        return fail_memory("the solid fractions", 2.0 * d->n_cell);
    for (int64_t c = 0; c < d->n_cell; c++)
        fluid[c] = (uint16_t)lrintf(512.0f * d->fluid[c]);
    const int rc = device_copy(&b->monitor.fluid, fluid, d->n_cell, "the solid fractions");
    free(fluid);
    return rc;
}

/* Largest number of partially solid links in a chunk of groups. 0 with heat, because such a domain has no partially
 * solid links. */
static size_t chunk_partials(const pack *p, uint32_t chunk) {
    size_t most = 0;
    for (int64_t g = 0; p->n_partial > 0 && g < p->n_group; g += chunk) {
        const int64_t end = g + chunk < p->n_group ? p->group[g + chunk].partial : p->n_partial;
        const size_t n = (size_t)(end - p->group[g].partial);
        most = n > most ? n : most;
    }
    return most;
}

/* Creates the advection correction of D3Q27, which is 0 at first. */
static int advection_create(backend *b) {
    const size_t cells = b->args.cells;
    uint16_t *advection = NULL;
    int rc = OK;
    if (!b->settings.cumulant)
        return OK;
    TRY(device_array(&b->monitor.density_old, cells, "the advection correction"));
    CUDA_TRY(cudaMemset(b->monitor.density_old, 0, cells * sizeof(float)), "clearing the advection correction");
    TRY(device_array(&advection, 3 * cells, "the advection correction"));
    b->args.advection = advection;
    CUDA_TRY(cudaMemset(advection, 0, 3 * cells * sizeof *advection), "clearing the advection correction");
cleanup:
    return rc;
}

static int buffers_create(backend *b, const pack *p) {
    const size_t cells = b->args.cells = 32 * b->layout.all;
    const size_t bytes = cuda_value_bytes(b), given = (size_t)domain_given(b->d);
    const size_t populations = (size_t)b->layout.populations;
    int multiprocessors = 0, first = 0, last = 0, rc = OK;
    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&last, &first), "reading its stream priorities");
    CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, b->gpu),
             "counting its multiprocessors");
    b->monitor.blocks = 8 * multiprocessors;
    b->monitor.advection_rate = (float)b->settings.advection_rate;
    b->chunk = STAGE_BYTES / (uint32_t)(cuda_group_values(b) * bytes) / 4 * 4;
    TRY(device_array(&b->memory, populations, "the populations"));
    CUDA_TRY(cudaMemset(b->memory, 0, populations), "clearing the populations");
    TRY(device_array(&b->monitor.velocity_old, 3 * cells, "the last velocities"));
    CUDA_TRY(cudaMemset(b->monitor.velocity_old, 0, 3 * cells * sizeof(float)), "clearing the last velocities");
    TRY(advection_create(b));
    TRY(device_array(&b->monitor.sums, (size_t)b->monitor.blocks, "the monitor sums"));
    TRY(device_array(&b->monitor.special, 32 * (size_t)p->n_passage, "the monitor sums"));
    TRY(device_array(&b->mass_correction, 1, "the walls' mass correction"));
    CUDA_TRY(cudaMemset(b->mass_correction, 0, sizeof *b->mass_correction), "clearing the walls' mass correction");
    b->args.mass_correction = b->mass_correction;
    TRY(device_array(&b->given, BATCH_STEPS * given, "the openings' values"));
    TRY(device_array((char **)&b->result, cuda_result_bytes(b), "the monitor sums"));
    TRY(device_array((char **)&b->kept, chunk_partials(p, b->chunk) * bytes, "the partly solid links"));
    CUDA_TRY(cudaMallocHost((void **)&b->result_host, cuda_result_bytes(b)), "pinned memory");
    for (int k = 0; k < 2; k++) {
        CUDA_TRY(cudaMallocHost((void **)&b->given_host[k], (BATCH_STEPS * given + 1) * sizeof(double)),
                 "pinned memory");
        CUDA_TRY(cudaStreamCreateWithPriority(&b->stream[k], cudaStreamNonBlocking, k && b->d->part ? first : last),
                 "creating a stream"); /* the border of a part has the higher priority */
        CUDA_TRY(cudaEventCreateWithFlags(&b->turn[k], cudaEventDisableTiming), "creating an event");
        CUDA_TRY(cudaEventCreateWithFlags(&b->slab_done[2 * k], cudaEventDisableTiming), "creating an event");
        CUDA_TRY(cudaEventCreateWithFlags(&b->slab_done[2 * k + 1], cudaEventDisableTiming), "creating an event");
        CUDA_TRY(cudaEventCreateWithFlags(&b->given_free[k], cudaEventDisableTiming), "creating an event");
        CUDA_TRY(cudaEventCreateWithFlags(&b->stage_done[k], cudaEventDisableTiming), "creating an event");
        CUDA_TRY(cudaMallocHost(&b->stage_host[k], STAGE_BYTES), "pinned memory");
        TRY(device_array((char **)&b->stage[k], STAGE_BYTES, "the transfer buffers"));
    }
cleanup:
    return rc;
}

static const cuda_kernels *kernels_choose(const domain *d, const backend_settings *s) {
    const bool wide = s->precision == BACKEND_DOUBLE, porous = s->porous && d->region;
    if (porous && s->cumulant)
        return wide ? &cuda_kernels_porous_double_27 : &cuda_kernels_porous_float_27;
    if (porous)
        return wide ? &cuda_kernels_porous_double : &cuda_kernels_porous_float;
    if (s->viscosity && s->cumulant)
        return wide ? &cuda_kernels_shear_double_27 : &cuda_kernels_shear_float_27;
    if (s->viscosity)
        return wide ? &cuda_kernels_shear_double : &cuda_kernels_shear_float;
    if (s->cumulant)
        return wide ? &cuda_kernels_double_27 : &cuda_kernels_float_27;
    if (s->heat)
        return wide ? &cuda_kernels_heat_double : &cuda_kernels_heat_float;
    return s->precision == BACKEND_HALF ? &cuda_kernels_half : wide ? &cuda_kernels_double : &cuda_kernels_float;
}

/* Refuses combinations of settings for which no kernels exist. */
static int settings_check(const domain *d, const backend_settings *s) {
    bool on_site = false;
    for (int k = 0; k < d->n_opening; k++)
        on_site = on_site || d->opening[k].on_site;
    if (s->heat && (s->precision == BACKEND_HALF || d->part))
        return fail(ERR_RESOURCE,
                    "on a GPU, heat (solve.heat) needs solve.precision float or double, and a single GPU; change the "
                    "precision, use one GPU, or use --device cpu");
    if (s->cumulant && (s->precision == BACKEND_HALF || s->heat || on_site || !d->behind))
        return fail(ERR_RESOURCE,
                    "on a GPU, solve.collision cumulant needs solve.precision float or double, solve.opening half-way, "
                    "solve.wall interpolated and no solve.heat; change these keys, or use --device cpu");
    if (s->viscosity && (s->precision == BACKEND_HALF || s->heat || on_site || d->n_partial > 0))
        return fail(ERR_RESOURCE,
                    "on a GPU, shear-thinning blood (blood.model) needs solve.precision float or double, solve.opening "
                    "half-way, solve.wall interpolated and no solve.heat; change these keys, or use blood.model "
                    "newtonian");
    if (s->porous && d->region && (s->precision == BACKEND_HALF || s->heat || s->viscosity || on_site))
        return fail(
            ERR_RESOURCE,
            "on a GPU, porous regions (key porous) need solve.precision float or double, solve.opening half-way, "
            "newtonian blood and no solve.heat; change these keys");
    return OK;
}

int cuda_create(const domain *d, const backend_settings *s, backend **out) {
    int rc = OK;
    pack p = {};
    cell_order order = {};
    domain made = {};
    const domain *g = NULL; /* d in GPU order */
    cuda_layout layout;
    int64_t n_border;
    cudaDeviceProp properties;
    *out = NULL;
    if (backend_cuda_count() == 0)
        return fail(ERR_RESOURCE, "there is no usable NVIDIA GPU or driver; use --device cpu");
    TRY(settings_check(d, s));
    TRY(order_domain_for(d, &order, &made, &g, &n_border));
    layout = layout_of(g, s);
    layout.border = (uint32_t)((n_border + PACK_LANES - 1) / PACK_LANES);
    TRY(memory_check(s, bytes_of(&layout)));
    *out = (backend *)calloc(1, sizeof **out);
    if (!*out) {
        rc = fail_memory("the GPU backend", sizeof **out);
        goto cleanup;
    }
    (*out)->d = d;
    (*out)->order = order;
    order = cell_order{};
    (*out)->layout = layout;
    (*out)->settings = *s;
    (*out)->kernels = kernels_choose(d, s);
    CUDA_TRY(cudaGetDevice(&(*out)->gpu), "reading its number");
    TRY(pack_create(g, &p));
    TRY(cuda_heat_create(*out, g, &p));
    TRY(index_upload(*out, g, &p));
    TRY(fluid_upload(*out, g));
    TRY(buffers_create(*out, &p));
    TRY(cuda_halo_create(*out));
    CUDA_TRY(cudaGetDeviceProperties(&properties, (*out)->gpu), "reading its name");
    snprintf((*out)->device, sizeof(*out)->device, "cuda, %.100s, %.0f GB", properties.name,
             (double)properties.totalGlobalMem * 1e-9);
    (*out)->args.overlap = layout.slabs == 1 && !d->part && properties.major >= 9;
    CUDA_TRY(cudaDeviceSynchronize(), "preparing the run");
cleanup:
    pack_free(&p);
    order_domain_free(&made);
    order_free(&order);
    if (rc != OK) {
        cuda_destroy(*out);
        *out = NULL;
    }
    return rc;
}
