/* SPDX-License-Identifier: Apache-2.0 */
/* One cell of every scheme, for all devices: places of its populations, its neighbours, one step. The including file
 * defines `real` first. addressing, layout, wall and heat are constants at every call, so each scheme compiles to
 * straight code; without heat the last seven of f[26] are unused. A thread handles a cell of the box (DENSE, SEMI) or a
 * fluid cell. Directions and collision: kernels/. No loops over cells. */
#ifndef PORTAFLOW_BENCH_SCHEME_CELL_H
#define PORTAFLOW_BENCH_SCHEME_CELL_H
#include "solve/schemes/scheme.h"
#include "solve/kernels/heat_cell.h"
#include "solve/kernels/link.h"

/* DO(a, e_a) for every direction except rest */
#define SCHEME_DIRECTIONS(DO)                                                                                          \
    DO(1, 1, 0, 0)                                                                                                     \
    DO(2, -1, 0, 0)                                                                                                    \
    DO(3, 0, 1, 0)                                                                                                     \
    DO(4, 0, -1, 0)                                                                                                    \
    DO(5, 0, 0, 1)                                                                                                     \
    DO(6, 0, 0, -1)                                                                                                    \
    DO(7, 1, 1, 0)                                                                                                     \
    DO(8, -1, -1, 0)                                                                                                   \
    DO(9, 1, -1, 0)                                                                                                    \
    DO(10, -1, 1, 0)                                                                                                   \
    DO(11, 1, 0, 1)                                                                                                    \
    DO(12, -1, 0, -1)                                                                                                  \
    DO(13, 1, 0, -1)                                                                                                   \
    DO(14, -1, 0, 1)                                                                                                   \
    DO(15, 0, 1, 1)                                                                                                    \
    DO(16, 0, -1, -1)                                                                                                  \
    DO(17, 0, 1, -1)                                                                                                   \
    DO(18, 0, -1, 1)

/* SCHEME_WARM: index of the first population of the temperature; SCHEME_MOST: largest number of populations */
enum { SCHEME_WARM = 19, SCHEME_MOST = 26 };

typedef struct {
    int32_t x, y, z; /* position of the cell; not set for LIST */
    int64_t cell;
} scheme_here;

typedef struct {
    collide_rates flow;
    heat_rates heat;
    real wall; /* D of kernels/heat_cell.h: a quarter of theta of the wall */
} scheme_rates;

static inline scheme_rates scheme_rates_of(const scheme_physics *p) {
    const scheme_rates r = {
        {(real)p->omega, (real)p->omega, {(real)p->force[0], (real)p->force[1], (real)p->force[2]}, (real)0, (real)0},
        {(real)p->omega_plus, (real)p->omega_minus, {(real)p->buoyancy[0], (real)p->buoyancy[1], (real)p->buoyancy[2]}},
        (real)(0.25 * p->wall)};
    return r;
}

/* --- Morton order ------------------------------------------------------------------------------------------------ */

/* scheme_spread inserts two zeros between the lowest 10 bits of v; scheme_gather is the inverse. */
KERNEL_FN uint32_t scheme_spread(uint32_t v) {
    v = (v | v << 16) & 0x030000ffu;
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
}
KERNEL_FN uint32_t scheme_gather(uint32_t v) {
    v &= 0x09249249u;
    v = (v | v >> 2) & 0x030c30c3u;
    v = (v | v >> 4) & 0x0300f00fu;
    v = (v | v >> 8) & 0x030000ffu;
    return (v | v >> 16) & 0x3ffu;
}

/* Place of a cell of the box in memory. In Morton order it is a sum of three parts, one per axis; the 18 neighbours
 * share nine parts. */
KERNEL_FN int64_t scheme_place(const scheme_grid *g, int layout, int32_t x, int32_t y, int32_t z) {
    if (layout != SCHEME_MORTON)
        return ((int64_t)z * g->ny + y) * g->nx + x;
    const uint32_t k = (uint32_t)g->brick, low = (1u << k) - 1, row = (uint32_t)g->brick_x,
                   layer = row * (uint32_t)g->brick_y;
    const uint32_t from_x = ((uint32_t)(x >> k) << 3 * k) + scheme_spread((uint32_t)x & low);
    const uint32_t from_y = ((uint32_t)(y >> k) * row << 3 * k) + (scheme_spread((uint32_t)y & low) << 1);
    const uint32_t from_z = ((uint32_t)(z >> k) * layer << 3 * k) + (scheme_spread((uint32_t)z & low) << 2);
    const uint32_t place = from_x + from_y + from_z; /* fits into 32 bits, because n_slot is below 2^31 */
    return place;
}

