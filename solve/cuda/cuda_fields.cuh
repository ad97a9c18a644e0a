/* SPDX-License-Identifier: Apache-2.0 */
/* Output kernels: sums for the monitor, moments, and the slots of a checkpoint. Included by one file per type. */
#ifndef PORTAFLOW_CUDA_FIELDS_CUH
#define PORTAFLOW_CUDA_FIELDS_CUH
#include "solve/cuda/cuda_step.cuh"

/* at: the cell, counted from cuda_args.first. */
DEVICE_FN moments lane_moments(const cuda_args &s, uint32_t at, const real f[LATTICE_Q], bool stress) {
    real advection[3];
    advection_at(s, at, advection);
    const collide_rates r = rates_with(s, 1, f, s.regularized, drag_of(s, at), advection);
    moments m;
    real h[LATTICE_Q];
#pragma unroll
    for (int a = 0; a < LATTICE_Q; a++)
        h[a] = f[a] * (real)(1 / UNIT);
    moments_velocity(h, &r, &m);
    if (stress)
        moments_stress(h, &r, advection, &m);
    return m;
}

/* --- monitor ----------------------------------------------------------------------------------------------------- */

struct lane_sums {
    exact_sum change, square, mass, entered;
    double fastest, bad_cell;
};
static_assert(sizeof(lane_sums) == sizeof(cuda_sums), "lane_sums and cuda_sums have the same layout");
#define NO_SUMS (lane_sums{{}, {}, {}, {}, 0, INFINITY})

DEVICE_FN void sums_join(lane_sums *a, const lane_sums &b) {
    exact_sum_join(&a->change, &b.change);
    exact_sum_join(&a->square, &b.square);
    exact_sum_join(&a->mass, &b.mass);
    exact_sum_join(&a->entered, &b.entered);
    a->fastest = fmax(a->fastest, b.fastest);
    a->bad_cell = fmin(a->bad_cell, b.bad_cell);
}

DEVICE_FN double fluid_of(const cuda_monitor_args &m, uint32_t cell) {
    return m.fluid ? m.fluid[cell] / 512.0 : 1.0;
}

DEVICE_FN void cell_add(const cuda_args &s, const cuda_monitor_args &m, uint32_t cell, const moments &v, lane_sums *a) {
    double change = 0, square = 0;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        float *old = m.velocity_old + (size_t)k * s.cells + cell;
        const double u = (double)v.u[k], difference = u - *old;
        *old = (float)v.u[k];
        change += difference * difference;
        square += u * u;
    }
    if (CORNERS)
        m.density_old[cell] = (float)v.density;
    const bool good = square < 0.25 && isfinite((double)v.density);
    exact_sum_add(&a->change, change);
    exact_sum_add(&a->square, square);
    exact_sum_add(&a->mass, v.density * fluid_of(m, cell));
    a->fastest = fmax(a->fastest, square);
    a->bad_cell = fmin(a->bad_cell, good ? INFINITY : (double)cell);
}

/* Mass that enters through pressure openings in this step, summed over the links of this lane. f, after: populations
 * before and after the collision. */
DEVICE_FN double pressures_inflow(const cuda_args &s, const collide_rates &r, const passage &p,
                                  const opening_cell &cell, group_buffer *t, int lane, const real f[LATTICE_Q],
                                  const real after[LATTICE_Q]) {
    double inflow = 0;
    column_give(t, lane, f);
    pressures_each(s, r, p, cell, s.regularized, t, lane, [&](int, real slot) { inflow += (double)slot / UNIT; });
    column_give(t, lane, after);
    directions_each(p.dirs, [&](int a) {
        inflow -= p.in >> a & 1u ? (double)column(t, lane, velocity_set_opposite(a)) / UNIT : 0.0;
    });
    return inflow;
}

/* Sum of link_push over the links of this lane, for cuda_special.density. f, after: populations before and after the
 * collision. */
