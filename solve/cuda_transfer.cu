/* See cuda_backend.h. Chunks of groups pass through pinned memory, two at a time: while one is copied the next is made.
 */
#include "cuda_backend.h"
#include <math.h>
#include <string.h>

/* --- monitor ----------------------------------------------------------------------------------------------------- */

enum { FINISH = 256 }; /* threads; the order of the additions is always the same */

/* Sum (or largest, or smallest) over the block into *out. */
static __device__ void finish(double v, double *out, int kind) {
    __shared__ double part[FINISH];
    part[threadIdx.x] = v;
    for (int step = FINISH / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) {
            const double a = part[threadIdx.x], b = part[threadIdx.x + step];
            part[threadIdx.x] = kind == 0 ? a + b : kind == 1 ? fmax(a, b) : fmin(a, b);
        }
    }
    if (threadIdx.x == 0)
        *out = part[0];
    __syncthreads();
}

/* Block 0: the sums over the cells; block k + 1: flow, density and number of links of opening k. */
static __global__ void __launch_bounds__(FINISH)
    finish_kernel(const cuda_monitor_args m, const pack_passage *passage, int64_t n_passage, double *result) {
    if (blockIdx.x == 0) {
        for (int k = 0; k < CUDA_SUMS; k++) {
            const int kind = k < 4 ? 0 : k - 3;
            double v = kind == 2 ? INFINITY : 0;
            for (int n = threadIdx.x; n < m.blocks; n += FINISH) {
                const double part = m.sums[n * CUDA_SUMS + k];
                v = kind == 0 ? v + part : kind == 1 ? fmax(v, part) : fmin(v, part);
            }
            finish(v, result + k, kind);
        }
        return;
    }
    const int opening = blockIdx.x - 1;
    double flow = 0, density = 0, links = 0;
    for (int64_t n = threadIdx.x; n < 32 * n_passage; n += FINISH)
        if ((int)(passage[n / 32].opening & PACK_OPENING) == opening) {
            flow += m.special[n].flow;
            density += m.special[n].density;
            links += n % 32 == 0 ? passage[n / 32].links : 0;
        }
    result += CUDA_SUMS + CUDA_OPENING_SUMS * opening;
    finish(flow, result, 0);
    finish(density, result + 1, 0);
    finish(links, result + 2, 0);
}

int cuda_monitor(backend *b, backend_monitor *m) {
    const int n = b->d->n_opening;
    const cuda_args a = cuda_state(b, 0, b->layout.groups);
    const double *r = b->result_host;
    int rc = OK;
    CUDA_TRY(b->late, "setting the walls' gain");
    CUDA_TRY(b->kernels->monitor(&a, &b->monitor, b->stream[0]), "the monitor");
    finish_kernel<<<1 + n, FINISH, 0, b->stream[0]>>>(b->monitor, a.passage, (int64_t)b->n_passage, b->result);
    CUDA_TRY(cudaGetLastError(), "the monitor");
    CUDA_TRY(cudaMemcpyAsync(b->result_host, b->result, (CUDA_SUMS + CUDA_OPENING_SUMS * n) * sizeof *r,
                             cudaMemcpyDeviceToHost, b->stream[0]),
             "the monitor");
    CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the steps");
    m->change = b->seen && r[1] > 0 ? sqrt(r[0] / r[1]) : 1.0;
    m->mass = r[2];
    m->entered = r[3];
    m->velocity_max = sqrt(r[4]);
    m->bad_cell = isfinite(r[5]) ? (int64_t)r[5] : -1;
    for (int k = 0; k < n; k++) {
        const double *sums = r + CUDA_SUMS + CUDA_OPENING_SUMS * k;
        m->flow[k] = sums[0];
        m->density[k] = sums[1] / fmax(sums[2], 1.0);
    }
    b->seen = true;
cleanup:
    return rc;
}

/* --- chunks ------------------------------------------------------------------------------------------------------ */

/* Cells of a chunk that exist. */
static size_t chunk_cells(const backend *b, uint32_t begin, uint32_t end) {
    const int64_t first = (int64_t)begin * 32, last = (int64_t)end * 32;
    return (size_t)((last < b->d->n_cell ? last : b->d->n_cell) - first);
}

typedef struct {
    float *density, *velocity, *stress;
} moments_out;

static void moments_place(const float *from, size_t width, size_t first, size_t n, const moments_out *out) {
    for (size_t c = 0; c < n; c++) {
        if (out->density)
            out->density[first + c] = from[c];
        for (int k = 0; out->velocity && k < 3; k++)
            out->velocity[3 * (first + c) + k] = from[(1 + k) * width + c];
        for (int k = 0; out->stress && k < 6; k++)
            out->stress[6 * (first + c) + k] = from[(4 + k) * width + c];
    }
}