/* Inverse of scheme_place. n_slot is below 2^31. */
KERNEL_FN void scheme_unplace(const scheme_grid *g, int layout, int64_t place, scheme_here *h) {
    const uint32_t k = layout == SCHEME_MORTON ? (uint32_t)g->brick : 0;
    const uint32_t row = layout == SCHEME_MORTON ? (uint32_t)g->brick_x : (uint32_t)g->nx;
    const uint32_t rows = layout == SCHEME_MORTON ? (uint32_t)g->brick_y : (uint32_t)g->ny;
    const uint32_t outer = (uint32_t)(place >> 3 * k), inside = (uint32_t)place & ((1u << 3 * k) - 1);
    h->x = (int32_t)(outer % row << k | scheme_gather(inside));
    h->y = (int32_t)(outer / row % rows << k | scheme_gather(inside >> 1));
    h->z = (int32_t)(outer / row / rows << k | scheme_gather(inside >> 2));
}

/* --- addressing --------------------------------------------------------------------------------------------------- */

/* Index of population a of a cell. */
KERNEL_FN int64_t scheme_slot(const scheme_grid *g, int layout, int64_t cell, int a) {
    if (layout == SCHEME_AOS)
        return cell * 19 + a; /* layouts AOS and CSOA have 19 populations, never heat */
    if (layout == SCHEME_CSOA)
        return (((cell >> g->shift) * 19 + a) << g->shift) + (cell & ((1 << g->shift) - 1));
    return a * g->n_slot + cell;
}

KERNEL_FN int scheme_is_fluid(const scheme_grid *g, int wall, int64_t place) {
    return wall == SCHEME_PARTIAL ? g->solid[place] < 1.0f : g->fluid[place] != 0;
}

/* Sets *h to the cell of a thread. Returns 0 if it is no fluid cell. */
KERNEL_FN int scheme_locate(const scheme_grid *g, int addressing, int layout, int wall, int64_t thread,
                            scheme_here *h) {
    h->cell = thread;
    if (addressing == SCHEME_DENSE) {
        scheme_unplace(g, layout, thread, h);
        if (layout == SCHEME_MORTON && (h->x >= g->nx || h->y >= g->ny || h->z >= g->nz))
            return 0;
        return scheme_is_fluid(g, wall, thread);
    }
    if (addressing == SCHEME_SEMI) {
        scheme_unplace(g, SCHEME_SOA, thread, h);
        h->cell = g->index[thread];
        return h->cell >= 0;
    }
    if (addressing == SCHEME_SPARSE) {
        h->x = g->x[thread];
        h->y = g->y[thread];
        h->z = g->z[thread];
    }
    if (addressing == SCHEME_CYCLIC)
        scheme_unplace(g, SCHEME_SOA, g->backward[thread] - g->forward, h);
    return 1;
}

/* Index of the neighbour in direction a; -1: wall. ex, ey, ez: components of e_a. */
KERNEL_FN int64_t scheme_neighbour(const scheme_grid *g, int addressing, int layout, int wall, const scheme_here *h,
                                   int a, int ex, int ey, int ez) {
    if (addressing == SCHEME_LIST)
        return g->neighbour[(int64_t)(a - 1) * g->n_cell + h->cell];
    const int32_t x = h->x + ex, y = h->y + ey, z = h->z + ez;
    if ((uint32_t)x >= (uint32_t)g->nx || (uint32_t)y >= (uint32_t)g->ny || (uint32_t)z >= (uint32_t)g->nz)
        return -1;
    const int64_t place = scheme_place(g, layout, x, y, z);
    if (addressing == SCHEME_DENSE)
        return scheme_is_fluid(g, wall, place) ? place : -1;
    if (addressing == SCHEME_CYCLIC) {
        const void *p = g->forward[place];
        return p ? (const real *)p - (const real *)g->base : -1;
    }
    return g->index[place];
}

/* --- one step of one cell ----------------------------------------------------------------------------------------- */

/* f_a(x, t+1) from populations after the collision: from the neighbour x - e_a, or reflected by the wall. Partially
 * solid cells reflect a part (shang2023 eqs. 5-6, as link_partial_arrive). */
