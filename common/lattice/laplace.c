/* SPDX-License-Identifier: Apache-2.0 */
#include "common/lattice/laplace.h"
#include "common/base/status.h"
#include "common/lattice/laplace_levels.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 16384 /* cells per partial sum; the parts are fixed, so that a sum does not depend on the number of
                      * threads */
};

int laplace_create(laplace *a, int64_t n, int64_t n_entry) {
    memset(a, 0, sizeof *a);
    a->n = n;
    a->first = calloc((size_t)n + 1, sizeof *a->first);
    a->other = malloc((size_t)(n_entry + 1) * sizeof *a->other);
    a->g = malloc((size_t)(n_entry + 1) * sizeof *a->g);
    a->ground = calloc((size_t)n + 1, sizeof *a->ground);
    a->diagonal = calloc((size_t)n + 1, sizeof *a->diagonal);
    if (a->first && a->other && a->g && a->ground && a->diagonal)
        return OK;
    laplace_free(a);
    return fail_memory("the potential flow", 16.0 * (double)n + 8.0 * (double)n_entry);
}

void laplace_free(laplace *a) {
    free(a->first);
    free(a->other);
    free(a->g);
    free(a->ground);
    free(a->diagonal);
    memset(a, 0, sizeof *a);
}

void laplace_diagonal(laplace *a) {
#pragma omp parallel for schedule(static) if (a->n > CHUNK)
    for (int64_t i = 0; i < a->n; i++) {
        double sum = a->ground[i];
        for (int64_t k = a->first[i]; k < a->first[i + 1]; k++)
            sum += a->g[k];
        a->diagonal[i] = (float)sum;
    }
}

/* State of the conjugate gradient iteration. */
typedef struct {
    const laplace *a;
    int64_t n_chunk;
    double *x, *r, *p, *q, *part, *other_part;
    laplace_levels m;
} iteration;

static double sum_parts(const double *part, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += part[k];
    return sum;
}

static int64_t chunk_end(const iteration *w, int64_t k) {
    return (k + 1) * CHUNK < w->a->n ? (k + 1) * CHUNK : w->a->n;
}

/* Computes q = A p; returns p . q */
static double multiply_matrix(iteration *w) {
    const laplace *a = w->a;
#pragma omp parallel for schedule(static) if (w->n_chunk > 1)
    for (int64_t k = 0; k < w->n_chunk; k++) {
        double sum = 0;
        for (int64_t i = k * CHUNK; i < chunk_end(w, k); i++) {
            double value = (double)a->diagonal[i] * w->p[i];
            for (int64_t e = a->first[i]; e < a->first[i + 1]; e++)
                value -= (double)a->g[e] * w->p[a->other[e]];
            w->q[i] = value;
            sum += w->p[i] * value;
        }
        w->part[k] = sum;
    }
    return sum_parts(w->part, w->n_chunk);
}

/* Updates x += alpha p, r -= alpha q, b of level 0 = r; returns r . D^-1 r */
static double update_solution(iteration *w, double alpha) {
    float *b = w->m.level[0].b;
#pragma omp parallel for schedule(static) if (w->n_chunk > 1)
    for (int64_t k = 0; k < w->n_chunk; k++) {
        double sum = 0;
        for (int64_t i = k * CHUNK; i < chunk_end(w, k); i++) {
            w->x[i] += alpha * w->p[i];
            w->r[i] -= alpha * w->q[i];
            b[i] = (float)w->r[i];
            if (w->a->diagonal[i] > 0)
                sum += w->r[i] * w->r[i] / (double)w->a->diagonal[i];
        }
        w->part[k] = sum;
    }
    return sum_parts(w->part, w->n_chunk);
}

/* Applies the preconditioner, z = M r; returns r . z. *change: z . (r - previous r). A beta from *change (flexible
 * conjugate gradients) tolerates a preconditioner with rounding errors. */
static double apply_preconditioner(iteration *w, double alpha, double *change) {
    laplace_levels_cycle(&w->m);
    const float *z = w->m.level[0].x;
#pragma omp parallel for schedule(static) if (w->n_chunk > 1)
    for (int64_t k = 0; k < w->n_chunk; k++) {
        double sum = 0, moved = 0;
        for (int64_t i = k * CHUNK; i < chunk_end(w, k); i++) {
            sum += w->r[i] * (double)z[i];
            moved -= alpha * w->q[i] * (double)z[i];
        }
        w->part[k] = sum;
        w->other_part[k] = moved;
    }
    *change = sum_parts(w->other_part, w->n_chunk);
    return sum_parts(w->part, w->n_chunk);
}

/* Updates p = z + beta p */
static void update_direction(iteration *w, double beta) {
    const float *z = w->m.level[0].x;
#pragma omp parallel for schedule(static) if (w->n_chunk > 1)
    for (int64_t i = 0; i < w->a->n; i++)
        w->p[i] = (double)z[i] + beta * w->p[i];
}

static int iteration_create(iteration *w, const laplace *a, const int32_t *at, const double *b, double *x) {
    const size_t n = (size_t)a->n + 1;
    *w = (iteration){.a = a, .n_chunk = (a->n + CHUNK - 1) / CHUNK, .x = x};
    w->r = malloc(n * sizeof *w->r);
    w->p = malloc(n * sizeof *w->p);
    w->q = calloc(n, sizeof *w->q);
    w->part = malloc((size_t)(w->n_chunk + 1) * sizeof *w->part);
    w->other_part = malloc((size_t)(w->n_chunk + 1) * sizeof *w->other_part);
    if (!w->r || !w->p || !w->q || !w->part || !w->other_part)
        return fail_memory("the potential flow", 24.0 * (double)n);
#pragma omp parallel for schedule(static) if (w->n_chunk > 1)
    for (int64_t i = 0; i < a->n; i++) {
        const bool part = a->diagonal[i] > 0;
        x[i] = part ? x[i] : 0;
        w->p[i] = x[i];
        w->r[i] = part ? b[i] : 0;
    }
    return laplace_levels_create(&w->m, a, at);
}

static void iteration_free(iteration *w) {
    laplace_levels_free(&w->m);
    free(w->r);
    free(w->p);
    free(w->q);
    free(w->part);
    free(w->other_part);
}

int laplace_solve(const laplace *a, const int32_t *at, const double *b, double *x, double tolerance, int most,
                  laplace_report *report) {
    int rc, step = 0;
    iteration w;
    *report = (laplace_report){0};
    TRY(iteration_create(&w, a, at, b, x));
    const double right = update_solution(&w, 0);
    /* r = b - A x: q = A x, because p holds x; update_solution with p = 0 and alpha = 1 then leaves x unchanged */
    multiply_matrix(&w);
    memset(w.p, 0, (size_t)a->n * sizeof *w.p);
    double now = update_solution(&w, 1), change, rz = 0, alpha = 0;
    for (; step < most && now > tolerance * tolerance * right; step++) {
        const double before = rz;
        rz = apply_preconditioner(&w, alpha, &change);
        update_direction(&w, before > 0 ? change / before : 0);
        const double curvature = multiply_matrix(&w);
        if (!(curvature > 0) || !isfinite(curvature) || !(rz > 0))
            break;
        alpha = rz / curvature;
        now = update_solution(&w, alpha);
    }
    report->steps = step;
    report->residual = right > 0 ? sqrt(now / right) : 0;
cleanup:
    iteration_free(&w);
    return rc;
}
