/* SPDX-License-Identifier: Apache-2.0 */
/* One warp handles one group of 32 cells, one cell per lane: fetch the populations and complete the cut links. The
 * including file defines two types and a macro. `real` (float or double): type of the arithmetic. `stored` (float,
 * double or __half): type in memory. UNIT: factor of stored populations, 1 except for __half. A place is an index in
 * the array of `stored` values. It counts from the first group of the launch (cuda_args.first). The template argument
 * place_t is its type: 32-bit if POPULATIONS * cells < 2^32, otherwise 64-bit. LATTICE_Q is 19, or 27 for cumulants.
 * POPULATIONS is LATTICE_Q, or 26 with heat: f[19] .. f[25] of a lane are then the populations of the temperature, and
 * row 19 + a of a block holds the temperature population of direction a. SHEAR_THINNING 1: each cell has its own
 * viscosity. POROUS_REGION 1: each cell has its own drag, which is 0 where a link goes through an opening. With either
 * of them UNIT is 1 and there is no heat. */
#ifndef PORTAFLOW_CUDA_GROUP_CUH
#define PORTAFLOW_CUDA_GROUP_CUH
#include "solve/cuda/cuda_kernels.h"
#include "solve/kernels/advection.h"
#include "solve/kernels/cumulant.h"
#include "solve/kernels/heat_cell.h"
#include "solve/kernels/link.h"
#include "solve/kernels/moments.h"
#include "solve/kernels/porous_drag.h"
#include "solve/kernels/shear_viscosity.h"
#include <cuda_fp16.h>

#define DEVICE_FN static __device__ __forceinline__

#ifndef POPULATIONS
#define POPULATIONS LATTICE_Q
#endif
#ifndef SHEAR_THINNING
#define SHEAR_THINNING 0
#endif
#ifndef POROUS_REGION
#define POROUS_REGION 0
#endif
enum { HEAT = POPULATIONS > LATTICE_Q, CORNERS = LATTICE_Q == 27, SHEAR = SHEAR_THINNING, POROUS = POROUS_REGION };

/* --- directions known at compile time ---------------------------------------------------------------------------- */

__host__ __device__ constexpr int group_opposite(int b) {
    return b == 0 ? 0 : (b & 1) ? b + 1 : b - 1;
}
__host__ __device__ constexpr int group_shift(int b) { /* x component of e_b */
    return (b > 2 && b < 7) || (b > 14 && b < 19) ? 0 : (b & 1) ? 1 : -1;
}
__host__ __device__ constexpr int group_row(int b) { /* row of direction b in pack_segment; -1: the cell's own row */
    return b < 3                ? -1
           : b < 7              ? b - 3
           : b == 7 || b == 10  ? 0
           : b == 8 || b == 9   ? 1
           : b == 11 || b == 14 ? 2
           : b == 12 || b == 13 ? 3
           : b < 19             ? b - 11
           : b == 19 || b == 26 ? 4
           : b == 20 || b == 25 ? 5
           : b == 21 || b == 24 ? 6
                                : 7;
}

/* --- stored values ----------------------------------------------------------------------------------------------- */

DEVICE_FN real value_of(float v) {
    return (real)v;
}
DEVICE_FN real value_of(double v) {
    return (real)v;
}
DEVICE_FN real value_of(__half v) {
    return (real)__half2float(v);
}
DEVICE_FN void value_set(float *to, real f) {
    *to = (float)f;
}
DEVICE_FN void value_set(double *to, real f) {
    *to = (double)f;
}
DEVICE_FN void value_set(__half *to, real f) {
    *to = __float2half_rn((float)f);
}

/* Rounds to the stored precision. */
DEVICE_FN real value_rounded(real f) {
    stored v;
    value_set(&v, f);
    return value_of(v);
}

/* v moved by `steps` representable values away from zero; may be NaN. */
DEVICE_FN float value_beside(float v, int steps) {
    return __int_as_float(__float_as_int(v) + steps);
}
DEVICE_FN double value_beside(double v, int steps) {
    return __longlong_as_double(__double_as_longlong(v) + steps);
}
DEVICE_FN __half value_beside(__half v, int steps) {
    return __short_as_half((short)(__half_as_short(v) + steps));
}