DEVICE_FN double passage_push(const cuda_args &s, const passage &p, const opening_cell &cell, group_buffer *t, int lane,
                              const real f[LATTICE_Q], const real after[LATTICE_Q]) {
    const uint32_t k = p.opening & PACK_OPENING;
    const real normal[3] = {(real)s.normal[3 * k], (real)s.normal[3 * k + 1], (real)s.normal[3 * k + 2]};
    const bool through = p.opening & PACK_FLOW && !(p.opening & PACK_SITE);
    real arrived[LATTICE_Q];
    double push = 0;
    column_give(t, lane, f);
    directions_each(p.dirs, [&](int a) { arrived[a] = column(t, lane, a); });
    column_give(t, lane, after);
    directions_each(p.dirs, [&](int a) {
        const real leaving = column(t, lane, velocity_set_opposite(a));
        if (p.in >> a & 1u)
            push += through ? (double)link_push(a, arrived[a] * (real)(1 / UNIT), leaving * (real)(1 / UNIT), normal)
                            : (double)link_share(a, normal) * (double)cell.density;
    });
    return push;
}

/* Stores flow and density sums of the openings, over the links of this lane, in m.special. Returns the mass that
 * entered since the last monitor. */
DEVICE_FN double openings_add(const cuda_args &s, const cuda_monitor_args &m, const group &g, const passages &all,
                              group_buffer *t, const real f[LATTICE_Q]) {
    const uint32_t number = g.number * 32u + (uint32_t)g.lane;
    real advection[3];
    advection_at(s, number, advection);
    const collide_rates r = rates_with(s, 1, f, s.regularized, 0, advection);
    const opening_cell cell = cell_of(r, f);
    const double fluid = number < s.n_cell ? fluid_of(m, number) : 0;
    real after[POPULATIONS];
#pragma unroll
    for (int a = 0; a < POPULATIONS; a++)
        after[a] = f[a];
    if (!CORNERS && s.regularized)
        group_collide<true, true>(s, number, 0, after);
    else
        group_collide<true, false>(s, number, 0, after);
    double *entered = s.entered + 32 * (size_t)all.number + g.lane, came = *entered;
    passages_each(s, all, g.lane, [&](const passage &p, uint32_t n) {
        double inflow = 0;
        if (p.opening & PACK_PRESSURE)
            inflow = pressures_inflow(s, r, p, cell, t, g.lane, f, after);
        else if (!(p.opening & PACK_SITE))
            inflows_each(s, p, [&](int, double each) { inflow += each; });
        cuda_special *to = m.special + 32 * (size_t)(all.first + n) + g.lane;
        if (p.opening & PACK_SITE) /* on_site_add has set the flow of on-site openings */
            inflow = to->flow;
        *to = cuda_special{fluid * inflow, passage_push(s, p, cell, t, g.lane, f, after)};
    });
    *entered = 0;
    return fluid * came;
}

/* Stores the mass that enters through the on-site links of this lane. This mass is known only when the populations of
 * these links arrive. */
DEVICE_FN void on_site_add(const cuda_args &s, const cuda_monitor_args &m, const passages &all, int lane,
                           group_buffer *t, real f[LATTICE_Q]) {
    on_site_arrive(s, all, lane, t, f, [&](uint32_t n, double entered) {
        m.special[32 * (size_t)(all.first + n) + lane].flow = entered / UNIT;
    });
}

DEVICE_FN exact_sum sum_from(const exact_sum &s, int step) {
    exact_sum out;
    for (int k = 0; k < 3; k++)
        out.part[k] = __shfl_down_sync(0xffffffffu, s.part[k], step);
    return out;
}

