/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of the CPU over the threads of a scheme, compiled once per precision: -DSCHEME_REAL=float
 * -DSCHEME_STEP=scheme_cpu_step_float. */
#include "common/base/status.h"
#include "solve/schemes/scheme_device.h"
#include <stdlib.h>

typedef SCHEME_REAL real;
#include "solve/schemes/scheme_row.h"

typedef void sweep(const scheme_state *s, const scheme_pass *p, const scheme_rates *r);

/* Defines one function per scheme. In its loop all parameters except wall and heat are compile-time constants. */
#define SWEEP(id, name, addressing, layout, propagation, partial, who)                                                 \
    static void sweep_##id(const scheme_state *s, const scheme_pass *p, const scheme_rates *r) {                       \
        const int64_t n = scheme_threads(s);                                                                           \
        const scheme_grid g = s->grid;                                                                                 \
        const real *from = p->from;                                                                                    \
        real *to = p->to;                                                                                              \
        const int part = p->part, wall = (partial) ? s->wall : SCHEME_BOUNCE;                                          \
        _Pragma("omp parallel for schedule(static) num_threads(s->threads)") for (int64_t t = 0; t < n; t++) {         \
            if (s->heat && SCHEME_##addressing != SCHEME_DENSE)                                                        \
                scheme_thread(&g, from, to, r, t, part, SCHEME_##addressing, SCHEME_##layout, SCHEME_##propagation,    \
                              SCHEME_BOUNCE, 1);                                                                       \
            else if (wall == SCHEME_BOUNCE)                                                                            \
                scheme_thread(&g, from, to, r, t, part, SCHEME_##addressing, SCHEME_##layout, SCHEME_##propagation,    \
                              SCHEME_BOUNCE, 0);                                                                       \
            else                                                                                                       \
                scheme_thread(&g, from, to, r, t, part, SCHEME_##addressing, SCHEME_##layout, SCHEME_##propagation,    \
                              SCHEME_PARTIAL, 0);                                                                      \
        }                                                                                                              \
    }
SCHEME_LIST_OF_ALL(SWEEP)
#undef SWEEP

#define SWEEP(id, ...) sweep_##id,
static sweep *const sweeps[] = {SCHEME_LIST_OF_ALL(SWEEP)};
#undef SWEEP

static int sweep_rows(const scheme_state *s, const scheme_pass *p, const scheme_rates *r) {
    const scheme_grid g = s->grid;
    const int64_t rows = (int64_t)g.ny * g.nz;
    int bad = 0;
#pragma omp parallel num_threads(s->threads) reduction(+ : bad)
    {
        real *shared = malloc(19 * (size_t)g.nx * sizeof *shared);
        bad += shared == NULL;
#pragma omp for schedule(static)
        for (int64_t row = 0; row < rows; row++) {
            for (int32_t x = 0; shared && x < g.nx; x++)
                scheme_row_load(&g, p->from, row, x, shared);
            for (int32_t x = 0; shared && x < g.nx; x++)
                scheme_row_collide(&g, &r->flow, row, x, shared);
            for (int32_t x = 0; shared && x < g.nx; x++)
                scheme_row_store(&g, p->to, row, x, shared);
        }
        free(shared);
    }
    return bad ? fail_memory("the rows of cells", 19.0 * g.nx * sizeof(real)) : OK;
}

int SCHEME_STEP(scheme_state *s, int n) {
    const scheme_rates r = scheme_rates_of(&s->physics);
    int rc = OK;
    for (int k = 0; k < n && rc == OK; k++) {
        scheme_pass pass[2];
        const int passes = scheme_next(s, pass);
        for (int i = 0; i < passes && rc == OK; i++)
            if (scheme_table[s->id].propagation == SCHEME_SHARED)
                rc = sweep_rows(s, &pass[i], &r);
            else
                sweeps[s->id](s, &pass[i], &r);
    }
    return rc;
}