/* Stores a value. The next step starts with the values that were written last, so they stay in L2 with the default
 * cache policy. Kernels with heat or double mark them for early eviction instead. */
DEVICE_FN void value_leave(stored *to, real f) {
    stored v;
    value_set(&v, f);
    if (HEAT || sizeof v > 4)
        __stcs(to, v);
    else
        *to = v;
}

/* Loads one value. asm volatile keeps the order of the program: all loads of a cell are issued before the first value
 * is used. */
DEVICE_FN float value_fetch(const float *p) {
    float v;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p));
    return v;
}
DEVICE_FN double value_fetch(const double *p) {
    double v;
    asm volatile("ld.global.f64 %0, [%1];" : "=d"(v) : "l"(p));
    return v;
}
DEVICE_FN __half value_fetch(const __half *p) {
    unsigned short v;
    asm volatile("ld.global.u16 %0, [%1];" : "=h"(v) : "l"(p));
    return __ushort_as_half(v);
}

/* --- places ------------------------------------------------------------------------------------------------------ */

/* Cells per block. In every type but double, one direction of a block fills a line of 128 bytes; 16-bit values
 * therefore need 64 cells. */
enum { BLOCK_CELLS = sizeof(stored) == 2 ? 64 : 32 };

/* Method of group_prefetch (cuda_kernels.by_direction). 1: each direction is prefetched shortly before it is read,
 * because L2 does not hold a plane of a large lattice. 0, for 16-bit values: whole groups are prefetched, because their
 * plane needs half the memory and more instructions would slow the kernels. */
enum { BY_DIRECTION = sizeof(stored) > 2 };

/* Place of population 0 of a cell; population a is a * BLOCK_CELLS places further. */
template <class place_t> DEVICE_FN place_t place(uint32_t cell) {
    return (place_t)cell + (place_t)(POPULATIONS - 1) * (cell & ~(uint32_t)(BLOCK_CELLS - 1));
}

/* Number of bytes of `groups` groups, a multiple of whole blocks. */
__host__ __device__ constexpr size_t place_bytes(uint32_t groups) {
    return (size_t)groups * 32 * POPULATIONS * sizeof(stored);
}

/* --- rates ------------------------------------------------------------------------------------------------------- */

DEVICE_FN heat_rates heat_rates_of(const cuda_args &s) {
    const heat_rates h = {(real)s.heat.omega_plus,
                          (real)s.heat.omega_minus,
                          {(real)s.heat.buoyancy[0], (real)s.heat.buoyancy[1], (real)s.heat.buoyancy[2]}};
    return h;
}

/* Collision rates of a cell with temperature theta; without heat, theta is 0. */
DEVICE_FN collide_rates rates_of(const cuda_args &s, double unit, real theta) {
    const collide_rates r = {(real)s.omega_plus,
                             (real)s.omega_minus,
                             {(real)(unit * s.force[0]), (real)(unit * s.force[1]), (real)(unit * s.force[2])},
                             (real)(s.most * unit * unit),
                             (real)s.fourth};
    const heat_rates h = heat_rates_of(s);
    return HEAT ? heat_force(&r, &h, theta) : r;
}

DEVICE_FN real theta_of(const real f[POPULATIONS]) {
    return HEAT ? heat_theta(f + HEAT * 19) : (real)0;
}

/* Drag of a cell, counted from cuda_args.first (kernels/porous_drag.h). */
DEVICE_FN real drag_of(const cuda_args &s, uint32_t cell) {
    return POROUS ? ((const real *)s.drag)[s.region[cell]] : (real)0;
}

/* Index in cuda_args.advection of axis 0 of a cell; axis k follows 32 k later. */
DEVICE_FN size_t advection_place(uint32_t cell) {
    return (size_t)cell + 2 * (size_t)(cell & ~31u);
}

/* Sets out [3] to the advection correction of a cell, counted from cuda_args.first; 0 on D3Q19. */
DEVICE_FN void advection_at(const cuda_args &s, uint32_t cell, real out[3]) {
#pragma unroll
    for (int k = 0; k < 3; k++)
        out[k] = CORNERS ? (real)advection_unpack(s.advection[advection_place(cell) + 32 * k]) : (real)0;
}