/* Sets *out to the sums over the threads of a block. */
DEVICE_FN void block_sum(lane_sums a, cuda_sums *out) {
    __shared__ lane_sums part[CUDA_BLOCK / 32];
    for (int step = 16; step > 0; step >>= 1)
        sums_join(&a, lane_sums{sum_from(a.change, step), sum_from(a.square, step), sum_from(a.mass, step),
                                sum_from(a.entered, step), __shfl_down_sync(0xffffffffu, a.fastest, step),
                                __shfl_down_sync(0xffffffffu, a.bad_cell, step)});
    if ((threadIdx.x & 31) == 0)
        part[threadIdx.x >> 5] = a;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    a = NO_SUMS;
    for (int w = 0; w < CUDA_BLOCK / 32; w++)
        sums_join(&a, part[w]);
    *(lane_sums *)out = a;
}

template <class place_t>
__global__ void __launch_bounds__(CUDA_BLOCK) monitor_kernel(const cuda_args s, const cuda_monitor_args m) {
    __shared__ group_buffer buffers[CUDA_BLOCK / 32];
    group_buffer *t = buffers + (threadIdx.x >> 5);
    const int lane = threadIdx.x & 31;
    lane_sums a = NO_SUMS;
    heat_lane heat = {};
    for (uint32_t n = blockIdx.x * (CUDA_BLOCK / 32) + (threadIdx.x >> 5); n < s.n_group;
         n += gridDim.x * (CUDA_BLOCK / 32)) {
        group g = group_of(s, n, lane);
        real f[POPULATIONS];
        group_fetch<place_t, true, true>(s, g, f);
        const bool special = g.tail.y & (PACK_THROUGH | PACK_MOVING);
        const passages all = special ? passages_of(s, g) : passages{};
        special_arrive<place_t, true, true>(s, g, all, t, f);
        if (special)
            on_site_add(s, m, all, lane, t, f);
        const moments v = lane_moments(s, n * 32u + lane, f, false);
        if (n * 32u + lane < s.n_cell)
            cell_add(s, m, n * 32u + lane, v, &a);
        if (HEAT) {
            if (n * 32u + lane < s.n_cell)
                heat_cell_add(m, n * 32u + lane, f, &heat, &a.bad_cell);
            heat_flux_add(s, m, g, special ? &all : NULL, t, f);
        }
        if (special)
            exact_sum_add(&a.entered, openings_add(s, m, g, all, t, f));
    }
    if (HEAT)
        heat_sums_add(m, lane, heat);
    block_sum(a, m.sums + blockIdx.x);
}

static cudaError_t monitor(const cuda_args *a, const cuda_monitor_args *m, cudaStream_t stream) {
    if (places_narrow(a))
        monitor_kernel<uint32_t><<<m->blocks, CUDA_BLOCK, 0, stream>>>(*a, *m);
    else
        monitor_kernel<uint64_t><<<m->blocks, CUDA_BLOCK, 0, stream>>>(*a, *m);
    return cudaGetLastError();
}

/* --- advection correction ---------------------------------------------------------------------------------------- */

/* Number of the cell of a place of group_places, counted from cuda_args.first; inverse of `place`. */
template <class place_t> DEVICE_FN uint32_t cell_of_place(place_t at) {
    const place_t block = POPULATIONS * BLOCK_CELLS;
    return (uint32_t)(at / block) * BLOCK_CELLS + (uint32_t)(at % block) - BLOCK_CELLS;
}

/* Axes of the links of a lane that go through openings or to moving walls; bit k: axis k. */
DEVICE_FN uint32_t opened_axes(const cuda_args &s, const group &g) {
    uint32_t in = 0;
    if (g.tail.y & (PACK_THROUGH | PACK_MOVING))
        passages_each(s, passages_of(s, g), g.lane, [&](const passage &p, uint32_t) { in |= p.in; });
    return (in >> 1 & 3u ? 1u : 0u) | (in >> 3 & 3u ? 2u : 0u) | (in >> 5 & 3u ? 4u : 0u);
}

