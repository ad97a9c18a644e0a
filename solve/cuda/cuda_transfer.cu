/* SPDX-License-Identifier: Apache-2.0 */
/* See cuda_backend.h. Chunks of groups pass through two pinned buffers: one buffer is copied while the other is
 * filled. */
#include "solve/cuda/cuda_halo.h"
#include <math.h>
#include <string.h>

/* --- monitor ----------------------------------------------------------------------------------------------------- */

enum { FINISH = 256 }; /* threads per block */

/* Combines the values v of all threads of the block (sum, maximum or minimum) into *out. */
template <class T, class Join> static __device__ void reduce_block(T v, T *out, Join join) {
    __shared__ T part[FINISH];
    part[threadIdx.x] = v;
    for (int step = FINISH / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            part[threadIdx.x] = join(part[threadIdx.x], part[threadIdx.x + step]);
    }
    if (threadIdx.x == 0)
        *out = part[0];
    __syncthreads();
}

static __device__ void finish_sum(int64_t v, int64_t *out) {
    reduce_block(v, out, [](int64_t a, int64_t b) { return a + b; });
}

/* Adds up the sums of the blocks of a monitor. Block 0: sums over the cells; block k + 1: flow and density of opening
 * k. */
static __global__ void __launch_bounds__(FINISH)
    finish_kernel(const cuda_monitor_args m, const pack_passage *passage, int64_t n_passage, cuda_sums *result) {
    if (blockIdx.x == 0) {
        double fastest = 0, bad_cell = INFINITY;
        for (int k = 0; k < CUDA_SUMS; k++) {
            int64_t v = 0;
            for (int n = threadIdx.x; n < m.blocks; n += FINISH)
                v += m.sums[n].sum[k];
            finish_sum(v, &result->sum[k]);
        }
        for (int n = threadIdx.x; n < m.blocks; n += FINISH) {
            fastest = fmax(fastest, m.sums[n].fastest);
            bad_cell = fmin(bad_cell, m.sums[n].bad_cell);
        }
        reduce_block(fastest, &result->fastest, [](double a, double b) { return fmax(a, b); });
        reduce_block(bad_cell, &result->bad_cell, [](double a, double b) { return fmin(a, b); });
        return;
    }
    const int opening = blockIdx.x - 1;
    exact_sum flow = {}, density = {};
    for (int64_t n = threadIdx.x; n < 32 * n_passage; n += FINISH)
        if ((int)(passage[n / 32].opening & PACK_OPENING) == opening) {
            exact_sum_add(&flow, m.special[n].flow);
            exact_sum_add(&density, m.special[n].density);
        }
    int64_t *to = (int64_t *)(result + 1) + CUDA_OPENING_SUMS * opening;
    for (int k = 0; k < 3; k++) {
        finish_sum(flow.part[k], to + k);
        finish_sum(density.part[k], to + 3 + k);
    }
}

size_t cuda_result_bytes(const backend *b) {
    return sizeof(cuda_sums) + CUDA_OPENING_SUMS * (size_t)b->d->n_opening * sizeof(int64_t);
}

static_assert(sizeof(backend_opening_sums) == CUDA_OPENING_SUMS * sizeof(int64_t) &&
                  offsetof(backend_sums, fastest) == CUDA_SUMS * sizeof(int64_t),
              "backend_sums has the layout of the sums on the GPU");

/* Computes the advection correction from the velocity and the density of this monitor. */
static int advection_refresh(backend *b) {
    const cuda_args a = cuda_state(b, 0, b->layout.groups);
    int rc = OK;
    if (!(b->settings.advection_rate > 0))
        return OK;
    if (b->halo) {
        TRY(cuda_halo_cells(b, 3, a.cells, b->monitor.velocity_old));
        TRY(cuda_halo_cells(b, 1, a.cells, b->monitor.density_old));
    }
    CUDA_TRY(b->kernels->advection(&a, &b->monitor, b->stream[0]), "the advection correction");
cleanup:
    return rc;
}

