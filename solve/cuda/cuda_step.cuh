/* SPDX-License-Identifier: Apache-2.0 */
/* The step: fetch, complete cut links, collide, write. Included by one file per stored type. */
#ifndef PORTAFLOW_CUDA_STEP_CUH
#define PORTAFLOW_CUDA_STEP_CUH
#include "solve/cuda/cuda_heat.cuh"

/* Completes f before the collision. WALL: the domain has walls with q != 1/2. PARTIAL: it has partially solid links. */
template <class place_t, bool WALL, bool PARTIAL>
DEVICE_FN void group_arrive(const cuda_args &s, const group &g, group_buffer *t, real f[LATTICE_Q]) {
    if (HEAT)
        heat_walls_arrive<place_t>(s, g, t, f + HEAT * 19);
    if (WALL && group_links(g))
        walls_arrive<place_t>(s, g, t, f);
    if (PARTIAL && group_partials(g))
        partials_arrive<place_t>(s, g, t, f);
}

/* As group_arrive, for a group with openings. Openings are completed first, because a wall link may need a value that
 * entered through an opening. */
template <class place_t, bool WALL, bool PARTIAL>
DEVICE_FN void special_arrive(const cuda_args &s, const group &g, const passages &all, group_buffer *t,
                              real f[LATTICE_Q]) {
    if (HEAT) {
        heat_openings_arrive(s, all, g.lane, f + HEAT * 19);
        heat_walls_arrive<place_t>(s, g, t, f + HEAT * 19);
    }
    if (g.tail.y & PACK_THROUGH)
        openings_arrive(s, g, all, false, t, f);
    if (WALL && group_links(g))
        walls_arrive<place_t>(s, g, t, f);
    if (g.tail.y & PACK_MOVING)
        openings_arrive(s, g, all, true, t, f);
    if (PARTIAL && group_partials(g))
        partials_arrive<place_t>(s, g, t, f);
}

/* cell: counted from cuda_args.first; drag: of the cell (drag_of). */
template <bool FORCED, bool REGULARIZED>
DEVICE_FN void group_collide(const cuda_args &s, uint32_t cell, real drag, real f[LATTICE_Q]) {
    real advection[3];
    advection_at(s, cell, advection);
    if (HEAT) {
        const collide_rates r = rates_of(s, 1, 0);
        const heat_rates h = heat_rates_of(s);
        heat_collide_cell(f, f + HEAT * 19, &r, &h, REGULARIZED);
        return;
    }
    if (SHEAR) {
        const collide_rates common = rates_of(s, UNIT, 0);
        shear_collide(f, (const shear_segment *)s.viscosity, &common, REGULARIZED, FORCED, advection);
        return;
    }
    const collide_rates r = POROUS ? rates_with(s, UNIT, f, REGULARIZED, drag, advection) : rates_of(s, UNIT, 0);
#if LATTICE_Q == 27
    const cumulant_rates k = {(real)s.cumulant.third_sum, (real)s.cumulant.third_difference,
                              (real)s.cumulant.third_product, (real)s.cumulant.a, (real)s.cumulant.b};
    if (POROUS)
        porous_collide(f, drag, &r, &k, advection);
    else
        cumulant_collide(f, &r, &k, FORCED, advection);
    return;
#endif
    if (REGULARIZED)
        collide_regularized(f, &r, (real)(1 / UNIT), FORCED);
    else
        collide_scaled(f, &r, (real)(1 / UNIT), FORCED);
}

template <class place_t> DEVICE_FN void group_leave(const cuda_args &s, const group &g, const real f[LATTICE_Q]) {
    stored *to = (stored *)s.to + place<place_t>(g.number * 32u + (uint32_t)g.lane);
#pragma unroll
    for (int b = 0; b < POPULATIONS; b++)
        value_leave(to + b * BLOCK_CELLS, f[b]);
}

/* Step of a group with openings. It is a separate branch of the kernel, which saves registers in ordinary groups. It is
 * inlined, because after a function call every memory access takes three instructions. */
