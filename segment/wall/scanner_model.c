/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/wall/scanner_model.h"
#include "common/base/status.h"
#include "segment/wall/wall_constants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 5, LINES = 32 }; /* TERMS: number of unknowns of the fit; LINES: lines filtered together */

/* ------------------------------------------------------------------------------------------------ model image */

static bool is_constant(const float *p, size_t stride, int n, int count) {
    for (int i = 0; i < n; i++)
        for (int l = 0; l < count; l++)
            if (p[(size_t)i * stride + (size_t)l] != p[0])
                return false;
    return true;
}

/* Applies the kernel (side, 1 - 2 side, side) once to `count` adjacent lines of n values: value i of line l is p[i *
 * stride + l]. before: work [2][LINES]. */
static void filter_lines(float *p, size_t stride, int n, int count, float side, float *before) {
    for (int l = 0; l < count; l++)
        before[l] = p[l];
    for (int i = 0; i < n; i++) {
        float *at = p + (size_t)i * stride;
        const float *up = i + 1 < n ? at + stride : NULL;
        const float *low = before + (i & 1) * LINES;
        float *now = before + !(i & 1) * LINES;
        for (int l = 0; l < count; l++) {
            const float c = at[l];
            at[l] = c + side * (low[l] + (up != NULL ? up[l] : c) - 2 * c);
            now[l] = c;
        }
    }
}

/* Convolves along one axis with kernels (v / 2, 1 - v, v / 2) of total variance `variance`, voxels^2. Their variance is
 * exact; the variance of a sampled narrow Gaussian is not. Constant blocks far from the wall are skipped. */
static void spread_axis(volume *v, int axis, double variance) {
    const int passes = (int)ceil(variance / PASS_VARIANCE), n = v->dims[axis];
    const float side = (float)(passes > 0 ? variance / passes / 2 : 0);
    const size_t stride = axis == 0 ? 1 : axis == 1 ? (size_t)v->dims[0] : (size_t)v->dims[0] * (size_t)v->dims[1];
    const size_t most = axis == 0 ? 1 : LINES, per = (stride + most - 1) / most;
    const size_t blocks = volume_size(v) / (size_t)n / stride * per;
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t b = 0; b < blocks; b++) {
        float before[2 * LINES];
        const size_t first = b % per * most;
        const int count = (int)(stride - first < most ? stride - first : most);
        float *p = v->value + b / per * stride * (size_t)n + first;
        if (passes == 0 || is_constant(p, stride, n, count))
            continue;
        for (int k = 0; k < passes; k++)
            filter_lines(p, stride, n, count, side, before);
    }
}

/* Set each image voxel of `out` to the mean of its parts[] voxels of `fine`, where the values 1 and 0 become `inside`
 * and `outside`. */
static void mean_of_parts(const volume *fine, const int parts[3], double inside, double outside, volume *out) {
    const double n = (double)parts[0] * parts[1] * parts[2];
#pragma omp parallel for schedule(static)
    for (int k = 0; k < out->dims[2]; k++)
        for (int j = 0; j < out->dims[1]; j++)
            for (int i = 0; i < out->dims[0]; i++) {
                double sum = 0;
                for (int c = 0; c < parts[2]; c++)
                    for (int b = 0; b < parts[1]; b++)
                        for (int a = 0; a < parts[0]; a++)
                            sum +=
                                (double)fine
                                    ->value[volume_index(fine, i * parts[0] + a, j * parts[1] + b, k * parts[2] + c)];
                out->value[volume_index(out, i, j, k)] =
                    (float)(outside + (inside - outside) * (double)(float)(sum / n));
            }
}

int scanner_model_image(const volume *level, const int parts[3], const double variance[3], double inside,
                        double outside, volume *out) {
    volume share = {0};
    int dims[3], rc = OK;
    double spacing[3], first[3], origin[3];
    for (int a = 0; a < 3; a++) {
        dims[a] = level->dims[a] / parts[a];
        spacing[a] = level->spacing_mm[a] * parts[a];
        first[a] = 0.5 * (parts[a] - 1);
    }
    volume_to_lps(level, first, origin);
    TRY(volume_create_like(&share, level));
    TRY(volume_create(out, dims, spacing, origin, level->direction));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        share.value[i] = fminf(FAR_VOXELS, fmaxf(-FAR_VOXELS, level->value[i]));
    for (int a = 0; a < 3; a++)
        spread_axis(&share, a, LINEAR_VARIANCE + VOXEL_VARIANCE);
#pragma omp parallel for schedule(static)
    /* fraction of a voxel inside a plane wall; it is linear in the distance, so that its second moment does not depend
     * on the direction */
    for (size_t i = 0; i < n; i++)
        share.value[i] = fminf(1, fmaxf(0, 0.5F - share.value[i]));
    for (int a = 0; a < 3; a++)
        spread_axis(&share, a, variance[a] / (level->spacing_mm[a] * level->spacing_mm[a]));
    mean_of_parts(&share, parts, inside, outside, out);
cleanup:
    volume_free(&share);
    if (rc != OK)
        volume_free(out);
    return rc;
}