/* Collision rates of a cell with the populations f before the collision. advection: advection_at. */
DEVICE_FN collide_rates rates_with(const cuda_args &s, double unit, const real f[POPULATIONS], int regularized,
                                   real drag, const real advection[3]) {
    const collide_rates r = rates_of(s, unit, theta_of(f));
    if (POROUS)
        return porous_rates(f, drag, &r);
    return SHEAR ? shear_rates(f, (const shear_segment *)s.viscosity, &r, regularized || CORNERS, 1, advection) : r;
}

/* --- the group --------------------------------------------------------------------------------------------------- */

/* Populations 1 .. LATTICE_Q - 1 of the 32 lanes; with heat, one more row holds theta of each lane. */
struct group_buffer {
    real f[LATTICE_Q - 1 + HEAT][32];
};

struct group {
    uint32_t number; /* number of the group, counted from cuda_args.first as all places are */
    int lane;
    uint4 head, tail; /* the pack_group: head holds breaks, walls, more, wall; tail holds link, counts, partial, rare */
    uint32_t word;    /* cut link number `lane` of the group, or 0 */
    uint32_t mixed;   /* partially solid link number `lane` of the group, or 0 */
    /* Direction a of `word` and `mixed` points into the cell, i is its opposite, ' means after the collision. back:
     * population f_a' that the cell of `word` had before this step, for q > 1/2. kept: population f_i' that the cell of
     * `mixed` had before this step, not multiplied by theta. */
    stored back, kept;
    real mass_correction; /* mass correction of every wall link, times UNIT */
    uint32_t opened;      /* bit a: the lane receives direction a through an opening or from a moving wall (!WALL) */
    /* D3Q27, for a quadratic wall. behind: entry of pack.behind for `word`; second: the population two cells from the
     * wall that this entry names */
    uint32_t behind;
    stored second;
    /* with heat. warm: heat link number `lane` of the group, or 0; warm_back: g_a' of the cell of `warm`, for q > 1/2;
     * wall_theta: theta of the wall of `warm` */
    pack_warm warm;
    stored warm_back;
    real wall_theta;
};

DEVICE_FN int group_links(const group &g) {
    return (int)(g.tail.y & 0x3ffu);
}
DEVICE_FN int group_partials(const group &g) {
    return HEAT || CORNERS ? 0 : (int)(g.tail.y >> 10 & 0x3ffu);
}
/* Number of links to walls of prescribed temperature. The count is in the bits of group_partials, because a domain with
 * heat has no partially solid links. */
DEVICE_FN int group_warms(const group &g) {
    return HEAT ? (int)(g.tail.y >> 10 & 0x3ffu) : 0;
}

/* Index in pack.explicit_neighbour of the first cell of this group; only for groups with explicit cells
 * (cuda_pack.h). */
DEVICE_FN int group_named(const cuda_args &s, const group &g) {
    return g.tail.y & (PACK_THROUGH | PACK_MOVING) ? s.rare[g.tail.w].named : (int)g.tail.w;
}

DEVICE_FN real link_q(uint32_t word) {
    return (real)((word & (PACK_LINK_Q - 1)) + 1u) * (real)(1.0 / PACK_LINK_Q);
}
/* True if the wall distance of a link word is q > 1/2. */
DEVICE_FN bool link_far(uint32_t word) {
    return word & PACK_LINK_Q / 2;
}
DEVICE_FN int link_lane(uint32_t word) {
    return (int)(word >> PACK_LINK_LANE & 31u);
}
DEVICE_FN int link_dir(uint32_t word) {
    return (int)(word >> PACK_LINK_DIR & 31u);
}
DEVICE_FN bool link_special(uint32_t word) {
    return word >> PACK_LINK_SPECIAL & 1u;
}
DEVICE_FN int partial_lane(uint32_t word) {
    return (int)(word >> PACK_PARTIAL_LANE & 31u);
}
DEVICE_FN int partial_dir(uint32_t word) {
    return (int)(word >> PACK_PARTIAL_DIR & 31u);
}
DEVICE_FN real partial_theta(uint32_t word) {
    const real own = (real)((word & 511u) + 1u), its = (real)((word >> PACK_PARTIAL_NEIGHBOUR & 511u) + 1u);
    return (own - its) / own;
}