int cuda_sums_of(backend *b, backend_sums *s, backend_opening_sums *opening) {
    const int n = b->d->n_opening;
    const cuda_args a = cuda_state(b, 0, b->layout.groups);
    const cuda_sums *r = b->result_host;
    int rc = OK;
    CUDA_TRY(b->late, "setting the walls' mass correction");
    TRY(cuda_heat_begin(b));
    CUDA_TRY(b->kernels->monitor(&a, &b->monitor, b->stream[0]), "the monitor sums");
    TRY(cuda_heat_end(b));
    finish_kernel<<<1 + n, FINISH, 0, b->stream[0]>>>(b->monitor, a.passage, (int64_t)b->n_passage, b->result);
    CUDA_TRY(cudaGetLastError(), "the monitor sums");
    CUDA_TRY(cudaMemcpyAsync(b->result_host, b->result, cuda_result_bytes(b), cudaMemcpyDeviceToHost, b->stream[0]),
             "the monitor sums");
    CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the steps");
    memcpy(s, r->sum, sizeof r->sum);
    s->fastest = r->fastest;
    s->bad_cell = isfinite(r->bad_cell) ? order_from(&b->order, (int64_t)r->bad_cell) : -1;
    memcpy(opening, r + 1, (size_t)n * sizeof *opening);
    TRY(advection_refresh(b));
cleanup:
    return rc;
}

int cuda_monitor(backend *b, backend_monitor *m) {
    backend_sums s;
    backend_opening_sums opening[BACKEND_OPENINGS];
    const int rc = cuda_sums_of(b, &s, opening);
    if (rc != OK)
        return rc;
    backend_monitor_make(b->d, &s, opening, b->seen, m);
    cuda_heat_monitor(b, m);
    b->seen = true;
    return OK;
}

/* --- chunks ------------------------------------------------------------------------------------------------------ */

/* Number of cells of a chunk, without the lanes that fill its last groups. */
static size_t chunk_cells(const backend *b, uint32_t begin, uint32_t end) {
    const int64_t first = (int64_t)begin * 32, last = (int64_t)end * 32;
    return (size_t)((last < b->d->n_cell ? last : b->d->n_cell) - first);
}

/* Calls work(of, at, n) for each stretch of a chunk. A stretch is n cells that are consecutive both in the chunk, from
 * cell `at` on, and in the domain, from cell `of` on. `begin .. end - 1`: cells of the chunk to cover. first: GPU
 * number of the chunk's first cell. */
template <class Work>
static void stretches_between(const backend *b, size_t first, size_t begin, size_t end, Work work) {
    const order_piece *p = order_find(&b->order, (int64_t)(first + begin));
    for (size_t at = begin, n; at < end; at += n, p++) {
        const size_t before = first + at - (size_t)p->to, rest = (size_t)p->count - before;
        n = rest < end - at ? rest : end - at;
        work((size_t)p->from + before, at, n);
    }
}

/* Calls work for the stretches of a whole chunk, one after another. */
template <class Work> static void stretches_each(const backend *b, uint32_t begin, uint32_t end, Work work) {
    stretches_between(b, (size_t)begin * 32, 0, chunk_cells(b, begin, end), work);
}

/* As stretches_each, but on all threads, in any order. */
template <class Work> static void stretches_shared(const backend *b, uint32_t begin, uint32_t end, Work work) {
    enum { SHARE = 1 << 14 };
    const size_t cells = chunk_cells(b, begin, end);
#pragma omp parallel for schedule(dynamic)
    for (size_t at = 0; at < cells; at += SHARE)
        stretches_between(b, (size_t)begin * 32, at, at + SHARE < cells ? at + SHARE : cells, work);
}

/* Copies the output [rows][width] of a kernel to the host, chunk by chunk. launch(args, stage) starts the kernel.
 * place(stage, width, of, n) copies n columns, from address `stage` on, to the n domain cells from cell `of` on. */