int cuda_moments(backend *b, float *density, float *velocity, float *stress) {
    const uint32_t chunk = STAGE_BYTES / (10 * 32 * 4) / 4 * 4, groups = b->layout.groups;
    const uint32_t chunks = (groups + chunk - 1) / chunk;
    const moments_out out = {density, velocity, stress};
    int rc = OK;
    for (uint32_t n = 0; n < chunks + 1; n++) {
        if (n < chunks) {
            const uint32_t begin = n * chunk, end = begin + chunk < groups ? begin + chunk : groups;
            const cuda_args a = cuda_state(b, begin, end);
            float *stage = (float *)b->stage[n & 1];
            CUDA_TRY(b->kernels->moments(&a, stage, b->stream[0]), "the fields");
            CUDA_TRY(cudaMemcpyAsync(b->stage_host[n & 1], stage, (size_t)(end - begin) * 32 * 40,
                                     cudaMemcpyDeviceToHost, b->stream[0]),
                     "the fields");
            CUDA_TRY(cudaEventRecord(b->stage_done[n & 1], b->stream[0]), "the fields");
        }
        if (n == 0)
            continue;
        const uint32_t begin = (n - 1) * chunk, end = begin + chunk < groups ? begin + chunk : groups;
        CUDA_TRY(cudaEventSynchronize(b->stage_done[(n - 1) & 1]), "the fields");
        moments_place((const float *)b->stage_host[(n - 1) & 1], (size_t)(end - begin) * 32, (size_t)begin * 32,
                      chunk_cells(b, begin, end), &out);
    }
cleanup:
    return rc;
}

/* First partial link of a group and after the last group. */
static int partial_first(const backend *b, uint32_t g, uint32_t *first) {
    *first = (uint32_t)b->d->n_partial;
    if (g >= b->layout.groups)
        return OK;
    return cuda_check(cudaMemcpy(first, (const char *)(b->args.group + 4 * (size_t)g) + offsetof(pack_group, partial),
                                 sizeof *first, cudaMemcpyDeviceToHost),
                      "the partly solid links");
}

int cuda_read(backend *b, void *slots, void *kept) {
    const size_t bytes = cuda_value_bytes(b), n_cell = (size_t)b->d->n_cell;
    int rc = OK;
    CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the steps");
    for (uint32_t begin = 0; begin < b->layout.groups; begin += b->chunk) {
        const uint32_t end = begin + b->chunk < b->layout.groups ? begin + b->chunk : b->layout.groups;
        const size_t width = (size_t)(end - begin) * 32, n = chunk_cells(b, begin, end);
        const cuda_args a = cuda_state(b, begin, end);
        uint32_t first, last;
        TRY(partial_first(b, begin, &first));
        TRY(partial_first(b, end, &last));
        CUDA_TRY(b->kernels->slots_read(&a, b->stage[0], (char *)b->kept - (size_t)first * bytes, b->stream[0]),
                 "the checkpoint");
        CUDA_TRY(
            cudaMemcpyAsync(b->stage_host[0], b->stage[0], 19 * width * bytes, cudaMemcpyDeviceToHost, b->stream[0]),
            "the checkpoint");
        CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the checkpoint");
        for (int k = 0; k < 19; k++)
            memcpy((char *)slots + ((size_t)k * n_cell + (size_t)begin * 32) * bytes,
                   (const char *)b->stage_host[0] + (size_t)k * width * bytes, n * bytes);
        if (last > first)
            CUDA_TRY(cudaMemcpy((char *)kept + (size_t)first * bytes, b->kept, (size_t)(last - first) * bytes,
                                cudaMemcpyDeviceToHost),
                     "the checkpoint");
    }
cleanup:
    return rc;
}

int cuda_write(backend *b, const void *slots, const void *kept) {
    const size_t bytes = cuda_value_bytes(b), n_cell = (size_t)b->d->n_cell;
    const cuda_args all = cuda_state(b, 0, b->layout.groups);
    int rc = OK;
    (void)kept; /* theta f_a*' of a cell is theta times the slot of its neighbour */
    CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the steps");
    for (uint32_t begin = 0; begin < b->layout.groups; begin += b->chunk) {
        const uint32_t end = begin + b->chunk < b->layout.groups ? begin + b->chunk : b->layout.groups;
        const size_t width = (size_t)(end - begin) * 32, n = chunk_cells(b, begin, end);
        const cuda_args a = cuda_state(b, begin, end);
        memset(b->stage_host[0], 0, 19 * width * bytes);
        for (int k = 0; k < 19; k++)
            memcpy((char *)b->stage_host[0] + (size_t)k * width * bytes,
                   (const char *)slots + ((size_t)k * n_cell + (size_t)begin * 32) * bytes, n * bytes);
        CUDA_TRY(
            cudaMemcpyAsync(b->stage[0], b->stage_host[0], 19 * width * bytes, cudaMemcpyHostToDevice, b->stream[0]),
            "the checkpoint");
        CUDA_TRY(b->kernels->slots_write(&a, b->stage[0], b->stream[0]), "the checkpoint");
        CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the checkpoint");
    }
    CUDA_TRY(b->kernels->slots_mend(&all, b->stream[0]), "the checkpoint");
    CUDA_TRY(cudaMemsetAsync(b->args.entered, 0, 32 * b->n_opened * sizeof *b->args.entered, b->stream[0]),
             "the checkpoint");
    CUDA_TRY(cudaStreamSynchronize(b->stream[0]), "the checkpoint");
    b->seen = false;
cleanup:
    return rc;
}
