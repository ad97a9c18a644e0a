/* SPDX-License-Identifier: Apache-2.0 */
/* GPU backend: kernel launches over lbm_cell.h, with the same steps as lbm_cpu.c. */
#include "common/base/status.h"
#include "segment/engine/lbm_cell.h"
#include <cuda_runtime.h>
#include <vector>

namespace {

const int threads = 256;

int check_cuda(cudaError_t error) {
    return error == cudaSuccess
               ? OK
               : fail(ERR_RESOURCE, "the GPU failed in segment: %s; try --device cpu", cudaGetErrorString(error));
}

/* Owner of all device memory. */
struct memory {
    std::vector<void *> all;
    ~memory() {
        for (void *p : all)
            cudaFree(p);
    }
    /* allocates `count` values and copies them from `from`; `from` NULL: uninitialized */
    template <class T>
    int allocate(T **out, size_t count, const T *from, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
        void *p = nullptr;
        *out = nullptr;
        if (cudaMalloc(&p, (count + 1) * sizeof(T)) != cudaSuccess)
            return fail_memory("the level set on the GPU", static_cast<double>(count) * sizeof(T));
        all.push_back(p);
        *out = static_cast<T *>(p);
        return from == nullptr ? OK : check_cuda(cudaMemcpy(p, from, count * sizeof(T), kind));
    }
};

__global__ void number_cells(int64_t n, const int32_t *cell, int32_t *band) {
    const int64_t k = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (k < n)
        band[cell[k]] = static_cast<int32_t>(k);
}

__global__ void start_cells(lbm_field f, lbm_equation e) {
    const int64_t k = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (k < f.n)
        lbm_start_cell(&f, &e, k);
}

__global__ void step_cells(lbm_field f, lbm_equation e) {
    const int64_t k = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (k < f.n)
        lbm_step_cell(&f, &e, k);
}

__global__ void wall_distance_cells(lbm_field f) {
    const int64_t k = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (k < f.n)
        lbm_wall_distance_cell(&f, k);
}

__global__ void redistance_cells(lbm_field f) {
    const int64_t k = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (k < f.n)
        lbm_redistance_cell(&f, k);
}

/* Select the buffers that are read; the others are written. */
void select_buffers(lbm_field *f, float *const u[2], float *const flux[2], int u_from, int flux_from) {
    f->u = u[u_from];
    f->u_next = u[!u_from];
    f->flux = flux[flux_from];
    f->flux_next = flux[!flux_from];
}

int run_cuda(const lbm_problem *problem) {
    const size_t n = static_cast<size_t>(problem->n);
    const size_t voxels = static_cast<size_t>(problem->dims[0]) * problem->dims[1] * problem->dims[2];
    const int blocks = static_cast<int>((n + threads - 1) / threads);
    memory m;
    int32_t *cell, *band;
    float *u[2], *flux[2], *speed = nullptr, *potential = nullptr;
    int rc = OK, now = 0;
    if (n == 0)
        return OK;
    if ((rc = m.allocate(&cell, n, problem->cell)) != OK || (rc = m.allocate<int32_t>(&band, voxels, nullptr)) != OK ||
        (rc = m.allocate<float>(&u[0], voxels, problem->u)) != OK ||
        (rc = m.allocate<float>(&u[1], voxels, u[0], cudaMemcpyDeviceToDevice)) != OK ||
        (rc = m.allocate<float>(&flux[0], 3 * n, nullptr)) != OK ||
        (rc = m.allocate<float>(&flux[1], 3 * n, nullptr)) != OK ||
        (problem->speed != nullptr && (rc = m.allocate(&speed, voxels, problem->speed)) != OK) ||
        (problem->potential != nullptr && (rc = m.allocate(&potential, voxels, problem->potential)) != OK))
        return rc;
    lbm_field f = {{problem->dims[0], problem->dims[1], problem->dims[2]},
                   problem->n,
                   cell,
                   band,
                   speed,
                   potential,
                   nullptr,
                   nullptr,
                   nullptr,
                   nullptr};
    if ((rc = check_cuda(cudaMemset(band, 0xff, voxels * sizeof *band))) != OK)
        return rc;
    number_cells<<<blocks, threads>>>(problem->n, cell, band);
    select_buffers(&f, u, flux, now, 1);
    start_cells<<<blocks, threads>>>(f, problem->equation);
    for (int s = 0; s < problem->steps; s++, now = !now) {
        select_buffers(&f, u, flux, now, s & 1);
        step_cells<<<blocks, threads>>>(f, problem->equation);
    }
    select_buffers(&f, u, flux, now, 1);
    if (problem->redistance_steps > 0)
        wall_distance_cells<<<blocks, threads>>>(f);
    for (int s = 0; s < problem->redistance_steps; s++, now = !now) {
        select_buffers(&f, u, flux, now, 0);
        redistance_cells<<<blocks, threads>>>(f);
    }
    if ((rc = check_cuda(cudaGetLastError())) != OK)
        return rc;
    return check_cuda(cudaMemcpy(problem->u, u[now], voxels * sizeof *problem->u, cudaMemcpyDeviceToHost));
}

} // namespace

extern "C" const lbm_backend lbm_cuda = {"cuda", run_cuda};

extern "C" int lbm_cuda_count(void) {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

extern "C" int lbm_cuda_start(void) {
    const int count = lbm_cuda_count();
    if (count > 0)
        cudaFree(nullptr); /* this call creates the context of the GPU */
    return count;
}