/* Address of population b of lane `lane`, in the block of the lane's own group. */
template <class place_t> DEVICE_FN const stored *home(const stored *pop, uint32_t number, int lane, int b) {
    return pop + place<place_t>(number * 32u + (uint32_t)lane) + b * BLOCK_CELLS;
}

/* Population of the link's own cell, after the last collision, in the direction opposite to the link: f_a' of a cut
 * link, g_a' of a heat link, f_i' of a partially solid link (whose word has the incoming direction a). */
template <class place_t> DEVICE_FN stored link_back(const stored *pop, const group &g, uint32_t word) {
    return value_fetch(home<place_t>(pop, g.number, link_lane(word), velocity_set_opposite(link_dir(word))));
}
template <class place_t> DEVICE_FN stored warm_back(const stored *pop, const group &g, uint32_t word) {
    return value_fetch(home<place_t>(pop, g.number, link_lane(word), 19 + velocity_set_opposite(link_dir(word))));
}
template <class place_t> DEVICE_FN stored partial_kept(const stored *pop, const group &g, uint32_t word) {
    return value_fetch(home<place_t>(pop, g.number, partial_lane(word), velocity_set_opposite(partial_dir(word))));
}

/* Population two cells from the wall, which a quadratic wall link needs (kernels/link.h): f_i' of the third cell for q
 * < 1/2, f_a' of the next cell for q > 1/2. word and behind: entries of cuda_args.link and cuda_args.behind for this
 * link. */
template <class place_t>
DEVICE_FN stored link_second(const cuda_args &s, const stored *pop, uint32_t word, uint32_t behind) {
    const int i = link_dir(word);
    return value_fetch(pop + place<place_t>(behind - 32u * s.first) +
                       (link_far(word) ? velocity_set_opposite(i) : i) * BLOCK_CELLS);
}

/* Prefetches `bytes` bytes at address p into L2. */
DEVICE_FN void prefetch(const void *p, uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(p), "r"(bytes) : "memory");
#endif
}

DEVICE_FN void group_prefetch_lines(const cuda_args &s, uint32_t number, uint32_t first, uint32_t n) {
    const uint32_t line = BLOCK_CELLS * (uint32_t)sizeof(stored);
    if (number < s.n_group) /* unsigned: a negative number is not below n_group */
        prefetch((const char *)s.from + place_bytes(number) + first * line, n * line);
}

static_assert(CUDA_BLOCK == 32 * PACK_GROUPS, "a block of threads fetches for its own groups");

/* Number of spans. A span is a sequence of populations with the same z component. */
enum { SPANS = CORNERS ? 13 : 9 };

/* Sets the span number `lane`: *first and *count of its populations, and *way: 1 if they move up (+z), 2 down, 0
 * neither. */
DEVICE_FN void group_span(int lane, uint32_t *first, uint32_t *count, int *way) {
    if (CORNERS) {
        constexpr uint64_t FIRST = 5 | 11 << 5 | 14 << 10 | 18 << 15 | 22 << 20 | 26ull << 25 | 6ull << 30 |
                                   12ull << 35 | 16ull << 40 | 20ull << 45 | 24ull << 50 | 7ull << 55 | 0ull << 60;
        constexpr uint64_t COUNT = 1 | 1 << 3 | 2 << 6 | 2 << 9 | 2 << 12 | 1 << 15 | 1 << 18 | 2 << 21 | 2 << 24 |
                                   2 << 27 | 2ull << 30 | 4ull << 33 | 5ull << 36;
        *first = (uint32_t)(FIRST >> 5 * lane) & 31u;
        *count = (uint32_t)(COUNT >> 3 * lane) & 7u;
        *way = lane < 6 ? 1 : lane < 11 ? 2 : 0;
    } else {
        constexpr uint64_t FIRST =
            0 | 7 << 5 | 5 << 10 | 11 << 15 | 14 << 20 | 18 << 25 | 6ull << 30 | 12ull << 35 | 16ull << 40;
        constexpr uint32_t COUNT = 5 | 4 << 3 | 1 << 6 | 1 << 9 | 2 << 12 | 1 << 15 | 1 << 18 | 2 << 21 | 2 << 24;
        *first = (uint32_t)(FIRST >> 5 * lane) & 31u;
        *count = COUNT >> 3 * lane & 7u;
        *way = lane < 2 ? 0 : lane < 6 ? 1 : 2;
    }
}

