/* SPDX-License-Identifier: Apache-2.0 */
/* Included by scheme_cuda_float.cu and scheme_cuda_double.cu, which define `real` as float or double: one kernel per
 * scheme around the cell operations of scheme_cell.h. */
#include "solve/schemes/scheme_cuda.h"
#include "solve/schemes/scheme_row.h"

enum { BLOCK = 256 };

/* Minimum number of blocks per multiprocessor, which limits the registers of a thread; 0: default of the compiler. PUSH
 * and the odd step of AA hold 19 populations and 18 neighbours at once. With heat they hold seven more populations, and
 * such a limit would move registers to memory. */
static constexpr int blocks_held(int addressing, int propagation, int part, bool heat) {
    const bool keeps =
        (propagation == SCHEME_PUSH && addressing != SCHEME_CYCLIC) || (propagation == SCHEME_AA && part == 1);
    return keeps && !heat && sizeof(real) == 4 ? 3 : 0;
}

template <int ADDRESSING, int LAYOUT, int PROPAGATION, int WALL, int PART, bool HEAT>
static __global__ void __launch_bounds__(BLOCK, blocks_held(ADDRESSING, PROPAGATION, PART, HEAT))
    scheme_kernel(const scheme_grid g, const real *from, real *to, const scheme_rates r, int64_t n) {
    const int64_t thread = blockIdx.x * (int64_t)BLOCK + threadIdx.x;
    if (thread < n)
        scheme_thread(&g, from, to, &r, thread, PART, ADDRESSING, LAYOUT, PROPAGATION, WALL, HEAT);
}

/* rinaldi2012: one block per x-row, one thread per cell, the row's populations in shared memory. */
static __global__ void scheme_row_kernel(const scheme_grid g, const real *from, real *to, const collide_rates r) {
    extern __shared__ unsigned char row_memory[];
    real *shared = (real *)row_memory;
    const int64_t row = blockIdx.x;
    const int32_t lane = (int32_t)threadIdx.x;
    scheme_row_load(&g, from, row, lane, shared);
    __syncthreads();
    scheme_row_collide(&g, &r, row, lane, shared);
    __syncthreads();
    scheme_row_store(&g, to, row, lane, shared);
}

static cudaError_t launch_rows(const scheme_state *s, const scheme_pass *p, const scheme_rates &r,
                               cudaStream_t stream) {
    const size_t bytes = 19 * (size_t)s->grid.nx * sizeof(real);
    const cudaError_t error =
        cudaFuncSetAttribute(scheme_row_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    scheme_row_kernel<<<(unsigned)(s->grid.ny * s->grid.nz), (unsigned)s->grid.nx, bytes, stream>>>(
        s->grid, (const real *)p->from, (real *)p->to, r.flow);
    return cudaGetLastError();
}

template <int ADDRESSING, int LAYOUT, int PROPAGATION, int WALL, bool HEAT>
static cudaError_t launch_pass(const scheme_state *s, const scheme_pass *p, const scheme_rates &r,
                               cudaStream_t stream) {
    const int64_t n = scheme_threads(s);
    const unsigned blocks = (unsigned)((n + BLOCK - 1) / BLOCK);
    const real *from = (const real *)p->from;
    real *to = (real *)p->to;
    constexpr bool two = PROPAGATION == SCHEME_AA || PROPAGATION == SCHEME_TWO;
    if constexpr (PROPAGATION == SCHEME_SHARED)
        return launch_rows(s, p, r, stream);
    else if (two && p->part == 1)
        scheme_kernel<ADDRESSING, LAYOUT, PROPAGATION, WALL, two, HEAT>
            <<<blocks, BLOCK, 0, stream>>>(s->grid, from, to, r, n);
    else
        scheme_kernel<ADDRESSING, LAYOUT, PROPAGATION, WALL, 0, HEAT>
            <<<blocks, BLOCK, 0, stream>>>(s->grid, from, to, r, n);
    return cudaGetLastError();
}

/* PARTIAL: wall rule that the scheme has besides SCHEME_BOUNCE; SCHEME_BOUNCE for a scheme without another rule. */
template <int ADDRESSING, int LAYOUT, int PROPAGATION, int PARTIAL>
static cudaError_t launch_any(const scheme_state *s, const scheme_pass *p, const scheme_rates &r, cudaStream_t stream) {
    if (ADDRESSING != SCHEME_DENSE && s->heat)
        return launch_pass<ADDRESSING, LAYOUT, PROPAGATION, SCHEME_BOUNCE, ADDRESSING != SCHEME_DENSE>(s, p, r, stream);
    if (s->wall == SCHEME_BOUNCE)
        return launch_pass<ADDRESSING, LAYOUT, PROPAGATION, SCHEME_BOUNCE, false>(s, p, r, stream);
    return launch_pass<ADDRESSING, LAYOUT, PROPAGATION, PARTIAL, false>(s, p, r, stream);
}

#define LAUNCH(id, name, addressing, layout, propagation, partial, who)                                                \
    case SCHEME_##id:                                                                                                  \
        return launch_any < SCHEME_##addressing, SCHEME_##layout, SCHEME_##propagation,                                \
               (partial) ? SCHEME_PARTIAL : SCHEME_BOUNCE > (s, p, r, stream);
static cudaError_t launch_scheme(const scheme_state *s, const scheme_pass *p, const scheme_rates &r,
                                 cudaStream_t stream) {
    switch (s->id) {
        SCHEME_LIST_OF_ALL(LAUNCH)
    default:
        return cudaErrorInvalidValue;
    }
}
#undef LAUNCH

static cudaError_t step_enqueue(scheme_state *s, cudaStream_t stream) {
    const scheme_rates r = scheme_rates_of(&s->physics);
    scheme_pass pass[2];
    const int passes = scheme_next(s, pass);
    cudaError_t error = cudaSuccess;
    for (int k = 0; k < passes && error == cudaSuccess; k++)
        error = launch_scheme(s, &pass[k], r, stream);
    return error;
}
