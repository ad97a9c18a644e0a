/* Compiled once per precision: -DSCHEME_REAL=float -DSCHEME_FIELD=scheme_field_float. */
#include "solve/bench/scheme_field.h"
#include <math.h>
#include <string.h>

typedef SCHEME_REAL real;
#include "solve/bench/scheme_cell.h"

static double noise(uint64_t k) {
    k = (k + 1) * 0x9E3779B97F4A7C15u;
    k = (k ^ (k >> 32)) * 0xD6E8FEB86659FD93u;
    k ^= k >> 32;
    return (double)(k >> 11) * 0x1p-52 - 1; /* -1 .. 1 */
}

static void start(const scheme_case *c, void *memory) {
    const int64_t n = c->l.n_cell;
    real *f = memory;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++) {
        const int32_t *p = c->l.cell + 3 * k;
        const real x = (real)(0.02 * sin(0.2 * p[1] + 1)), y = (real)(0.02 * sin(0.17 * p[2])),
                   z = (real)(0.02 * sin(0.13 * p[0] + 2)), rho = (real)(0.01 * sin(0.05 * (p[0] + p[1] + p[2])));
        f[k] = D3Q19_W0 * rho;
        for (int a = 1; a < 19; a++)
            f[a * n + k] = d3q19_weight(a) * (rho + (real)3 * d3q19_dot(a, x, y, z) +
                                              (real)(0.02 * noise((uint64_t)k * 19 + (uint64_t)a)));
    }
}

static collide_rates rates_of(double omega, const double force[3]) {
    const collide_rates r = {(real)omega, (real)omega, {(real)force[0], (real)force[1], (real)force[2]}};
    return r;
}

static void collide_all(const scheme_case *c, double omega, const double force[3], void *memory) {
    const int64_t n = c->l.n_cell;
    const collide_rates r = rates_of(omega, force);
    real *f = memory;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++) {
        real cell[19];
        for (int a = 0; a < 19; a++)
            cell[a] = f[a * n + k];
        collide(cell, &r);
        for (int a = 0; a < 19; a++)
            f[a * n + k] = cell[a];
    }
}

/* What arrives at cell k in direction a: shang2023 eqs. 5-6 in density form; P 0 everywhere is half-way bounce-back. */
static real arrives(const scheme_case *c, int wall, const real *f, int64_t k, int a) {
    const int64_t n = c->l.n_cell;
    const int32_t *p = c->l.cell + 3 * k;
    const int32_t y = scheme_case_cell(c, p[0] - lattice_e[a][0], p[1] - lattice_e[a][1], p[2] - lattice_e[a][2]);
    const real back = f[lattice_opposite(a) * n + k];
    double theta = y < 0 ? 1 : 0;
    if (y >= 0 && wall == SCHEME_PARTIAL)
        theta = fmax(0, ((double)c->solid[y] - c->solid[k]) / (1 - (double)c->solid[k]));
    return y < 0 ? back : (real)(1 - theta) * f[a * n + y] + (real)theta * back;
}

static void reference(const scheme_case *c, int wall, double omega, const double force[3], int steps, void *memory,
                      void *spare) {
    const int64_t n = c->l.n_cell;
    real *f = memory, *g = spare;
    for (int step = 0; step < steps; step++) {
        collide_all(c, omega, force, f);
#pragma omp parallel for schedule(static)
        for (int64_t k = 0; k < n; k++) {
            g[k] = f[k];
            for (int a = 1; a < 19; a++)
                g[a * n + k] = arrives(c, wall, f, k, a);
        }
        memcpy(f, g, 19 * (size_t)n * sizeof *f);
    }
}

static int64_t place_of(const scheme_case *c, const scheme_state *s, int64_t k) {
    const int32_t *p = c->l.cell + 3 * k;
    const scheme *t = &scheme_table[s->id];
    return t->addressing == SCHEME_DENSE ? scheme_place(&s->grid, t->layout, p[0], p[1], p[2]) : k;
}

static void scatter(const scheme_case *c, const scheme_state *s, const void *from, void *to) {
    const int64_t n = c->l.n_cell, all = 19 * s->grid.n_slot;
    const int layout = scheme_table[s->id].layout;
    const real *f = from;
    real *memory = to;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < all; k++)
        memory[k] = (real)NAN;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++)
        for (int a = 0; a < 19; a++)
            memory[scheme_slot(&s->grid, layout, place_of(c, s, k), a)] = f[a * n + k];
}

static void gather(const scheme_case *c, const scheme_state *s, const void *from, void *to) {
    const int64_t n = c->l.n_cell;
    const int layout = scheme_table[s->id].layout;
    const real *memory = from;
    real *f = to;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++)
        for (int a = 0; a < 19; a++)
            f[a * n + k] = memory[scheme_slot(&s->grid, layout, place_of(c, s, k), a)];
}

static double difference(const scheme_case *c, const void *left, const void *right) {
    const int64_t n = 19 * c->l.n_cell;
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

const scheme_field SCHEME_FIELD = {sizeof(real), start, reference, collide_all, scatter, gather, difference, place_of};