KERNEL_FN real scheme_receive(const scheme_grid *g, const real *from, int addressing, int layout, int wall,
                              const scheme_here *h, int a, int ex, int ey, int ez) {
    const int b = velocity_set_opposite(a);
    const int64_t y = scheme_neighbour(g, addressing, layout, wall, h, b, -ex, -ey, -ez);
    if (y < 0)
        return from[scheme_slot(g, layout, h->cell, b)];
    const real received = from[scheme_slot(g, layout, y, a)];
    if (wall != SCHEME_PARTIAL || !(g->solid[y] > g->solid[h->cell]))
        return received;
    const real theta = (real)(g->solid[y] - g->solid[h->cell]) / (real)(1.0f - g->solid[h->cell]);
    return link_partial_arrive(theta, link_partial_leave(theta, from[scheme_slot(g, layout, h->cell, b)]), received);
}

/* Does the same as scheme_receive for the temperature; a wall reflects by anti-bounce-back with the wall
 * temperature. */
KERNEL_FN real scheme_receive_warm(const scheme_grid *g, const real *from, const scheme_rates *r, int addressing,
                                   int layout, const scheme_here *h, int a, int ex, int ey, int ez) {
    const int b = velocity_set_opposite(a);
    const int64_t y = scheme_neighbour(g, addressing, layout, SCHEME_BOUNCE, h, b, -ex, -ey, -ez);
    return y < 0 ? r->wall - from[scheme_slot(g, layout, h->cell, SCHEME_WARM + b)]
                 : from[scheme_slot(g, layout, y, SCHEME_WARM + a)];
}

KERNEL_FN void scheme_gather_all(const scheme_grid *g, const real *from, const scheme_rates *r, int addressing,
                                 int layout, int wall, int heat, const scheme_here *h, real f[SCHEME_MOST]) {
    f[0] = from[scheme_slot(g, layout, h->cell, 0)];
#define RECEIVE(a, ex, ey, ez)                                                                                         \
    f[a] = scheme_receive(g, from, addressing, layout, wall, h, a, ex, ey, ez);                                        \
    if (heat && (a) < 7)                                                                                               \
        f[SCHEME_WARM + (a) % 7] = scheme_receive_warm(g, from, r, addressing, layout, h, a, ex, ey, ez);
    SCHEME_DIRECTIONS(RECEIVE)
#undef RECEIVE
    if (heat)
        f[SCHEME_WARM] = from[scheme_slot(g, layout, h->cell, SCHEME_WARM)];
}

KERNEL_FN void scheme_read(const scheme_grid *g, const real *from, int layout, int heat, int64_t cell,
                           real f[SCHEME_MOST]) {
    f[0] = from[scheme_slot(g, layout, cell, 0)];
#define READ(a, ex, ey, ez)                                                                                            \
    f[a] = from[scheme_slot(g, layout, cell, a)];                                                                      \
    if (heat && (a) < 7)                                                                                               \
        f[SCHEME_WARM + (a) % 7] = from[scheme_slot(g, layout, cell, SCHEME_WARM + (a))];
    SCHEME_DIRECTIONS(READ)
#undef READ
    if (heat)
        f[SCHEME_WARM] = from[scheme_slot(g, layout, cell, SCHEME_WARM)];
}

KERNEL_FN void scheme_write(const scheme_grid *g, real *to, int layout, int heat, int64_t cell,
                            const real f[SCHEME_MOST]) {
    to[scheme_slot(g, layout, cell, 0)] = f[0];
#define WRITE(a, ex, ey, ez)                                                                                           \
    to[scheme_slot(g, layout, cell, a)] = f[a];                                                                        \
    if (heat && (a) < 7)                                                                                               \
        to[scheme_slot(g, layout, cell, SCHEME_WARM + (a))] = f[SCHEME_WARM + (a) % 7];
    SCHEME_DIRECTIONS(WRITE)
#undef WRITE
    if (heat)
        to[scheme_slot(g, layout, cell, SCHEME_WARM)] = f[SCHEME_WARM];
}

KERNEL_FN void scheme_collide(real f[SCHEME_MOST], const scheme_rates *r, int heat) {
    if (heat)
        heat_collide_cell(f, f + SCHEME_WARM, &r->flow, &r->heat, 0);
    else
        collide(f, &r->flow);
}

/* Indices of the neighbours in the 18 directions; -1: wall. Indices are below 2^31. */
KERNEL_FN void scheme_neighbours(const scheme_grid *g, int addressing, int layout, const scheme_here *h,
                                 int32_t y[19]) {
#define LOOK(a, ex, ey, ez) y[a] = (int32_t)scheme_neighbour(g, addressing, layout, SCHEME_BOUNCE, h, a, ex, ey, ez);
    SCHEME_DIRECTIONS(LOOK)
#undef LOOK
}

