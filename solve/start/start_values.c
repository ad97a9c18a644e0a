/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/start/start_values.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 4,
    CELLS = 64,
    SLOPES = 4
};                               /* SIDE, CELLS: side and number of the cells around a point; SLOPES:
                                            * coefficients of a linear function (1, x, y, z) */
static const double FLAT = 1e-3; /* regularization: a slope that the cells do not determine becomes 0 */
static const double NEAR = 2;    /* width of the layer near the wall, in spacings */

/* The cells around a point. */
typedef struct {
    int n;
    int64_t cell[CELLS];
    double x[CELLS][3]; /* position of each cell relative to the point, in spacings */
} block;

/* Shape function of the velocity near walls: tanh of the wall distance over NEAR; distances in spacings, negative in
 * the fluid. */
static double wall_factor(double distance) {
    return tanh(fmax(-distance, 1e-3) / NEAR);
}

int start_source_create(start_source *s, const lattice *l, const fields *f) {
    *s = (start_source){.l = l, .f = f};
    s->rise = malloc(((size_t)l->n_cell + 1) * sizeof *s->rise);
    if (!s->rise)
        return fail_memory("the start from another lattice", 8.0 * (double)l->n_cell);
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < l->n_cell; c++)
        s->rise[c] = wall_factor(l->distance_mm[c] / l->spacing_mm);
    return lattice_rows_create(&s->rows, l);
}

void start_source_free(start_source *s) {
    lattice_rows_free(&s->rows);
    free(s->rise);
    *s = (start_source){0};
}

static void block_add(const start_source *s, int64_t c, const int low[3], const int at[3], const double x[3],
                      block *b) {
    if (!isfinite(s->f->pressure_pa[c]))
        return;
    for (int a = 0; a < 3; a++)
        b->x[b->n][a] = low[a] + at[a] - x[a];
    b->cell[b->n++] = c;
}