/* Prefetches the populations of later groups, and the records of these groups. BY_DIRECTION: prefetches the cells that
 * the group s.ahead groups later reads, in SPANS spans, one span per lane; with heat, lanes 10 to 12 prefetch 3 more
 * spans. Otherwise: prefetches whole groups. */
DEVICE_FN void group_prefetch(const cuda_args &s, uint32_t number, int lane) {
    const uint32_t ahead = number + (s.backward ? 0u - s.ahead : s.ahead);
    const uint32_t index = number + (s.backward ? 0u - s.ahead_index : s.ahead_index);
    if (BY_DIRECTION && lane < SPANS) {
        const int4 row = *(const int4 *)&s.group[4 * (size_t)number]; /* rows +y -y +z -z */
        uint32_t first, count;
        int way;
        group_span(lane, &first, &count, &way);
        const int away = way == 0 ? 0 : way == 1 ? row.w : row.z;
        group_prefetch_lines(s, ahead + (uint32_t)(away >> 5), first, count);
    }
    if (HEAT && lane > 9 && lane < 13) {
        const int4 row = *(const int4 *)&s.group[4 * (size_t)number];
        const int away = lane == 10 ? 0 : lane == 11 ? row.w : row.z;
        group_prefetch_lines(s, ahead + (uint32_t)(away >> 5), lane == 10 ? 19u : 13u + (uint32_t)lane,
                             lane == 10 ? 5u : 1u);
    }
    if (threadIdx.x >= 32) /* one warp of the block prefetches for all its PACK_GROUPS groups */
        return;
    const uint32_t four = ahead & ~(PACK_GROUPS - 1u), four_index = index & ~(PACK_GROUPS - 1u);
    if (!BY_DIRECTION && lane == 0 && four < s.n_group)
        prefetch((const char *)s.from + place_bytes(four), (uint32_t)place_bytes(PACK_GROUPS));
    if (lane == SPANS && four_index < s.n_group)
        prefetch(s.group + 4 * (size_t)four_index, 256);
    if (CORNERS && lane == SPANS + 1 && four < s.n_group)
        prefetch(s.advection + 96 * (size_t)four, 192 * PACK_GROUPS);
}

/* Sets the places of the populations of a lane: population a = opposite(b) that arrives over direction b is at at[b] +
 * a * BLOCK_CELLS. Places count from one block before pop (POPULATIONS * BLOCK_CELLS values), so that no place is
 * negative. Returns the mask of the lane's cut links. */
template <class place_t> DEVICE_FN uint32_t group_places(const cuda_args &s, const group &g, place_t at[LATTICE_Q]) {
    const uint32_t cell = g.number * 32u + (uint32_t)g.lane + BLOCK_CELLS, below = (1u << g.lane) - 1u;
    const uint4 *record = s.group + 4 * (size_t)g.number;
    int4 near = *(const int4 *)&record[0], far = *(const int4 *)&record[1];
    uint32_t cut = 0;
    const int segment = __popc(g.head.x & (below << 1 | 1u));
    if (g.head.y >> g.lane & 1u)
        cut = s.cut[g.head.w + __popc(g.head.y & below)];
    if (segment) {
        near = s.more[2 * (size_t)(g.head.z + segment - 1)];
        far = s.more[2 * (size_t)(g.head.z + segment - 1) + 1];
    }
    const int row[8] = {near.x, near.y, near.z, near.w, far.x, far.y, far.z, far.w};
    at[0] = place<place_t>(cell);
#pragma unroll
    for (int b = 1; b < LATTICE_Q; b++)
        at[b] = place<place_t>(cell + (uint32_t)((group_row(b) < 0 ? 0 : row[group_row(b) & 7]) + group_shift(b)));
    if (!g.head.y)
        return 0;
    if (g.tail.y & PACK_EXPLICIT) {
        const uint32_t named = __ballot_sync(0xffffffffu, cut & 1u);
        const int32_t *to =
            s.explicit_neighbour + (LATTICE_Q - 1) * (size_t)(group_named(s, g) + __popc(named & below));
#pragma unroll
        for (int b = 1; b < LATTICE_Q; b++)
            if (cut & 1u)
                at[b] = place<place_t>((uint32_t)to[b - 1] - 32u * s.first + BLOCK_CELLS);
    }
#pragma unroll
    for (int b = 1; b < LATTICE_Q; b++)
        if (cut >> b & 1u)
            at[b] = at[0] + (place_t)((b - group_opposite(b)) * BLOCK_CELLS);
    return cut;
}