template <class place_t>
__global__ void __launch_bounds__(CUDA_BLOCK) advection_kernel(const cuda_args s, const cuda_monitor_args m) {
    const uint32_t n = blockIdx.x * (CUDA_BLOCK / 32) + (threadIdx.x >> 5);
    if (n >= s.end - s.begin)
        return;
    const group g = group_of(s, s.begin + n, threadIdx.x & 31);
    const uint32_t own = g.number * 32u + (uint32_t)g.lane, axes = opened_axes(s, g);
    place_t at[LATTICE_Q];
    const uint32_t cut = group_places<place_t>(s, g, at);
    if (own >= s.n_cell)
        return;
    const float rho = m.density_old[own];
    uint16_t *to = (uint16_t *)s.advection;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        const float *u = m.velocity_old + (size_t)k * s.cells;
        float flux[2]; /* of x + e_k and of x - e_k */
#pragma unroll
        for (int way = 0; way < 2; way++) {
            const int b = 2 * k + 1 + way;
            const uint32_t beside = cut >> b & 1u ? own : cell_of_place(at[b]);
            flux[way] = advection_flux(m.density_old[beside], cut >> b & 1u ? 0.0f : u[beside]);
        }
        const float value = advection_of(flux[1], advection_flux(rho, u[own]), flux[0]);
        uint16_t *stored = to + advection_place(own) + 32 * k;
        *stored = axes >> k & 1u ? (uint16_t)0 : advection_update(*stored, value, m.advection_rate);
    }
}

template <bool CUMULANT>
static cudaError_t advection_any(const cuda_args *a, const cuda_monitor_args *m, cudaStream_t stream) {
    if constexpr (CUMULANT) {
        if (places_narrow(a))
            advection_kernel<uint32_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, *m);
        else
            advection_kernel<uint64_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, *m);
    }
    return cudaGetLastError();
}

static cudaError_t advection(const cuda_args *a, const cuda_monitor_args *m, cudaStream_t stream) {
    return advection_any<CORNERS>(a, m, stream);
}

/* --- moments ----------------------------------------------------------------------------------------------------- */

/* Number of output columns, one per lane, of the groups of a launch. */
DEVICE_FN size_t group_columns(const cuda_args &s) {
    return (size_t)(s.end - s.begin) * 32;
}

/* Head of a kernel: assigns one warp to each group of the range `begin .. end - 1`. */
#define EACH_GROUP                                                                                                     \
    __shared__ group_buffer buffers[CUDA_BLOCK / 32];                                                                  \
    group_buffer *t = buffers + (threadIdx.x >> 5);                                                                    \
    const int lane = threadIdx.x & 31;                                                                                 \
    const uint32_t warp = blockIdx.x * (CUDA_BLOCK / 32) + (threadIdx.x >> 5);                                         \
    if (warp >= s.end - s.begin)                                                                                       \
        return;                                                                                                        \
    group g = group_of(s, s.begin + warp, lane)

template <class place_t> __global__ void __launch_bounds__(CUDA_BLOCK) moments_kernel(const cuda_args s, float *out) {
    EACH_GROUP;
    const size_t width = group_columns(s), column = warp * 32u + lane;
    const bool special = g.tail.y & (PACK_THROUGH | PACK_MOVING);
    real f[POPULATIONS];
    group_fetch<place_t, true, true>(s, g, f);
    const passages all = special ? passages_of(s, g) : passages{};
    special_arrive<place_t, true, true>(s, g, all, t, f);
    if (special)
        on_site_arrive(s, all, lane, t, f, [](uint32_t, double) {});
    const moments m = lane_moments(s, g.number * 32u + lane, f, true);
    out[column] = (float)m.density;
    for (int k = 0; k < 3; k++)
        out[(1 + k) * width + column] = (float)m.u[k];
    for (int k = 0; k < 6; k++)
        out[(4 + k) * width + column] = (float)m.stress[k];
}

static cudaError_t moments_of(const cuda_args *a, float *out, cudaStream_t stream) {
    if (places_narrow(a))
        moments_kernel<uint32_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, out);
    else
        moments_kernel<uint64_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, out);
    return cudaGetLastError();
}