/* -------------------------------------------------------------------------------------------- point spread */

static bool is_thick(const double voxel_mm[3], int axis) {
    return voxel_mm[axis] > THICK_AXIS * fmin(voxel_mm[0], fmin(voxel_mm[1], voxel_mm[2]));
}

void scanner_model_variance(const point_spread *spread, const double voxel_mm[3], double out[3]) {
    for (int a = 0; a < 3; a++)
        out[a] = is_thick(voxel_mm, a) ? spread->across : spread->within;
}

/* Terms of the fit at a voxel of the model image m: 1; m; the derivatives of m with respect to the variance along thin
 * axes, the variance along thick axes, and the position of the wall. */
static void fit_terms_at(const volume *m, int i, int j, int k, double x[TERMS]) {
    const size_t at = volume_index(m, i, j, k);
    const size_t step[3] = {1, (size_t)m->dims[0], (size_t)m->dims[0] * (size_t)m->dims[1]};
    const double here = (double)m->value[at];
    double square = 0;
    x[0] = 1, x[1] = here, x[2] = x[3] = 0;
    for (int a = 0; a < 3; a++) {
        const double up = (double)m->value[at + step[a]], down = (double)m->value[at - step[a]], h = m->spacing_mm[a];
        x[is_thick(m->spacing_mm, a) ? 3 : 2] += (up + down - 2 * here) / (2 * h * h);
        square += pow((up - down) / (2 * h), 2);
    }
    x[4] = sqrt(square);
}

typedef struct {
    /* a: normal matrix; y: right-hand side; square: sum of squared residuals; n: number of voxels */
    double a[TERMS][TERMS], y[TERMS], square;
    double n;
} normal_equations;

/* Solve a x = y and invert a (Gauss-Jordan); false: singular. Without thick slices term 3 is unused. */
static bool solve_normal_equations(const normal_equations *q, bool thick, double x[TERMS],
                                   double inverse[TERMS][TERMS]) {
    double a[TERMS][2 * TERMS] = {{0}};
    for (int r = 0; r < TERMS; r++) {
        for (int c = 0; c < TERMS; c++)
            a[r][c] = q->a[r][c];
        a[r][TERMS + r] = 1;
    }
    if (!thick)
        a[3][3] = 1;
    for (int p = 0; p < TERMS; p++) {
        if (!(a[p][p] > 1e-12 * (q->a[p][p] + 1e-300))) /* no pivoting, because the matrix is positive definite */
            return false;
        const double by = 1 / a[p][p];
        for (int c = 0; c < 2 * TERMS; c++)
            a[p][c] *= by;
        for (int r = 0; r < TERMS; r++) {
            const double f = a[r][p];
            for (int c = 0; c < 2 * TERMS && r != p; c++)
                a[r][c] -= f * a[p][c];
        }
    }
    for (int r = 0; r < TERMS; r++) {
        x[r] = 0;
        for (int c = 0; c < TERMS; c++) {
            inverse[r][c] = a[r][TERMS + c];
            x[r] += inverse[r][c] * q->y[c];
        }
    }
    return true;
}

typedef struct {
    const volume *image, *level, *seen;
    const int *parts;
} comparison;

/* True if the voxel is near the wall and the wall is visible there. */
static bool is_near(const comparison *c, int i, int j, int k, double m) {
    const size_t at = volume_index(c->level, i * c->parts[0] + c->parts[0] / 2, j * c->parts[1] + c->parts[1] / 2,
                                   k * c->parts[2] + c->parts[2] / 2);
    const double h = cbrt(c->level->spacing_mm[0] * c->level->spacing_mm[1] * c->level->spacing_mm[2]);
    if (c->seen != NULL && (double)c->seen->value[at] < 0.5)
        return false;
    return fabs((double)c->level->value[at]) * h < COMPARED_VOXELS * volume_thinnest_mm(c->image) ||
           (m > 0.02 && m < 0.98);
}

