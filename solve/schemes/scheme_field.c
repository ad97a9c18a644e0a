/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled once per precision: -DSCHEME_REAL=float -DSCHEME_FIELD=scheme_field_float. */
#include "solve/schemes/scheme_field.h"
#include <math.h>
#include <string.h>

typedef SCHEME_REAL real;
#include "solve/schemes/scheme_cell.h"

static double noise_of(uint64_t k) {
    k = (k + 1) * 0x9E3779B97F4A7C15u;
    k = (k ^ (k >> 32)) * 0xD6E8FEB86659FD93u;
    k ^= k >> 32;
    return (double)(k >> 11) * 0x1p-52 - 1; /* a random number from -1 to 1 */
}

static void start_field(const scheme_case *c, bool heat, void *memory) {
    const int64_t n = c->l.n_cell;
    real *f = memory;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++) {
        const int32_t *p = c->l.cell + 3 * k;
        const real x = (real)(0.02 * sin(0.2 * p[1] + 1)), y = (real)(0.02 * sin(0.17 * p[2])),
                   z = (real)(0.02 * sin(0.13 * p[0] + 2)), rho = (real)(0.01 * sin(0.05 * (p[0] + p[1] + p[2])));
        f[k] = D3Q19_W0 * rho;
        for (int a = 1; a < 19; a++)
            f[a * n + k] = velocity_set_weight(a) * (rho + (real)3 * velocity_set_dot(a, x, y, z) +
                                                     (real)(0.02 * noise_of((uint64_t)k * 19 + (uint64_t)a)));
        for (int a = 0; heat && a < 7; a++)
            f[(SCHEME_WARM + a) * n + k] =
                (real)((a ? 0.125 : 0.25) * (0.02 * sin(0.11 * p[0] - 0.07 * p[1] + 0.13 * p[2]) +
                                             0.01 * noise_of(~((uint64_t)k * 7 + (uint64_t)a))));
    }
}

static void collide_all(const scheme_case *c, bool heat, const scheme_physics *p, void *memory) {
    const int64_t n = c->l.n_cell;
    const int slots = scheme_slots(heat);
    const scheme_rates r = scheme_rates_of(p);
    real *f = memory;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++) {
        real cell[SCHEME_MOST];
        for (int a = 0; a < slots; a++)
            cell[a] = f[a * n + k];
        if (heat)
            heat_collide_cell(cell, cell + SCHEME_WARM, &r.flow, &r.heat, 0);
        else
            collide(cell, &r.flow);
        for (int a = 0; a < slots; a++)
            f[a * n + k] = cell[a];
    }
}

/* Population that arrives at cell k in direction a: shang2023 eqs. 5-6 in density form; P = 0 everywhere is half-way
 * bounce-back. */
static real arriving_population(const scheme_case *c, int wall, const real *f, int64_t k, int a) {
    const int64_t n = c->l.n_cell;
    const int32_t *p = c->l.cell + 3 * k;
    const int32_t y = scheme_case_cell(c, p[0] - lattice_e[a][0], p[1] - lattice_e[a][1], p[2] - lattice_e[a][2]);
    const real back = f[lattice_opposite(a) * n + k];
    double theta = y < 0 ? 1 : 0;
    if (y >= 0 && wall == SCHEME_PARTIAL)
        theta = fmax(0, ((double)c->solid[y] - c->solid[k]) / (1 - (double)c->solid[k]));
    return y < 0 ? back : (real)(1 - theta) * f[a * n + y] + (real)theta * back;
}

/* As arriving_population, for the temperature. A wall half-way to the neighbour cell has the temperature T = `wall`:
 * g_a = T/4 - g_i'. warm: populations of the temperature. */
static real arrives_warm(const scheme_case *c, double wall, const real *warm, int64_t k, int a) {
    const int64_t n = c->l.n_cell;
    const int32_t *p = c->l.cell + 3 * k;
    const int32_t y = scheme_case_cell(c, p[0] - lattice_e[a][0], p[1] - lattice_e[a][1], p[2] - lattice_e[a][2]);
    return y < 0 ? (real)(0.25 * wall) - warm[lattice_opposite(a) * n + k] : warm[a * n + y];
}

static void step_reference(const scheme_case *c, int wall, bool heat, const scheme_physics *p, int steps, void *memory,
                           void *spare) {
    const int64_t n = c->l.n_cell;
    real *f = memory, *g = spare;
    for (int step = 0; step < steps; step++) {
        collide_all(c, heat, p, f);
#pragma omp parallel for schedule(static)
        for (int64_t k = 0; k < n; k++) {
            g[k] = f[k];
            for (int a = 1; a < 19; a++)
                g[a * n + k] = arriving_population(c, wall, f, k, a);
            if (heat)
                g[SCHEME_WARM * n + k] = f[SCHEME_WARM * n + k];
            for (int a = 1; heat && a < 7; a++)
                g[(SCHEME_WARM + a) * n + k] = arrives_warm(c, p->wall, f + SCHEME_WARM * n, k, a);
        }
        memcpy(f, g, (size_t)scheme_slots(heat) * (size_t)n * sizeof *f);
    }
}

static int64_t place_of(const scheme_case *c, const scheme_state *s, int64_t k) {
    const int32_t *p = c->l.cell + 3 * k;
    const scheme *t = &scheme_table[s->id];
    return t->addressing == SCHEME_DENSE ? scheme_place(&s->grid, t->layout, p[0], p[1], p[2]) : k;
}

static void scatter_to_scheme(const scheme_case *c, const scheme_state *s, const void *from, void *to) {
    const int64_t n = c->l.n_cell, all = scheme_slots(s->heat) * s->grid.n_slot;
    const int layout = scheme_table[s->id].layout, slots = scheme_slots(s->heat);
    const real *f = from;
    real *memory = to;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < all; k++)
        memory[k] = (real)NAN;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++)
        for (int a = 0; a < slots; a++)
            memory[scheme_slot(&s->grid, layout, place_of(c, s, k), a)] = f[a * n + k];
}

static void gather_from_scheme(const scheme_case *c, const scheme_state *s, const void *from, void *to) {
    const int64_t n = c->l.n_cell;
    const int layout = scheme_table[s->id].layout, slots = scheme_slots(s->heat);
    const real *memory = from;
    real *f = to;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++)
        for (int a = 0; a < slots; a++)
            f[a * n + k] = memory[scheme_slot(&s->grid, layout, place_of(c, s, k), a)];
}

static double field_difference(const scheme_case *c, bool heat, const void *left, const void *right) {
    const int64_t n = scheme_slots(heat) * c->l.n_cell;
    const real *a = left, *b = right;
    double worst = 0, largest = 0;
    int64_t bad = 0;
#pragma omp parallel for schedule(static) reduction(max : worst, largest) reduction(+ : bad)
    for (int64_t k = 0; k < n; k++) {
        bad += !isfinite(a[k]) || !isfinite(b[k]);
        worst = fmax(worst, fabs((double)a[k] - b[k]));
        largest = fmax(largest, fabs((double)b[k]));
    }
    return bad > 0 || !(largest > 0) ? INFINITY : worst / largest;
}

const scheme_field SCHEME_FIELD = {sizeof(real),      start_field,        step_reference,   collide_all,
                                   scatter_to_scheme, gather_from_scheme, field_difference, place_of};