template <class Launch, class Place> static int fields_read(backend *b, int rows, Launch launch, Place place) {
    const uint32_t chunk = STAGE_BYTES / (rows * 32 * 4) / 4 * 4, groups = b->layout.groups;
    const uint32_t chunks = (groups + chunk - 1) / chunk;
    int rc = OK;
    for (uint32_t n = 0; n < chunks + 1; n++) {
        if (n < chunks) {
            const uint32_t begin = n * chunk, end = begin + chunk < groups ? begin + chunk : groups;
            const cuda_args a = cuda_state(b, begin, end);
            float *stage = (float *)b->stage[n & 1];
            CUDA_TRY(launch(&a, stage), "reading fields");
            CUDA_TRY(cudaMemcpyAsync(b->stage_host[n & 1], stage, (size_t)(end - begin) * 32 * 4 * (size_t)rows,
                                     cudaMemcpyDeviceToHost, b->stream[0]),
                     "reading fields");
            CUDA_TRY(cudaEventRecord(b->stage_done[n & 1], b->stream[0]), "reading fields");
        }
        if (n == 0)
            continue;
        const uint32_t begin = (n - 1) * chunk, end = begin + chunk < groups ? begin + chunk : groups;
        CUDA_TRY(cudaEventSynchronize(b->stage_done[(n - 1) & 1]), "reading fields");
        const float *stage = (const float *)b->stage_host[(n - 1) & 1];
        stretches_shared(b, begin, end, [&](size_t of, size_t at, size_t cells) {
            place(stage + at, (size_t)(end - begin) * 32, of, cells);
        });
    }
cleanup:
    return rc;
}

/* Transposes rows `first .. first + count - 1` of from [][width], n columns each, into out[of .. of + n - 1][count].
 * out NULL: does nothing. */
static void rows_place(const float *from, size_t width, int first, int count, size_t of, size_t n, float *out) {
    for (size_t c = 0; out && c < n; c++)
        for (int k = 0; k < count; k++)
            out[(size_t)count * (of + c) + (size_t)k] = from[(size_t)(first + k) * width + c];
}

int cuda_moments(backend *b, float *density, float *velocity, float *stress) {
    return fields_read(
        b, 10, [&](const cuda_args *a, float *stage) { return b->kernels->moments(a, stage, b->stream[0]); },
        [&](const float *stage, size_t width, size_t of, size_t n) {
            rows_place(stage, width, 0, 1, of, n, density);
            rows_place(stage, width, 1, 3, of, n, velocity);
            rows_place(stage, width, 4, 6, of, n, stress);
        });
}

/* Copies velocity and density of the requested cells k < n whose place is in `first .. first + width - 1` to out
 * [n][4]. moments [10][width]: one column per place. */
static __global__ void sample_kernel(const float *moments, int64_t first, int64_t width, int64_t n,
                                     const int32_t *place, float *out) {
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t at = k < n ? place[k] - first : -1;
    if (at < 0 || at >= width)
        return;
    for (int row = 0; row < 3; row++)
        out[4 * k + row] = moments[(1 + row) * width + at];
    out[4 * k + 3] = moments[at];
}

void cuda_sample_free(cuda_sample_list *s) {
    free(s->cell);
    cudaFree(s->place);
    cudaFree(s->value);
    *s = cuda_sample_list{};
}

/* Stores the places of the cells to sample, because runs sample the same cells repeatedly. */
static int sample_list(backend *b, int64_t n, const int64_t *cell) {
    cuda_sample_list *s = &b->sample;
    const size_t bytes = (size_t)n * sizeof *cell;
    cell_order inverse = {};
    int32_t *place = NULL;
    int rc = OK;
    if (s->n == n && s->cell && memcmp(s->cell, cell, bytes) == 0)
        return OK;
    cuda_sample_free(s);
    place = (int32_t *)malloc((size_t)n * sizeof *place + 1);
    s->cell = (int64_t *)malloc(bytes + 1);
    if (!place || !s->cell) {
        rc = fail_memory("the sampled cells", 12.0 * (double)n);
        goto cleanup;
    }
    TRY(order_inverse(&b->order, &inverse));
    for (int64_t k = 0; k < n; k++)
        place[k] = (int32_t)order_from(&inverse, cell[k]);
    CUDA_TRY(cudaMalloc((void **)&s->place, (size_t)n * sizeof *s->place), "the sampled cells");
    CUDA_TRY(cudaMalloc((void **)&s->value, 4 * (size_t)n * sizeof *s->value), "the sampled cells");
    CUDA_TRY(cudaMemcpy(s->place, place, (size_t)n * sizeof *place, cudaMemcpyHostToDevice), "the sampled cells");
    memcpy(s->cell, cell, bytes);
    s->n = n;
cleanup:
    order_free(&inverse);
    free(place);
    return rc;
}