template <class place_t, bool WALL, bool PARTIAL, bool SITE, bool FORCED, bool REGULARIZED>
DEVICE_FN void step_special(const cuda_args &s, const pack_opened *opened, group_buffer *t) {
    const int lane = threadIdx.x & 31;
    const passages all = passages_of(s, opened, lane);
    group g = group_of(s, opened->group - s.first, lane);
    real f[POPULATIONS];
    if (lane == 0 && !(all.head.opening & PACK_PRESSURE))
        prefetch(all.head.weight, 128u * (1 + s.n_pulse) * (uint32_t)__popc(all.head.dirs));
    if (!WALL)
        passages_each(s, all, lane, [&](const passage &p, uint32_t) { g.opened |= p.in; });
    group_fetch<place_t, WALL, PARTIAL>(s, g, f);
    special_arrive<place_t, WALL, PARTIAL>(s, g, all, t, f);
    if (SITE)
        on_site_arrive(s, all, lane, t, f, [&](uint32_t, double entered) {
            atomicAdd(s.entered + 32 * (size_t)all.number + lane, entered / UNIT);
        });
    opening_links links;
    const uint32_t cell = g.number * 32u + (uint32_t)lane;
    openings_prepare(s, all, cell, lane, REGULARIZED, t, f, &links);
    group_collide<FORCED, REGULARIZED>(s, cell, drag_of(s, cell), f);
    openings_leave(s, all, &links, lane, t, f);
    if (HEAT)
        heat_openings_leave(s, all, lane, f + HEAT * 19);
    group_leave<place_t>(s, g, f);
}

template <class place_t, bool WALL, bool PARTIAL, bool FORCED, bool REGULARIZED>
DEVICE_FN void step_group(const cuda_args &s, uint32_t number, group_buffer *t) {
    group g = group_of(s, number, threadIdx.x & 31);
    real f[POPULATIONS];
    group_prefetch(s, number, g.lane);
    if (g.tail.y & (PACK_THROUGH | PACK_MOVING)) /* handled by step_special */
        return;
    group_fetch<place_t, WALL, PARTIAL>(s, g, f);
    group_arrive<place_t, WALL, PARTIAL>(s, g, t, f);
    const uint32_t cell = number * 32u + (uint32_t)g.lane;
    group_collide<FORCED, REGULARIZED>(s, cell, drag_of(s, cell), f);
    group_leave<place_t>(s, g, f);
}

/* Number of the first warp that runs step_group. The warps before it compute groups with openings: n_opened, rounded up
 * to whole blocks. */
static __host__ __device__ uint32_t step_first(uint32_t n_opened) {
    return (n_opened + CUDA_BLOCK / 32 - 1) / (CUDA_BLOCK / 32) * (CUDA_BLOCK / 32);
}

template <class place_t, bool WALL, bool PARTIAL, bool SITE, bool FORCED, bool REGULARIZED>
__global__ void __launch_bounds__(CUDA_BLOCK, STEP_BLOCKS) step_kernel(const __grid_constant__ cuda_args s) {
    __shared__ group_buffer t[CUDA_BLOCK / 32];
    const uint32_t warp = blockIdx.x * (CUDA_BLOCK / 32) + (threadIdx.x >> 5), first = step_first(s.n_opened);
    next_may_start();
    if (warp < s.n_opened)
        step_special<place_t, WALL, PARTIAL, SITE, FORCED, REGULARIZED>(s, s.opened + warp, t + (threadIdx.x >> 5));
    else if (warp >= first && warp - first < s.end - s.begin)
        step_group<place_t, WALL, PARTIAL, FORCED, REGULARIZED>(
            s, s.backward ? s.end - 1 - (warp - first) : s.begin + (warp - first), t + (threadIdx.x >> 5));
}

static unsigned step_blocks(const cuda_args *a) {
    return (step_first(a->n_opened) + a->end - a->begin + CUDA_BLOCK / 32 - 1) / (CUDA_BLOCK / 32);
}

static unsigned blocks_of(const cuda_args *a) {
    return (a->end - a->begin + CUDA_BLOCK / 32 - 1) / (CUDA_BLOCK / 32);
}

/* Launches a step. With overlap, the step may start while the previous launch still runs; its warps then wait in
 * group_fetch. */