/* Writes theta and its gradient to out [4][width]. */
template <class place_t>
__global__ void __launch_bounds__(CUDA_BLOCK) temperature_kernel(const cuda_args s, float *out) {
    EACH_GROUP;
    const size_t width = group_columns(s), column = warp * 32u + lane;
    const bool special = g.tail.y & (PACK_THROUGH | PACK_MOVING);
    const heat_rates h = heat_rates_of(s);
    real f[POPULATIONS];
    group_fetch<place_t, true, true>(s, g, f);
    const passages all = special ? passages_of(s, g) : passages{};
    special_arrive<place_t, true, true>(s, g, all, t, f);
    const moments m = lane_moments(s, g.number * 32u + lane, f, false);
    const real *warm = f + HEAT * 19, theta = theta_of(f);
    out[column] = (float)theta;
#pragma unroll
    for (int k = 0; k < 3; k++)
        out[(1 + k) * width + column] = (float)heat_gradient(warm[1 + 2 * k], warm[2 + 2 * k], theta, m.u[k], &h);
}

template <bool WARM> static cudaError_t temperature_any(const cuda_args *a, float *out, cudaStream_t stream) {
    if constexpr (WARM) {
        if (places_narrow(a))
            temperature_kernel<uint32_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, out);
        else
            temperature_kernel<uint64_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, out);
    }
    return cudaGetLastError();
}

static cudaError_t temperature(const cuda_args *a, float *out, cudaStream_t stream) {
    return temperature_any<HEAT>(a, out, stream);
}

/* --- slots ------------------------------------------------------------------------------------------------------- */

/* Converts fetched populations f to the slots of a checkpoint. At a wall, a checkpoint holds A f_i' + B f_a'
 * (solve/BOUNDARY_LINKS.md, eq. 1), while the GPU holds f_i'. */
template <class place_t>
DEVICE_FN void walls_to_slots(const cuda_args &s, const group &g, group_buffer *t, real f[LATTICE_Q]) {
    buffer_give(t, g.lane, f);
    links_each<place_t>(s, g, [&](const wall_link &k) {
        real *slot = &t->f[velocity_set_opposite(link_dir(k.word)) - 1][link_lane(k.word)];
        if (link_q(k.word) != (real)0.5)
            *slot = link_slot(wall_coefficients(k.word, k.behind), *slot, k.back);
    });
    buffer_take(t, g.lane, f);
}

template <class place_t>
__global__ void __launch_bounds__(CUDA_BLOCK) slots_read_kernel(const cuda_args s, stored *slots, stored *kept) {
    EACH_GROUP;
    const size_t width = group_columns(s), column = warp * 32u + lane;
    const stored *pop = (const stored *)s.from;
    real f[POPULATIONS];
    group_fetch<place_t, true, false>(s, g, f);
    if (group_links(g))
        walls_to_slots<place_t>(s, g, t, f);
    if (group_warms(g))
        heat_to_slots<place_t>(s, g, t, f + HEAT * 19);
#pragma unroll
    for (int a = 0; a < POPULATIONS; a++)
        value_set(slots + a * width + column, f[a]);
    for (int n = lane; n < group_partials(g); n += 32) {
        const uint32_t word = s.partial[g.tail.z + n];
        const real own = value_of(partial_kept<place_t>(pop, g, word));
        value_set(kept + g.tail.z + n, link_partial_leave(partial_theta(word), own));
    }
}

template <class place_t>
__global__ void __launch_bounds__(CUDA_BLOCK) slots_write_kernel(const cuda_args s, const stored *slots) {
    EACH_GROUP;
    const size_t width = group_columns(s), column = warp * 32u + lane;
    stored *pop = (stored *)s.to;
    place_t at[LATTICE_Q];
    (void)t;
    group_places<place_t>(s, g, at);
    for (int b = 0; b < LATTICE_Q; b++)
        pop[(group_opposite(b) - POPULATIONS) * BLOCK_CELLS + (ptrdiff_t)at[b]] =
            slots[group_opposite(b) * width + column];
    for (int b = 0; b < HEAT * 7; b++)
        pop[(19 + group_opposite(b) - POPULATIONS) * BLOCK_CELLS + (ptrdiff_t)at[b]] =
            slots[(19 + group_opposite(b)) * width + column];
}