int cuda_sample(backend *b, int64_t n, const int64_t *cell, float *value) {
    enum { BLOCK = 256 };
    const uint32_t chunk = STAGE_BYTES / (10 * 32 * 4) / 4 * 4, groups = b->layout.groups;
    int rc = OK;
    if (n == 0)
        return OK;
    TRY(sample_list(b, n, cell));
    for (uint32_t begin = 0; begin < groups; begin += chunk) {
        const uint32_t end = begin + chunk < groups ? begin + chunk : groups;
        const cuda_args a = cuda_state(b, begin, end);
        float *stage = (float *)b->stage[0];
        CUDA_TRY(b->kernels->moments(&a, stage, b->stream[0]), "the sampled cells");
        sample_kernel<<<(uint32_t)((n + BLOCK - 1) / BLOCK), BLOCK, 0, b->stream[0]>>>(
            stage, (int64_t)begin * 32, (int64_t)(end - begin) * 32, n, b->sample.place, b->sample.value);
        CUDA_TRY(cudaGetLastError(), "the sampled cells");
    }
    CUDA_TRY(
        cudaMemcpyAsync(value, b->sample.value, 4 * (size_t)n * sizeof *value, cudaMemcpyDeviceToHost, b->stream[0]),
        "the sampled cells");
    CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the sampled cells");
cleanup:
    return rc;
}

int cuda_temperature(backend *b, float *theta, float *gradient) {
    return fields_read(
        b, 4, [&](const cuda_args *a, float *stage) { return b->kernels->temperature(a, stage, b->stream[0]); },
        [&](const float *stage, size_t width, size_t of, size_t n) {
            rows_place(stage, width, 0, 1, of, n, theta);
            rows_place(stage, width, 1, 3, of, n, gradient);
        });
}

/* Sets *first to the first partially solid link of group g. */
static int partial_first(const backend *b, uint32_t g, uint32_t *first) {
    *first = (uint32_t)b->d->n_partial;
    if (g >= b->layout.groups || b->d->n_partial == 0)
        return OK;
    return cuda_check(cudaMemcpy(first, (const char *)(b->args.group + 4 * (size_t)g) + offsetof(pack_group, partial),
                                 sizeof *first, cudaMemcpyDeviceToHost),
                      "the partly solid links");
}

/* Copies the n values of the partially solid links of a chunk to `kept` on the host, through stage_host[1], which is
 * not in use then. */
static int kept_read(backend *b, uint32_t begin, uint32_t end, size_t n, void *kept) {
    const size_t bytes = cuda_value_bytes(b);
    /* stage_host[1] is large enough: a cell has up to 18 partially solid links, fewer than its slots */
    const char *stage = (const char *)b->stage_host[1];
    const int rc =
        cuda_check(cudaMemcpy(b->stage_host[1], b->kept, n * bytes, cudaMemcpyDeviceToHost), "copying the state");
    if (rc == OK)
        stretches_each(b, begin, end, [&](size_t of, size_t, size_t cells) {
            const size_t first = (size_t)order_partial(b->d, (int64_t)of);
            const size_t count = (size_t)order_partial(b->d, (int64_t)(of + cells)) - first;
            memcpy((char *)kept + first * bytes, stage, count * bytes);
            stage += count * bytes;
        });
    return rc;
}

int cuda_read(backend *b, void *slots, void *kept) {
    const size_t bytes = cuda_value_bytes(b), n_cell = (size_t)b->d->n_cell, rows = cuda_group_values(b) / 32;
    int rc = OK;
    CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the steps");
    for (uint32_t begin = 0; begin < b->layout.groups; begin += b->chunk) {
        const uint32_t end = begin + b->chunk < b->layout.groups ? begin + b->chunk : b->layout.groups;
        const size_t width = (size_t)(end - begin) * 32;
        const cuda_args a = cuda_state(b, begin, end);
        uint32_t first, last;
        TRY(partial_first(b, begin, &first));
        TRY(partial_first(b, end, &last));
        CUDA_TRY(b->kernels->slots_read(&a, b->stage[0], (char *)b->kept - (size_t)first * bytes, b->stream[0]),
                 "copying the state");
        CUDA_TRY(
            cudaMemcpyAsync(b->stage_host[0], b->stage[0], rows * width * bytes, cudaMemcpyDeviceToHost, b->stream[0]),
            "copying the state");
        CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "copying the state");
        const char *stage = (const char *)b->stage_host[0];
        stretches_shared(b, begin, end, [&](size_t of, size_t at, size_t cells) {
            for (size_t k = 0; k < rows; k++)
                memcpy((char *)slots + (k * n_cell + of) * bytes, stage + (k * width + at) * bytes, cells * bytes);
        });
        if (last > first)
            TRY(kept_read(b, begin, end, (size_t)(last - first), kept));
    }