static cudaError_t step_start(void (*kernel)(cuda_args), const cuda_args *a, cudaStream_t stream) {
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t launch = {};
    launch.gridDim = step_blocks(a);
    launch.blockDim = CUDA_BLOCK;
    launch.stream = stream;
    launch.attrs = &early;
    launch.numAttrs = a->overlap;
    return cudaLaunchKernelEx(&launch, kernel, *a);
}

template <class place_t, bool WALL, bool PARTIAL, bool SITE>
static cudaError_t step_launch(const cuda_args *a, cudaStream_t stream) {
    if (a->forced && a->regularized)
        return step_start(step_kernel<place_t, WALL, PARTIAL, SITE, true, true>, a, stream);
    if (a->forced)
        return step_start(step_kernel<place_t, WALL, PARTIAL, SITE, true, false>, a, stream);
    if (a->regularized)
        return step_start(step_kernel<place_t, WALL, PARTIAL, SITE, false, true>, a, stream);
    return step_start(step_kernel<place_t, WALL, PARTIAL, SITE, false, false>, a, stream);
}

/* True if 32 bits hold all places of the launch and of one more block. */
static bool places_narrow(const cuda_args *a) {
    return (double)POPULATIONS * (32.0 * a->span + 64.0) < 4294967296.0;
}

/* Launches a step with heat, always with a force and never with partially solid cells. */
template <class place_t, bool SITE> static cudaError_t step_launch_heat(const cuda_args *a, cudaStream_t stream) {
    if (a->regularized)
        return step_start(step_kernel<place_t, true, false, SITE, true, true>, a, stream);
    return step_start(step_kernel<place_t, true, false, SITE, true, false>, a, stream);
}

/* Launches a step on D3Q27, which has neither partially solid cells nor on-site openings. */
template <class place_t> static cudaError_t step_launch_corners(const cuda_args *a, cudaStream_t stream) {
    if (a->forced)
        return step_start(step_kernel<place_t, true, false, false, true, false>, a, stream);
    return step_start(step_kernel<place_t, true, false, false, false, false>, a, stream);
}

/* Launches a step with shear-thinning blood or porous regions, always with a force and never with on-site openings.
 * Partially solid cells: with porous regions only. */
template <class place_t> static cudaError_t step_launch_local(const cuda_args *a, cudaStream_t stream) {
    if constexpr (POROUS && !CORNERS) {
        if (a->partials && a->regularized)
            return step_start(step_kernel<place_t, false, true, false, true, true>, a, stream);
        if (a->partials)
            return step_start(step_kernel<place_t, false, true, false, true, false>, a, stream);
    }
    if (!CORNERS && a->regularized)
        return step_start(step_kernel<place_t, true, false, false, true, !CORNERS>, a, stream);
    return step_start(step_kernel<place_t, true, false, false, true, false>, a, stream);
}

template <bool WARM, bool CUMULANT, bool LOCAL> static cudaError_t step_any(const cuda_args *a, cudaStream_t stream) {
    if constexpr (LOCAL) {
        return places_narrow(a) ? step_launch_local<uint32_t>(a, stream) : step_launch_local<uint64_t>(a, stream);
    } else if constexpr (WARM) {
        if (!places_narrow(a))
            return step_launch_heat<uint64_t, true>(a, stream);
        return a->on_site ? step_launch_heat<uint32_t, true>(a, stream) : step_launch_heat<uint32_t, false>(a, stream);
    } else if constexpr (CUMULANT) {
        return places_narrow(a) ? step_launch_corners<uint32_t>(a, stream) : step_launch_corners<uint64_t>(a, stream);
    } else {
        if (places_narrow(a) && a->partials)
            return step_launch<uint32_t, false, true, false>(a, stream);
        if (places_narrow(a) && a->on_site)
            return step_launch<uint32_t, true, false, true>(a, stream);
        if (places_narrow(a))
            return step_launch<uint32_t, true, false, false>(a, stream);
        if (a->regularized) /* lattices that need 64-bit indices are rare, so only two kernels are compiled for them */
            return step_start(step_kernel<uint64_t, true, true, true, true, true>, a, stream);
        return step_start(step_kernel<uint64_t, true, true, true, true, false>, a, stream);
    }
}

static cudaError_t step(const cuda_args *a, cudaStream_t stream) {
    return step_any < HEAT, CORNERS, SHEAR || POROUS > (a, stream);
}
#endif