/* Recovers f_i' from the slots that slots_write has stored. */
template <class place_t> __global__ void __launch_bounds__(CUDA_BLOCK) slots_mend_kernel(const cuda_args s) {
    EACH_GROUP;
    stored *own = (stored *)s.to + place<place_t>(g.number * 32u + (uint32_t)lane);
    real f[LATTICE_Q];
    if (HEAT)
        heat_slots_mend(s, g, t, own);
    if (!group_links(g))
        return;
#pragma unroll
    for (int b = 0; b < LATTICE_Q; b++)
        f[b] = value_of(value_fetch(own + b * BLOCK_CELLS));
    buffer_give(t, lane, f);
    for (int n = lane; n < group_links(g); n += 32) {
        const uint32_t word = s.link[g.tail.x + n];
        const uint32_t behind = CORNERS ? s.behind[g.tail.x + n] : PACK_NO_CELL;
        real *leaves = &t->f[link_dir(word) - 1][link_lane(word)];
        const real back = link_far(word) ? t->f[velocity_set_opposite(link_dir(word)) - 1][link_lane(word)] : (real)0;
        if (link_q(word) != (real)0.5)
            *leaves = link_own(wall_coefficients(word, behind), *leaves, back);
    }
    __syncwarp();
#pragma unroll
    for (int b = 1; b < LATTICE_Q; b++) {
        const real leaves = t->f[b - 1][lane];
        if (leaves != f[b])
            value_set(own + b * BLOCK_CELLS, leaves);
    }
}

static cudaError_t slots_read(const cuda_args *a, void *slots, void *kept, cudaStream_t stream) {
    if (places_narrow(a))
        slots_read_kernel<uint32_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, (stored *)slots, (stored *)kept);
    else
        slots_read_kernel<uint64_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, (stored *)slots, (stored *)kept);
    return cudaGetLastError();
}

static cudaError_t slots_write(const cuda_args *a, const void *slots, cudaStream_t stream) {
    if (places_narrow(a))
        slots_write_kernel<uint32_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, (const stored *)slots);
    else
        slots_write_kernel<uint64_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a, (const stored *)slots);
    return cudaGetLastError();
}

static cudaError_t slots_mend(const cuda_args *a, cudaStream_t stream) {
    if (places_narrow(a))
        slots_mend_kernel<uint32_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a);
    else
        slots_mend_kernel<uint64_t><<<blocks_of(a), CUDA_BLOCK, 0, stream>>>(*a);
    return cudaGetLastError();
}

static __global__ void __launch_bounds__(CUDA_BLOCK) combine_kernel(stored *to, const cuda_combination m) {
    const size_t threads = (size_t)gridDim.x * CUDA_BLOCK;
    for (size_t k = (size_t)blockIdx.x * CUDA_BLOCK + threadIdx.x; k < m.n; k += threads) {
        double sum = 0;
#pragma unroll
        for (int p = 0; p < BACKEND_PLACES; p++)
            if (m.weight[p] != 0)
                sum += m.weight[p] * (double)value_of(((const stored *)m.place[p])[k]);
        value_set(to + k, (real)sum);
    }
}

static cudaError_t combine(void *to, const cuda_combination *m, cudaStream_t stream) {
    const size_t blocks = (m->n + CUDA_BLOCK - 1) / CUDA_BLOCK, most = 65536;
    combine_kernel<<<(unsigned)(blocks < most ? blocks : most), CUDA_BLOCK, 0, stream>>>((stored *)to, *m);
    return cudaGetLastError();
}
#endif
