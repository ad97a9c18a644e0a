/* SPDX-License-Identifier: Apache-2.0 */
/* SHARED (rinaldi2012): the three parts of a step, separated by barriers for the threads of a row. shared [19][nx]:
 * populations of the row; each thread uses its own column. */
#ifndef PORTAFLOW_BENCH_SCHEME_ROW_H
#define PORTAFLOW_BENCH_SCHEME_ROW_H
#include "solve/schemes/scheme_cell.h"

KERNEL_FN void scheme_row_load(const scheme_grid *g, const real *from, int64_t row, int32_t lane, real *shared) {
    scheme_here h;
    if (!scheme_locate(g, SCHEME_DENSE, SCHEME_SOA, SCHEME_BOUNCE, row * g->nx + lane, &h))
        return;
    shared[lane] = from[scheme_slot(g, SCHEME_SOA, h.cell, 0)];
#define LOAD(a, ex, ey, ez)                                                                                            \
    shared[(a)*g->nx + lane] = scheme_receive(g, from, SCHEME_DENSE, SCHEME_SOA, SCHEME_BOUNCE, &h, a, ex, ey, ez);
    SCHEME_DIRECTIONS(LOAD)
#undef LOAD
}
KERNEL_FN void scheme_row_collide(const scheme_grid *g, const collide_rates *r, int64_t row, int32_t lane,
                                  real *shared) {
    real f[19];
    if (!g->fluid[row * g->nx + lane])
        return;
    f[0] = shared[lane];
#define TAKE(a, ex, ey, ez) f[a] = shared[(a)*g->nx + lane];
    SCHEME_DIRECTIONS(TAKE)
#undef TAKE
    collide(f, r);
    shared[lane] = f[0];
#define GIVE(a, ex, ey, ez) shared[(a)*g->nx + lane] = f[a];
    SCHEME_DIRECTIONS(GIVE)
#undef GIVE
}
KERNEL_FN void scheme_row_store(const scheme_grid *g, real *to, int64_t row, int32_t lane, const real *shared) {
    const int64_t cell = row * g->nx + lane;
    if (!g->fluid[cell])
        return;
    to[scheme_slot(g, SCHEME_SOA, cell, 0)] = shared[lane];
#define STORE(a, ex, ey, ez) to[scheme_slot(g, SCHEME_SOA, cell, a)] = shared[(a)*g->nx + lane];
    SCHEME_DIRECTIONS(STORE)
#undef STORE
}
#endif