/* Finds cells across a periodic boundary. */
static void find_wrapped(const start_source *s, const int low[3], const double x[3], block *b) {
    for (int k = 0; k < CELLS; k++) {
        const int at[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
        const int64_t c = lattice_rows_find(&s->rows, low[0] + at[0], low[1] + at[1], low[2] + at[2]);
        if (c >= 0)
            block_add(s, c, low, at, x, b);
    }
}

static void rows_find(const start_source *s, start_rows *rows, const int low[3]) {
    const bool same = rows->known && rows->y == low[1] && rows->z == low[2] && rows->x <= low[0];
    for (int k = 0; k < START_ROWS; k++) {
        if (same) {
            while (rows->next[k] < rows->end[k] && s->l->cell[3 * rows->next[k]] < low[0])
                rows->next[k]++;
            continue;
        }
        const int64_t row = lattice_rows_row(&s->rows, low[1] + k % SIDE, low[2] + k / SIDE);
        rows->end[k] = row < 0 ? 0 : s->rows.row[row + 1];
        rows->next[k] = row < 0 ? 0 : lattice_rows_lower(&s->rows, row, low[0]);
    }
    rows->known = true;
    rows->x = low[0];
    rows->y = low[1];
    rows->z = low[2];
}

static void find_block(const start_source *s, start_rows *rows, const double x[3], block *b) {
    int low[3];
    b->n = 0;
    for (int a = 0; a < 3; a++)
        low[a] = (int)floor(x[a]) - 1;
    if (s->l->periodic[0]) {
        find_wrapped(s, low, x, b);
        return;
    }
    rows_find(s, rows, low);
    for (int k = 0; k < START_ROWS; k++)
        for (int64_t c = rows->next[k]; c < rows->end[k] && s->l->cell[3 * c] < low[0] + SIDE; c++)
            block_add(s, c, low, (const int[3]){s->l->cell[3 * c] - low[0], k % SIDE, k / SIDE}, x, b);
}

static void add_weighted(const fields *f, int64_t c, double pressure, double velocity, double value[START_VALUES]) {
    value[0] += pressure * f->pressure_pa[c];
    for (int a = 0; a < 3; a++)
        value[1 + a] += velocity * f->velocity_m_s[3 * c + a];
    for (int a = 0; a < 6; a++)
        value[4 + a] += pressure * f->stress_pa[6 * c + a];
}

static void interpolate_cubic(const fields *f, const block *b, double value[START_VALUES]) {
    double w[3][SIDE];
    for (int a = 0; a < 3; a++) {
        const double t = -b->x[0][a] - 1; /* t: position between the two middle cells, from 0 to 1 */
        w[a][0] = -t * (t - 1) * (t - 2) / 6;
        w[a][1] = (t + 1) * (t - 1) * (t - 2) / 2;
        w[a][2] = -(t + 1) * t * (t - 2) / 2;
        w[a][3] = (t + 1) * t * (t - 1) / 6;
    }
    for (int k = 0; k < CELLS; k++) {
        const double weight = w[0][k % SIDE] * w[1][k / SIDE % SIDE] * w[2][k / (SIDE * SIDE)];
        add_weighted(f, b->cell[k], weight, weight, value);
    }
}

/* Computes the first row of the inverse of a, which is symmetric positive definite. */
static void first_row(double a[SLOPES][SLOPES], double row[SLOPES]) {
    for (int i = 0; i < SLOPES; i++)
        row[i] = i == 0;
    for (int i = 0; i < SLOPES; i++)
        for (int k = i + 1; k < SLOPES; k++) {
            const double factor = a[k][i] / a[i][i];
            for (int j = i; j < SLOPES; j++)
                a[k][j] -= factor * a[i][j];
            row[k] -= factor * row[i];
        }
    for (int i = SLOPES - 1; i >= 0; i--) {
        for (int j = i + 1; j < SLOPES; j++)
            row[i] -= a[i][j] * row[j];
        row[i] /= a[i][i];
    }
}

/* Sets the weight of each cell from its distance to the point. The weight is hardly above 0 from two spacings on. */
static void near_point(const block *b, double near[CELLS]) {
    for (int k = 0; k < b->n; k++) {
        near[k] = 1;
        for (int i = 0; i < 3; i++) {
            const double part = 1 - 0.5 * fabs(b->x[k][i]);
            near[k] *= part > 1e-6 ? part : 1e-6;
        }
    }
}

/* Fits a linear function times `shape` to the values of the cells of b by least squares. Sets weight[k] so that the
 * fitted value at the point is the sum of weight[k] times the value of cell k. here: shape at the point. */
static void fit_weights(const block *b, const double near[CELLS], const double shape[CELLS], double here,
                        double weight[CELLS]) {
    double a[SLOPES][SLOPES] = {{0}}, row[SLOPES];
    for (int k = 0; k < b->n; k++) {
        const double basis[SLOPES] = {shape[k], shape[k] * b->x[k][0], shape[k] * b->x[k][1], shape[k] * b->x[k][2]};
        for (int i = 0; i < SLOPES; i++)
            for (int j = 0; j < SLOPES; j++)
                a[i][j] += near[k] * basis[i] * basis[j];
    }
    for (int i = 1; i < SLOPES; i++)
        a[i][i] += FLAT * a[0][0];
    first_row(a, row);
    for (int k = 0; k < b->n; k++) {
        const double plane = row[0] + row[1] * b->x[k][0] + row[2] * b->x[k][1] + row[3] * b->x[k][2];
        weight[k] = near[k] * (here * plane * shape[k]);
    }
}

bool start_values(const start_source *s, start_rows *rows, const double p[3], double distance_mm,
                  double value[START_VALUES]) {
    const lattice *l = s->l;
    double x[3], near[CELLS], shape[CELLS], pressure[CELLS], velocity[CELLS];
    block b;
    memset(value, 0, START_VALUES * sizeof *value);
    for (int a = 0; a < 3; a++)
        x[a] = (p[a] - l->origin_mm[a]) / l->spacing_mm;
    find_block(s, rows, x, &b);
    if (b.n == CELLS) {
        interpolate_cubic(s->f, &b, value);
        return true;
    }
    if (b.n == 0)
        return false;
    near_point(&b, near);
    for (int k = 0; k < b.n; k++)
        shape[k] = 1;
    fit_weights(&b, near, shape, 1, pressure);
    for (int k = 0; k < b.n; k++)
        shape[k] = s->rise[b.cell[k]];
    fit_weights(&b, near, shape, wall_factor(distance_mm / l->spacing_mm), velocity);
    for (int k = 0; k < b.n; k++)
        add_weighted(s->f, b.cell[k], pressure[k], velocity[k], value);
    return true;
}
