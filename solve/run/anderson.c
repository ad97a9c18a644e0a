/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/run/anderson.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SMALL: added to the diagonal of the normal equations, which is scaled to 1. WEIGHTS_MOST: upper limit of the sum of
 * the absolute weights. */
static const double SMALL = 1e-9, WEIGHTS_MOST = 100;

/* An Anderson step that reverses the last change (goes_back) is made only if the predicted residual is below this
 * fraction of the present residual. */
static const double LITTLE_GAIN = 0.9;

/* 1 / sqrt(3): factor of the density in the sample. With this factor, density and velocity have equal shares of the
 * energy of a sound wave. */
static const double SOUND = 0.57735026918962573;

enum { SEEN = 4 };              /* values per cell: three components of velocity, and density */
enum { GROWTH_VALUES = 20000 }; /* number of values in the sample of anderson_growth */

/* Finds this rank's part of the sample, which is every stride-th cell of the whole lattice. */
static void find_own(anderson *m, const domain *d, int64_t stride) {
    for (int64_t c = 0; c < d->n_cell; c++) {
        const int64_t number = domain_number(d, c);
        if (number % stride == 0) {
            m->own_place[m->n_own] = (int32_t)(number / stride);
            m->own[m->n_own++] = c;
        }
    }
}

int anderson_create(anderson *m, const domain *d) {
    const int64_t n_cell = domain_cells(d), stride = (n_cell + ANDERSON_CELLS - 1) / ANDERSON_CELLS;
    const size_t cells = (size_t)((n_cell + stride - 1) / stride);
    *m = (anderson){.n = SEEN * (int64_t)cells, .places = BACKEND_PLACES};
    m->own = malloc(cells * sizeof *m->own);
    m->own_place = malloc(cells * sizeof *m->own_place);
    m->value = malloc(SEEN * cells * sizeof *m->value);
    m->start = malloc((size_t)m->n * sizeof *m->start);
    m->seen = malloc((size_t)m->n * sizeof *m->seen);
    bool good = m->own && m->own_place && m->value && m->start && m->seen;
    for (int k = 0; k < BACKEND_PLACES; k++) {
        m->end[k] = malloc((size_t)m->n * sizeof *m->end[k]);
        m->residual[k] = malloc((size_t)m->n * sizeof *m->residual[k]);
        good = good && m->end[k] && m->residual[k];
    }
    if (good) {
        find_own(m, d, stride);
        return OK;
    }
    anderson_free(m);
    return fail_memory("the Anderson acceleration", 4.0 * (2 * BACKEND_PLACES + 3) * SEEN * (double)cells);
}

void anderson_free(anderson *m) {
    free(m->own);
    free(m->own_place);
    free(m->value);
    free(m->start);
    free(m->seen);
    for (int k = 0; k < BACKEND_PLACES; k++) {
        free(m->end[k]);
        free(m->residual[k]);
    }
    *m = (anderson){0};
}

/* The sampled values of one cell. */
typedef struct {
    int32_t place; /* position of the cell in the sample */
    float value[SEEN];
} sampled_cell;

static int take_sample(void *to, const void *data, size_t bytes) {
    const sampled_cell *g = data;
    for (size_t k = 0; k < bytes / sizeof *g; k++)
        memcpy((float *)to + SEEN * (int64_t)g[k].place, g[k].value, sizeof g[k].value);
    return OK;
}

int anderson_observe(anderson *m) {
    const size_t bytes = (size_t)m->n * sizeof *m->seen, n = (size_t)m->n_own;
    int rc;
    sampled_cell *own = malloc((n + 1) * sizeof *own);
    if (!own)
        return fail_memory("the Anderson acceleration", 5.0 * (double)m->n);
    for (size_t k = 0; k < n; k++) {
        own[k].place = m->own_place[k];
        memcpy(own[k].value, m->value + SEEN * k, sizeof own[k].value);
        own[k].value[3] *= (float)SOUND;
    }
    TRY(ranks_gather(own, n * sizeof *own, take_sample, m->seen));
    TRY(ranks_share(m->seen, bytes));
cleanup:
    free(own);
    return rc;
}

void anderson_restart(anderson *m) {
    m->count = 0;
    memcpy(m->start, m->seen, (size_t)m->n * sizeof *m->start);
}

