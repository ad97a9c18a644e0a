/* See start_values.h. */
#include "solve/start_values.h"
#include <math.h>
#include <string.h>

enum { SIDE = 4, CELLS = 64, SLOPES = 4 }; /* 1, x, y, z */
static const double FLAT = 1e-3;           /* of a slope that the cells leave open: 0 */
static const double NEAR = 2;              /* spacings from the wall in which the velocity rises */

/* The cells around a point. */
typedef struct {
    int n;
    int64_t cell[CELLS];
    double x[CELLS][3]; /* from the point, in spacings */
} block;

static void find(const lattice *l, const fields *f, const lattice_rows *rows, const double x[3], block *b) {
    int low[3];
    b->n = 0;
    for (int a = 0; a < 3; a++)
        low[a] = (int)floor(x[a]) - 1;
    for (int row = 0; row < SIDE * SIDE; row++) {
        const int y = low[1] + row % SIDE, z = low[2] + row / SIDE;
        int64_t last = -1;
        for (int k = 0; k < SIDE; k++) {
            const bool next = last >= 0 && last + 1 < l->n_cell && l->cell[3 * (last + 1)] == low[0] + k &&
                              l->cell[3 * (last + 1) + 1] == y && l->cell[3 * (last + 1) + 2] == z;
            const int64_t c = next ? last + 1 : lattice_rows_find(rows, low[0] + k, y, z);
            last = c;
            if (c < 0 || !isfinite(f->pressure_pa[c]))
                continue;
            const double at[3] = {low[0] + k - x[0], y - x[1], z - x[2]};
            memcpy(b->x[b->n], at, sizeof at);
            b->cell[b->n++] = c;
        }
    }
}

static void add(const fields *f, int64_t c, double pressure, double velocity, double value[START_VALUES]) {
    value[0] += pressure * f->pressure_pa[c];
    for (int a = 0; a < 3; a++)
        value[1 + a] += velocity * f->velocity_m_s[3 * c + a];
    for (int a = 0; a < 6; a++)
        value[4 + a] += pressure * f->stress_pa[6 * c + a];
}

static void cubic(const fields *f, const block *b, double value[START_VALUES]) {
    double w[3][SIDE];
    for (int a = 0; a < 3; a++) {
        const double t = -b->x[0][a] - 1; /* 0 to 1 between the two in the middle */
        w[a][0] = -t * (t - 1) * (t - 2) / 6;
        w[a][1] = (t + 1) * (t - 1) * (t - 2) / 2;
        w[a][2] = -(t + 1) * t * (t - 2) / 2;
        w[a][3] = (t + 1) * t * (t - 1) / 6;
    }
    for (int k = 0; k < CELLS; k++) {
        const double weight = w[0][k % SIDE] * w[1][k / SIDE % SIDE] * w[2][k / (SIDE * SIDE)];
        add(f, b->cell[k], weight, weight, value);
    }
}

/* First row of the inverse of a, symmetric and positive. */
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

/* Weights of the cells in the value at the point of the plane times `shape` that fits them best; there `here`. */
static void fit(const block *b, const double shape[CELLS], double here, double weight[CELLS]) {
    double a[SLOPES][SLOPES] = {{0}}, row[SLOPES];
    for (int k = 0; k < b->n; k++) {
        const double basis[SLOPES] = {shape[k], shape[k] * b->x[k][0], shape[k] * b->x[k][1], shape[k] * b->x[k][2]};
        weight[k] = 1;
        for (int i = 0; i < 3; i++)
            weight[k] *= fmax(1 - 0.5 * fabs(b->x[k][i]), 1e-6);
        for (int i = 0; i < SLOPES; i++)
            for (int j = 0; j < SLOPES; j++)
                a[i][j] += weight[k] * basis[i] * basis[j];
    }
    for (int i = 1; i < SLOPES; i++)
        a[i][i] += FLAT * a[0][0];
    first_row(a, row);
    for (int k = 0; k < b->n; k++) {
        const double plane = row[0] + row[1] * b->x[k][0] + row[2] * b->x[k][1] + row[3] * b->x[k][2];
        weight[k] *= here * plane * shape[k];
    }
}

/* Of the velocity beside a wall, at a distance in spacings. */
static double rise(double distance) {
    return tanh(fmax(-distance, 1e-3) / NEAR);
}

bool start_values(const lattice *l, const fields *f, const lattice_rows *rows, const double p[3], double distance_mm,
                  double value[START_VALUES]) {
    double x[3], shape[CELLS] = {0}, pressure[CELLS], velocity[CELLS];
    block b;
    memset(value, 0, START_VALUES * sizeof *value);
    for (int a = 0; a < 3; a++)
        x[a] = (p[a] - l->origin_mm[a]) / l->spacing_mm;
    find(l, f, rows, x, &b);
    if (b.n == CELLS) {
        cubic(f, &b, value);
        return true;
    }
    if (b.n == 0)
        return false;
    for (int k = 0; k < b.n; k++)
        shape[k] = 1;
    fit(&b, shape, 1, pressure);
    for (int k = 0; k < b.n; k++)
        shape[k] = rise(l->distance_mm[b.cell[k]] / l->spacing_mm);
    fit(&b, shape, rise(distance_mm / l->spacing_mm), velocity);
    for (int k = 0; k < b.n; k++)
        add(f, b.cell[k], pressure[k], velocity[k], value);
    return true;
}