cleanup:
    return rc;
}

int cuda_write(backend *b, const void *slots, const void *kept) {
    const size_t bytes = cuda_value_bytes(b), n_cell = (size_t)b->d->n_cell, rows = cuda_group_values(b) / 32;
    const cuda_args all = cuda_state(b, 0, b->layout.groups);
    int rc = OK;
    (void)kept; /* not needed: each kept value is theta times a value in the slots of a neighbour */
    CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the steps");
    for (uint32_t begin = 0; begin < b->layout.groups; begin += b->chunk) {
        const uint32_t end = begin + b->chunk < b->layout.groups ? begin + b->chunk : b->layout.groups;
        const size_t width = (size_t)(end - begin) * 32;
        const cuda_args a = cuda_state(b, begin, end);
        memset(b->stage_host[0], 0, rows * width * bytes);
        char *stage = (char *)b->stage_host[0];
        stretches_shared(b, begin, end, [&](size_t of, size_t at, size_t cells) {
            for (size_t k = 0; k < rows; k++)
                memcpy(stage + (k * width + at) * bytes, (const char *)slots + (k * n_cell + of) * bytes,
                       cells * bytes);
        });
        CUDA_TRY(
            cudaMemcpyAsync(b->stage[0], b->stage_host[0], rows * width * bytes, cudaMemcpyHostToDevice, b->stream[0]),
            "copying the state");
        CUDA_TRY(b->kernels->slots_write(&a, b->stage[0], b->stream[0]), "copying the state");
        CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "copying the state");
    }
    if (b->halo)
        TRY(cuda_halo_back(b, (char *)all.to));
    CUDA_TRY(b->kernels->slots_mend(&all, b->stream[0]), "copying the state");
    CUDA_TRY(cudaMemsetAsync(b->args.entered, 0, 32 * b->n_opened * sizeof *b->args.entered, b->stream[0]),
             "copying the state");
    if (all.advection)
        CUDA_TRY(cudaMemsetAsync((void *)all.advection, 0, 3 * (size_t)all.cells * sizeof *all.advection, b->stream[0]),
                 "copying the state");
    CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "copying the state");
    b->seen = false;
cleanup:
    return rc;
}

/* --- stored states ----------------------------------------------------------------------------------------------- */

/* Number of values of a stored state: all populations, including the halo of a part, because the next step reads the
 * halo. Slots of wall and partially solid links are not stored, because they follow from the populations. */
static size_t state_values(const backend *b) {
    return (size_t)b->layout.all * cuda_group_values(b);
}

int cuda_keep(backend *b, int place) {
    const size_t bytes = state_values(b) * cuda_value_bytes(b);
    const cuda_args all = cuda_state(b, 0, b->layout.groups);
    int rc = OK;
    if (!b->place[place])
        CUDA_TRY(cudaMalloc(&b->place[place], bytes), "a stored state of the flow");
    CUDA_TRY(cudaMemcpyAsync(b->place[place], all.from, bytes, cudaMemcpyDeviceToDevice, b->stream[0]),
             "storing a state of the flow");
cleanup:
    if (rc != OK)
        cudaGetLastError();
    return rc;
}

int cuda_combine(backend *b, const double *weight) {
    const cuda_args all = cuda_state(b, 0, b->layout.groups);
    cuda_combination m;
    int rc = OK;
    m.n = state_values(b);
    for (int k = 0; k < BACKEND_PLACES; k++) {
        m.place[k] = b->place[k];
        m.weight[k] = weight[k];
    }
    CUDA_TRY(b->kernels->combine(all.to, &m, b->stream[0]), "combining states of the flow");
    CUDA_TRY(cudaMemsetAsync(b->args.entered, 0, 32 * b->n_opened * sizeof *b->args.entered, b->stream[0]),
             "combining states of the flow");
    b->seen = false;
cleanup:
    return rc;
}