int anderson_next_place(const anderson *m) {
    bool taken[BACKEND_PLACES] = {false};
    int free_place = 0;
    if (m->count == m->places)
        return m->place[0];
    for (int k = 0; k < m->count; k++)
        taken[m->place[k]] = true;
    while (taken[free_place])
        free_place++;
    return free_place;
}

static void forget_oldest(anderson *m) {
    m->count--;
    for (int k = 0; k < m->count; k++) {
        m->place[k] = m->place[k + 1];
        m->mass_correction[k] = m->mass_correction[k + 1];
    }
}

static double dot_product(int64_t n, const float *a, const float *b) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < n; k++)
        sum += (double)a[k] * (double)b[k];
    return sum;
}

double anderson_add(anderson *m, double mass_correction) {
    const int place = anderson_next_place(m);
    float *end = m->end[place], *residual = m->residual[place];
    if (m->count == m->places)
        forget_oldest(m);
    memcpy(end, m->seen, (size_t)m->n * sizeof *end);
    for (int64_t k = 0; k < m->n; k++)
        residual[k] = end[k] - m->start[k];
    m->place[m->count] = place;
    m->mass_correction[m->count++] = mass_correction;
    const double size = dot_product(m->n, end, end);
    return size > 0 ? sqrt(dot_product(m->n, residual, residual) / size) : 0;
}