DEVICE_FN group group_of(const cuda_args &s, uint32_t number, int lane) {
    group g;
    g.number = number;
    g.lane = lane;
    g.head = s.group[4 * (size_t)number + 2];
    g.tail = s.group[4 * (size_t)number + 3];
    g.word = lane < group_links(g) ? s.link[g.tail.x + lane] : 0;
    if (CORNERS)
        g.behind = lane < group_links(g) ? s.behind[g.tail.x + lane] : PACK_NO_CELL;
    g.mass_correction = group_links(g) ? (real)(UNIT * *s.mass_correction) : (real)0;
    g.opened = 0;
    if (HEAT)
        g.warm = lane < group_warms(g) ? s.heat.link[g.tail.z + (uint32_t)lane] : pack_warm{0, 0};
    return g;
}

/* For cuda_args.overlap: allows the next step to start while this step ends. The next step first reads data that no
 * step changes, and waits before it reads populations. */
DEVICE_FN void next_may_start() {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}
DEVICE_FN void step_before_wait() {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* Fetches the 7 populations of the temperature, and sets g.warm_back and g.wall_theta. */
template <class place_t>
DEVICE_FN void heat_fetch(const cuda_args &s, group &g, const place_t at[LATTICE_Q], real warm[7]) {
    const stored *pop = (const stored *)s.from;
    stored raw[7];
#pragma unroll
    for (int b = 0; b < 7; b++)
        raw[group_opposite(b)] = value_fetch(pop + (19 + group_opposite(b) - POPULATIONS) * BLOCK_CELLS + at[b]);
    value_set(&g.warm_back, 0);
    if (link_far(g.warm.link))
        g.warm_back = warm_back<place_t>(pop, g, g.warm.link);
    g.wall_theta = g.lane < group_warms(g) ? (real)s.heat.side[g.warm.side].temperature : (real)0;
#pragma unroll
    for (int a = 0; a < 7; a++)
        warm[a] = value_of(raw[a]);
}

/* Fetches the populations that arrive from the neighbours. At a cut link it fetches the population that left this cell
 * instead. */
template <class place_t, bool WALL, bool PARTIAL>
DEVICE_FN void group_fetch(const cuda_args &s, group &g, real f[LATTICE_Q]) {
    const stored *pop = (const stored *)s.from;
    place_t at[LATTICE_Q];
    stored raw[LATTICE_Q];
    g.mixed = PARTIAL && g.lane < group_partials(g) ? s.partial[g.tail.z + g.lane] : 0;
    const uint32_t cut = group_places<place_t>(s, g, at);
    step_before_wait();
#pragma unroll
    for (int b = 0; b < LATTICE_Q; b++)
        raw[group_opposite(b)] = value_fetch(pop + (group_opposite(b) - POPULATIONS) * BLOCK_CELLS + at[b]);
    if (HEAT)
        heat_fetch<place_t>(s, g, at, f + HEAT * 19);
    value_set(&g.back, 0);
    value_set(&g.kept, 0);
    if (link_far(g.word))
        g.back = link_back<place_t>(pop, g, g.word);
    value_set(&g.second, 0);
    if (CORNERS && g.behind != PACK_NO_CELL)
        g.second = link_second<place_t>(s, pop, g.word, g.behind);
    if (PARTIAL && g.mixed)
        g.kept = partial_kept<place_t>(pop, g, g.mixed);
#pragma unroll
    for (int a = 0; a < LATTICE_Q; a++)
        f[a] = value_of(raw[a]);
    if (!WALL && group_links(g)) { /* all walls are half-way (vlbm) and need only the mass correction */
#pragma unroll
        for (int b = 1; b < LATTICE_Q; b++)
            f[group_opposite(b)] += (cut >> b & ~(g.opened >> group_opposite(b)) & 1u) ? g.mass_correction : (real)0;
    }
}
#endif