/* Sends a population of the temperature to cell y, or reflects it at the wall. */
KERNEL_FN void scheme_send_warm(const scheme_grid *g, real *to, const scheme_rates *r, int layout, int64_t cell,
                                int32_t y, int a, real value) {
    to[y < 0 ? scheme_slot(g, layout, cell, SCHEME_WARM + velocity_set_opposite(a))
             : scheme_slot(g, layout, y, SCHEME_WARM + a)] = y < 0 ? r->wall - value : value;
}

/* Sends the populations to the neighbours; those that meet a wall return to the cell's own slots. All neighbours are
 * looked up before the first write, because a compiler may not move a read across a write. CYCLIC looks them up one by
 * one, because its pointers take too many registers. */
KERNEL_FN void scheme_scatter(const scheme_grid *g, real *to, const scheme_rates *r, int addressing, int layout,
                              int heat, const scheme_here *h, const real f[SCHEME_MOST]) {
    int32_t y[19];
    if (addressing != SCHEME_CYCLIC)
        scheme_neighbours(g, addressing, layout, h, y);
    to[scheme_slot(g, layout, h->cell, 0)] = f[0];
#define SEND(a, ex, ey, ez)                                                                                            \
    if (addressing == SCHEME_CYCLIC)                                                                                   \
        y[a] = (int32_t)scheme_neighbour(g, addressing, layout, SCHEME_BOUNCE, h, a, ex, ey, ez);                      \
    to[y[a] < 0 ? scheme_slot(g, layout, h->cell, velocity_set_opposite(a)) : scheme_slot(g, layout, y[a], a)] = f[a]; \
    if (heat && (a) < 7)                                                                                               \
        scheme_send_warm(g, to, r, layout, h->cell, y[a], a, f[SCHEME_WARM + (a) % 7]);
    SCHEME_DIRECTIONS(SEND)
#undef SEND
    if (heat)
        to[scheme_slot(g, layout, h->cell, SCHEME_WARM)] = f[SCHEME_WARM];
}

KERNEL_FN void scheme_pull(const scheme_grid *g, const real *from, real *to, const scheme_rates *r, int64_t thread,
                           int addressing, int layout, int wall, int heat) {
    scheme_here h;
    real f[SCHEME_MOST];
    if (!scheme_locate(g, addressing, layout, wall, thread, &h))
        return;
    scheme_gather_all(g, from, r, addressing, layout, wall, heat, &h, f);
    scheme_collide(f, r, heat);
    scheme_write(g, to, layout, heat, h.cell, f);
}

KERNEL_FN void scheme_push(const scheme_grid *g, const real *from, real *to, const scheme_rates *r, int64_t thread,
                           int addressing, int layout, int heat) {
    scheme_here h;
    real f[SCHEME_MOST];
    if (!scheme_locate(g, addressing, layout, SCHEME_BOUNCE, thread, &h))
        return;
    scheme_read(g, from, layout, heat, h.cell, f);
    scheme_collide(f, r, heat);
    scheme_scatter(g, to, r, addressing, layout, heat, &h, f);
}

/* AA, even step: slot a holds f_a(x); afterwards slot opposite(a) holds f_a'(x). */
KERNEL_FN void scheme_even(const scheme_grid *g, real *f_all, const scheme_rates *r, int64_t thread, int addressing,
                           int layout, int heat) {
    scheme_here h;
    real f[SCHEME_MOST];
    if (!scheme_locate(g, addressing, layout, SCHEME_BOUNCE, thread, &h))
        return;
    scheme_read(g, f_all, layout, heat, h.cell, f);
    scheme_collide(f, r, heat);
    f_all[scheme_slot(g, layout, h.cell, 0)] = f[0];
#define TURN(a, ex, ey, ez)                                                                                            \
    f_all[scheme_slot(g, layout, h.cell, velocity_set_opposite(a))] = f[a];                                            \
    if (heat && (a) < 7)                                                                                               \
        f_all[scheme_slot(g, layout, h.cell, SCHEME_WARM + velocity_set_opposite(a))] = f[SCHEME_WARM + (a) % 7];
    SCHEME_DIRECTIONS(TURN)
#undef TURN
    if (heat)
        f_all[scheme_slot(g, layout, h.cell, SCHEME_WARM)] = f[SCHEME_WARM];
}

/* AA, odd step (scheme_odd): f_a(x) is in slot opposite(a) of x - e_a, where scheme_fetch reads it; f_a'(x) goes to
 * slot a of x + e_a. Each pair of opposite directions uses the same two places. At a wall the place is slot a of the
 * cell itself. */