/* Solves a x = b by elimination. a: symmetric, diagonal 1 + SMALL. a and b are overwritten; x is returned in b. */
static void solve_linear(int n, double a[BACKEND_PLACES][BACKEND_PLACES], double *b) {
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            const double factor = a[k][i] / a[i][i];
            for (int j = i; j < n; j++)
                a[k][j] -= factor * a[i][j];
            b[k] -= factor * b[i];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/* Computes weight [count], oldest window first, which minimizes |sum w_i f_i| with sum w_i = 1. gram [i][j] = f_i .
 * f_j, the products of the residuals f. With d_i = f_(i+1) - f_i and c minimizing |f_last - sum c_i d_i|: w_i = c_i -
 * c_(i-1), w_last = 1 - c_(last-1). */
static void minimize_residual(int count, double gram[BACKEND_PLACES][BACKEND_PLACES], double *weight) {
    const int n = count - 1;
    double a[BACKEND_PLACES][BACKEND_PLACES] = {{0}}, c[BACKEND_PLACES] = {0}, size[BACKEND_PLACES];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = gram[i + 1][j + 1] - gram[i + 1][j] - gram[i][j + 1] + gram[i][j];
        size[i] = sqrt(fmax(a[i][i], 1e-300));
        c[i] = (gram[i + 1][n] - gram[i][n]) / size[i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i == j ? 1 + SMALL : a[i][j] / (size[i] * size[j]);
    solve_linear(n, a, c);
    memset(weight, 0, BACKEND_PLACES * sizeof *weight);
    weight[n] = 1;
    for (int i = 0; i < n; i++) {
        weight[i] += c[i] / size[i];
        weight[i + 1] -= c[i] / size[i];
    }
}

/* Computes the differences of the start states and of the residuals of windows i and i + 1, in component k. */
static void window_differences(const anderson *m, int i, int64_t k, double *start, double *residual) {
    const int a = m->place[i], b = m->place[i + 1];
    *residual = (double)m->residual[b][k] - (double)m->residual[a][k];
    *start = (double)m->end[b][k] - (double)m->end[a][k] - *residual;
}

/* Computes c = a b */
static void multiply_matrices(int n, double a[BACKEND_PLACES][BACKEND_PLACES], double b[BACKEND_PLACES][BACKEND_PLACES],
                              double c[BACKEND_PLACES][BACKEND_PLACES]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

/* Spectral radius of a, as |a^(2^k)|^(1 / 2^k) for large k; a is overwritten. */
static double spectral_radius(int n, double a[BACKEND_PLACES][BACKEND_PLACES]) {
    double log_size = 0, square[BACKEND_PLACES][BACKEND_PLACES];
    for (int step = 0; step < 12; step++) {
        double norm = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                norm = fmax(norm, fabs(a[i][j]));
        if (!(norm > 0) || !isfinite(norm))
            return norm > 0 ? INFINITY : 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] /= norm;
        log_size += log(norm) / (1 << step);
        multiply_matrices(n, a, a, square);
        memcpy(a, square, sizeof square);
    }
    return exp(log_size);
}

double anderson_growth(const anderson *m) {
    const int n = m->count - 1;
    /* the stride is odd, so all four components are sampled */
    const int64_t step = m->n / GROWTH_VALUES + 1, every = step + (step % 2 == 0);
    double a[BACKEND_PLACES][BACKEND_PLACES] = {{0}}, b[BACKEND_PLACES][BACKEND_PLACES] = {{0}},
           map[BACKEND_PLACES][BACKEND_PLACES] = {{0}}, size[BACKEND_PLACES];
    for (int64_t k = 0; k < m->n; k += every) {
        double x[BACKEND_PLACES], f[BACKEND_PLACES];
        for (int i = 0; i < n; i++)
            window_differences(m, i, k, &x[i], &f[i]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                a[i][j] += x[i] * x[j];
                b[i][j] += x[i] * (x[j] + f[j]);
            }
    }
    for (int i = 0; i < n; i++)
        size[i] = sqrt(fmax(a[i][i], 1e-300));
    /* column j: coefficients of the j-th difference of end states in the basis of the differences of start states */
    for (int j = 0; j < n; j++) {
        double unit[BACKEND_PLACES][BACKEND_PLACES], c[BACKEND_PLACES];
        for (int i = 0; i < n; i++) {
            c[i] = b[i][j] / (size[i] * size[j]);
            for (int k = 0; k < n; k++)
                unit[i][k] = i == k ? 1 + SMALL : a[i][k] / (size[i] * size[k]);
        }
        solve_linear(n, unit, c);
        for (int i = 0; i < n; i++)
            map[i][j] = c[i];
    }
    return n > 0 ? spectral_radius(n, map) : 0;
}

static void restart_from_combination(anderson *m, const double *by_age, double *weight) {
    memset(weight, 0, BACKEND_PLACES * sizeof *weight);
    memset(m->start, 0, (size_t)m->n * sizeof *m->start);
    for (int i = 0; i < m->count; i++) {
        const float *end = m->end[m->place[i]];
        const float part = (float)by_age[i];
        weight[m->place[i]] = by_age[i];
        for (int64_t k = 0; k < m->n; k++)
            m->start[k] += part * end[k];
    }
}

/* True when the weighted state lies behind the end of the last window, along that window's change, and the residual
 * hardly falls. Where blood crosses a chamber by convection, residuals of successive windows are alike. Their
 * differences then hold no information on the steady state, and the weights would move the flow to and fro. */
static bool goes_back(const anderson *m, double gram[BACKEND_PLACES][BACKEND_PLACES], const double *weight) {
    const int last = m->count - 1;
    const float *way = m->residual[m->place[last]];
    const double here = dot_product(m->n, m->end[m->place[last]], way);
    double left = 0, ahead = 0;
    for (int i = 0; i < m->count; i++) {
        ahead += weight[i] * (dot_product(m->n, m->end[m->place[i]], way) - here);
        for (int j = 0; j < m->count; j++)
            left += weight[i] * weight[j] * gram[i][j];
    }
    return ahead < 0 && left > LITTLE_GAIN * LITTLE_GAIN * gram[last][last];
}

double anderson_combine(anderson *m, double *weight) {
    double by_age[BACKEND_PLACES], gram[BACKEND_PLACES][BACKEND_PLACES] = {{0}}, sum, mass_correction = 0;
    do {
#pragma omp parallel for schedule(dynamic, 1)
        for (int i = 0; i < m->count; i++)
            for (int j = i; j < m->count; j++)
                gram[i][j] = gram[j][i] = dot_product(m->n, m->residual[m->place[i]], m->residual[m->place[j]]);
        minimize_residual(m->count, gram, by_age);
        sum = 0;
        for (int i = 0; i < m->count; i++)
            sum += fabs(by_age[i]);
        if (!(sum <= WEIGHTS_MOST))
            forget_oldest(m);
    } while (!(sum <= WEIGHTS_MOST));
    if (goes_back(m, gram, by_age))
        for (int i = 0; i < m->count; i++)
            by_age[i] = i == m->count - 1;
    restart_from_combination(m, by_age, weight);
    for (int i = 0; i < m->count; i++)
        mass_correction += by_age[i] * m->mass_correction[i];
    return mass_correction;
}

double anderson_undo(anderson *m, int back, double *weight) {
    const double one = 1;
    m->count = m->count > back ? m->count - back : 1;
    while (m->count > 1)
        forget_oldest(m);
    restart_from_combination(m, &one, weight);
    return m->mass_correction[0];
}