/* Add the voxels of slice k to the normal equations. */
static void add_slice(const comparison *c, const volume *m, int k, const double *fit, double most,
                      normal_equations *q) {
    for (int j = MODEL_ROOM; j < m->dims[1] - MODEL_ROOM; j++)
        for (int i = MODEL_ROOM; i < m->dims[0] - MODEL_ROOM; i++) {
            const size_t at = volume_index(m, i, j, k);
            double x[TERMS], miss = (double)c->image->value[at];
            if (!is_near(c, i, j, k, (double)m->value[at]))
                continue;
            fit_terms_at(m, i, j, k, x);
            for (int r = 0; r < TERMS && fit != NULL; r++)
                miss -= fit[r] * x[r];
            if (fit != NULL && fabs(miss) > most)
                continue;
            for (int r = 0; r < TERMS; r++) {
                for (int s = 0; s < TERMS; s++)
                    q->a[r][s] += x[r] * x[s];
                q->y[r] += x[r] * (double)c->image->value[at];
            }
            q->square += miss * miss;
            q->n++;
        }
}

/* Adds the normal equations of all voxels near the wall, except voxels whose residual from the fit exceeds `most` (fit
 * NULL: no voxel is left out). Slices are added in order, so the sum does not depend on the number of threads. */
static int add_voxels(const comparison *c, const volume *m, const double *fit, double most, normal_equations *q) {
    const int n = m->dims[2];
    normal_equations *part = calloc((size_t)n, sizeof *part);
    if (part == NULL)
        return fail_memory("the model image of the wall", n * (double)sizeof *part);
#pragma omp parallel for schedule(dynamic)
    for (int k = MODEL_ROOM; k < n - MODEL_ROOM; k++)
        add_slice(c, m, k, fit, most, &part[k]);
    memset(q, 0, sizeof *q);
    for (int k = 0; k < n; k++) {
        for (int r = 0; r < TERMS; r++) {
            for (int s = 0; s < TERMS; s++)
                q->a[r][s] += part[k].a[r][s];
            q->y[r] += part[k].y[r];
        }
        q->square += part[k].square;
        q->n += part[k].n;
    }
    free(part);
    return OK;
}

/* Mean of a guess and a measured value, weighted by their inverse variances. */
static void combine_estimates(double guess, double guess_sd, double found, double found_sd, double *value, double *sd) {
    const double w = 1 / (guess_sd * guess_sd), u = 1 / (found_sd * found_sd);
    *value = (w * guess + u * found) / (w + u);
    *sd = sqrt(1 / (w + u));
}

/* Estimates the changes of both variances in one round (`change`) and their standard errors (`error`). *known: false if
 * the image does not determine them. */
static int estimate_change(const comparison *c, const volume *m, bool thick, double change[2], double error[2],
                           bool *known) {
    normal_equations q;
    double x[TERMS], inverse[TERMS][TERMS];
    int rc = OK;
    *known = false;
    TRY(add_voxels(c, m, NULL, 0, &q));
    if (q.n < MIN_VOXELS || !solve_normal_equations(&q, thick, x, inverse))
        return OK;
    TRY(add_voxels(c, m, x, INFINITY, &q));
    TRY(add_voxels(c, m, x, OUTLIER * sqrt(q.square / q.n), &q));
    if (q.n < MIN_VOXELS || !solve_normal_equations(&q, thick, x, inverse) || x[1] <= 0)
        return OK;
    TRY(add_voxels(c, m, x, OUTLIER * sqrt(q.square / q.n), &q));
    for (int k = 0; k < 2; k++) {
        change[k] = x[2 + k] / x[1];
        error[k] = sqrt(ALIKE_VOXELS * q.square / q.n * inverse[2 + k][2 + k]) / x[1];
    }
    *known = true;
cleanup:
    return rc;
}

int scanner_model_fit(const volume *image, const volume *level, const volume *seen, const int parts[3],
                      point_spread *spread) {
    const comparison c = {image, level, seen, parts};
    const point_spread guess = *spread;
    const double thin = volume_thinnest_mm(image), thick_mm = volume_thickest_mm(image);
    const bool thick = thick_mm > THICK_AXIS * thin;
    const double most[2] = {pow(MAX_SPREAD * thin, 2), pow(MAX_SPREAD * thick_mm, 2)};
    volume m = {0};
    int rc = OK;
    for (int round = 0; round < FIT_ROUNDS; round++) {
        double change[2], error[2], variance[3];
        bool known;
        scanner_model_variance(spread, image->spacing_mm, variance);
        volume_free(&m);
        TRY(scanner_model_image(level, parts, variance, 1, 0, &m));
        TRY(estimate_change(&c, &m, thick, change, error, &known));
        if (!known) {
            *spread = guess;
            break;
        }
        combine_estimates(guess.within, guess.within_sd, spread->within + change[0], error[0], &spread->within,
                          &spread->within_sd);
        if (thick)
            combine_estimates(guess.across, guess.across_sd, spread->across + change[1], error[1], &spread->across,
                              &spread->across_sd);
        spread->within = fmin(most[0], fmax(0, spread->within));
        spread->across = thick ? fmin(most[1], fmax(0, spread->across)) : spread->within;
    }
cleanup:
    volume_free(&m);
    return rc;
}