KERNEL_FN real scheme_fetch(const scheme_grid *g, const real *f_all, int layout, int64_t cell, int32_t behind,
                            int first, int a) {
    return f_all[behind < 0 ? scheme_slot(g, layout, cell, first + a)
                            : scheme_slot(g, layout, behind, first + velocity_set_opposite(a))];
}
KERNEL_FN void scheme_odd(const scheme_grid *g, real *f_all, const scheme_rates *r, int64_t thread, int addressing,
                          int layout, int heat) {
    scheme_here h;
    real f[SCHEME_MOST];
    int32_t y[19];
    if (!scheme_locate(g, addressing, layout, SCHEME_BOUNCE, thread, &h))
        return;
    scheme_neighbours(g, addressing, layout, &h, y);
    f[0] = f_all[scheme_slot(g, layout, h.cell, 0)];
#define FETCH(a, ex, ey, ez)                                                                                           \
    f[a] = scheme_fetch(g, f_all, layout, h.cell, y[velocity_set_opposite(a)], 0, a);                                  \
    if (heat && (a) < 7) {                                                                                             \
        const real value = scheme_fetch(g, f_all, layout, h.cell, y[velocity_set_opposite(a)], SCHEME_WARM, a);        \
        f[SCHEME_WARM + (a) % 7] = y[velocity_set_opposite(a)] < 0 ? r->wall - value : value;                          \
    }
    SCHEME_DIRECTIONS(FETCH)
#undef FETCH
    if (heat)
        f[SCHEME_WARM] = f_all[scheme_slot(g, layout, h.cell, SCHEME_WARM)];
    scheme_collide(f, r, heat);
    f_all[scheme_slot(g, layout, h.cell, 0)] = f[0];
#define PUT(a, ex, ey, ez)                                                                                             \
    f_all[y[a] < 0 ? scheme_slot(g, layout, h.cell, velocity_set_opposite(a)) : scheme_slot(g, layout, y[a], a)] =     \
        f[a];                                                                                                          \
    if (heat && (a) < 7)                                                                                               \
        scheme_send_warm(g, f_all, r, layout, h.cell, y[a], a, f[SCHEME_WARM + (a) % 7]);
    SCHEME_DIRECTIONS(PUT)
#undef PUT
    if (heat)
        f_all[scheme_slot(g, layout, h.cell, SCHEME_WARM)] = f[SCHEME_WARM];
}

/* Propagation TWO (wang2015): two kernels per step. The first kernel writes collided populations to the second lattice;
 * the second kernel streams them into the first lattice. */
KERNEL_FN void scheme_collide_only(const scheme_grid *g, const real *from, real *to, const scheme_rates *r,
                                   int64_t thread, int addressing, int layout, int wall, int heat) {
    scheme_here h;
    real f[SCHEME_MOST];
    if (!scheme_locate(g, addressing, layout, wall, thread, &h))
        return;
    scheme_read(g, from, layout, heat, h.cell, f);
    scheme_collide(f, r, heat);
    scheme_write(g, to, layout, heat, h.cell, f);
}
KERNEL_FN void scheme_stream_only(const scheme_grid *g, const real *from, real *to, const scheme_rates *r,
                                  int64_t thread, int addressing, int layout, int wall, int heat) {
    scheme_here h;
    real f[SCHEME_MOST];
    if (!scheme_locate(g, addressing, layout, wall, thread, &h))
        return;
    scheme_gather_all(g, from, r, addressing, layout, wall, heat, &h, f);
    scheme_write(g, to, layout, heat, h.cell, f);
}

/* Computes one thread of a sub-step. part: for AA 0 even step, 1 odd step; for TWO 0 collision, 1 streaming; otherwise
 * 0. Not for SHARED. */
KERNEL_FN void scheme_thread(const scheme_grid *g, const real *from, real *to, const scheme_rates *r, int64_t thread,
                             int part, int addressing, int layout, int propagation, int wall, int heat) {
    if (propagation == SCHEME_PULL)
        scheme_pull(g, from, to, r, thread, addressing, layout, wall, heat);
    else if (propagation == SCHEME_PUSH)
        scheme_push(g, from, to, r, thread, addressing, layout, heat);
    else if (propagation == SCHEME_AA && part == 0)
        scheme_even(g, to, r, thread, addressing, layout, heat);
    else if (propagation == SCHEME_AA)
        scheme_odd(g, to, r, thread, addressing, layout, heat);
    else if (part == 0)
        scheme_collide_only(g, from, to, r, thread, addressing, layout, wall, heat);
    else
        scheme_stream_only(g, from, to, r, thread, addressing, layout, wall, heat);
}
#endif
