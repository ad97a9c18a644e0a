/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/flow/phase_contrast.h"
#include "common/base/status.h"
#include "common/base/order.h"
#include "pipeline/flow/peak_velocity.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STILL_MIN_PIXELS = 60, ROI_MARGIN_PIXELS = 3, UNWRAP_ROUNDS = 5 };
static const double BRIGHT_FRACTION = 0.15, STILL_FRACTION = 0.33;

static size_t value_index(const phase_contrast *p, int t, int y, int x) {
    return ((size_t)t * (size_t)p->ny + (size_t)y) * (size_t)p->nx + (size_t)x;
}

/* Finds the quantile `part` (0 to 1) of the finite values of v[n]; v is unchanged. */
static int find_quantile(const double *v, size_t n, double part, double *value) {
    double *sorted = malloc((n + 1) * sizeof *sorted);
    size_t m = 0;
    if (!sorted)
        return fail_memory("the pixels", 8.0 * (double)n);
    for (size_t k = 0; k < n; k++)
        if (isfinite(v[k]))
            sorted[m++] = v[k];
    qsort(sorted, m, sizeof *sorted, order_double);
    *value = m ? sorted[(size_t)(part * (double)(m - 1))] : NAN;
    free(sorted);
    return OK;
}

static bool near_roi(const phase_contrast *p, int x, int y) {
    for (int j = y - ROI_MARGIN_PIXELS; j <= y + ROI_MARGIN_PIXELS; j++)
        for (int i = x - ROI_MARGIN_PIXELS; i <= x + ROI_MARGIN_PIXELS; i++)
            if (i >= 0 && j >= 0 && i < p->nx && j < p->ny && p->roi[j * p->nx + i])
                return true;
    return false;
}

/* Computes mean and standard deviation over time of each pixel's velocity. NaN in dark tissue and near the region. */
static int find_still_candidates(const phase_contrast *p, double *mean, double *deviation) {
    const size_t n = (size_t)p->nx * (size_t)p->ny;
    double *bright = calloc(n + 1, sizeof *bright), high = 0;
    int rc = bright ? OK : fail_memory("the pixels", 8.0 * (double)n);
    for (size_t k = 0; rc == OK && k < n; k++)
        for (int t = 0; t < p->nt; t++)
            bright[k] += (double)p->bright[(size_t)t * n + k] / p->nt;
    if (rc == OK)
        rc = find_quantile(bright, n, 0.98, &high);
    for (int y = 0; rc == OK && y < p->ny; y++)
        for (int x = 0; x < p->nx; x++) {
            const size_t k = (size_t)y * (size_t)p->nx + (size_t)x;
            double sum = 0, square = 0;
            for (int t = 0; t < p->nt; t++) {
                sum += p->velocity[value_index(p, t, y, x)];
                square += p->velocity[value_index(p, t, y, x)] * p->velocity[value_index(p, t, y, x)];
            }
            mean[k] = sum / p->nt;
            deviation[k] = sqrt(fmax(square / p->nt - mean[k] * mean[k], 0));
            if (!(bright[k] > BRIGHT_FRACTION * high) || near_roi(p, x, y))
                mean[k] = deviation[k] = NAN;
        }
    free(bright);
    return rc;
}

/* Solves the 3 x 3 system of a plane by Cramer's rule; false if the pixels are on one line. */
static bool solve_3x3(double m[3][3], const double r[3], double c[3]) {
    const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                       m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    for (int k = 0; k < 3; k++) {
        double a[3][3];
        memcpy(a, m, sizeof a);
        for (int i = 0; i < 3; i++)
            a[i][k] = r[i];
        c[k] = (a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0])) /
               det;
    }
    return fabs(det) > 1e-6 * m[0][0] * m[0][0] * m[0][0];
}

static bool fit_plane(const phase_contrast *p, const double *mean, const double *deviation, double limit, double c[3],
                      phase_background *found) {
    double m[3][3] = {{0}}, r[3] = {0}, square = 0;
    for (int pass = 0; pass < 2; pass++) {
        found->n = 0;
        for (int y = 0; y < p->ny; y++)
            for (int x = 0; x < p->nx; x++) {
                const size_t k = (size_t)y * (size_t)p->nx + (size_t)x;
                const double f[3] = {1, (double)x / p->nx - 0.5, (double)y / p->ny - 0.5};
                if (!(deviation[k] <= limit))
                    continue;
                found->n++;
                for (int i = 0; i < 3 && pass == 0; i++) {
                    r[i] += f[i] * mean[k];
                    for (int j = 0; j < 3; j++)
                        m[i][j] += f[i] * f[j];
                }
                const double rest = mean[k] - c[0] * f[0] - c[1] * f[1] - c[2] * f[2];
                square += pass == 1 ? rest * rest : 0;
            }
        if (found->n < STILL_MIN_PIXELS || (pass == 0 && !solve_3x3(m, r, c)))
            return false;
    }
    found->spread_m_s = sqrt(square / found->n);
    return true;
}

int phase_contrast_background(phase_contrast *p, phase_background *found) {
    const size_t n = (size_t)p->nx * (size_t)p->ny;
    double *mean = malloc((2 * n + 1) * sizeof *mean), *deviation = mean ? mean + n : NULL, limit = 0, c[3] = {0};
    double sum = 0;
    int rc = OK, pixels = 0;
    *found = (phase_background){0};
    if (!mean)
        return fail_memory("the pixels", 16.0 * (double)n);
    if (!p->bright)
        goto cleanup;
    TRY(find_still_candidates(p, mean, deviation));
    TRY(find_quantile(deviation, n, STILL_FRACTION, &limit));
    if (!fit_plane(p, mean, deviation, limit, c, found)) {
        *found = (phase_background){0};
        goto cleanup;
    }
    for (int y = 0; y < p->ny; y++)
        for (int x = 0; x < p->nx; x++) {
            const double plane = c[0] + c[1] * ((double)x / p->nx - 0.5) + c[2] * ((double)y / p->ny - 0.5);
            for (int t = 0; t < p->nt; t++)
                p->velocity[value_index(p, t, y, x)] -= plane;
            if (p->roi[y * p->nx + x]) {
                sum += plane;
                pixels++;
            }
        }
    found->at_roi_m_s = pixels ? sum / pixels : 0;
cleanup:
    free(mean);
    return rc;
}

/* Unwraps one pixel around the cycle, starting at its slowest instant. Returns true if the cycle closes; otherwise the
 * pixel keeps its values. unwrapped: [nt], scratch. */
static bool unwrap_pixel(phase_contrast *p, int y, int x, double *unwrapped, int *changed) {
    int start = 0, moved = 0;
    for (int t = 1; t < p->nt; t++)
        start = fabs(p->velocity[value_index(p, t, y, x)]) < fabs(p->velocity[value_index(p, start, y, x)]) ? t : start;
    double before = unwrapped[start] = p->velocity[value_index(p, start, y, x)];
    for (int k = 1; k < p->nt; k++) {
        const int t = (start + k) % p->nt;
        const double v = p->velocity[value_index(p, t, y, x)], turns = round((before - v) / (2 * p->venc_m_s));
        moved += turns != 0;
        before = unwrapped[t] = v + 2 * p->venc_m_s * turns;
    }
    if (fabs(before - unwrapped[start]) > p->venc_m_s && p->nt > 1)
        return false;
    for (int t = 0; t < p->nt; t++)
        p->velocity[value_index(p, t, y, x)] = unwrapped[t];
    *changed += moved;
    return true;
}

/* Number of turns of 2 venc by which the pixel's mean differs from the mean of its neighbours in the region,
 * rounded. */
static double turns_to_neighbours(const phase_contrast *p, const double *mean, int y, int x) {
    double sum = 0;
    int n = 0;
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            if ((i != x || j != y) && i >= 0 && j >= 0 && i < p->nx && j < p->ny && p->roi[j * p->nx + i]) {
                sum += mean[j * p->nx + i];
                n++;
            }
    return n ? round((sum / n - mean[y * p->nx + x]) / (2 * p->venc_m_s)) : 0;
}

int phase_contrast_unwrap(phase_contrast *p, phase_unwrapped *found) {
    const size_t n = (size_t)p->nx * (size_t)p->ny;
    double *mean = calloc(n + (size_t)p->nt, sizeof *mean), *unwrapped = mean ? mean + n : NULL;
    *found = (phase_unwrapped){0};
    if (!mean)
        return fail_memory("the pixels", 8.0 * (double)n);
    for (int y = 0; y < p->ny; y++)
        for (int x = 0; x < p->nx; x++) {
            if (!p->roi[y * p->nx + x])
                continue;
            found->doubtful += !unwrap_pixel(p, y, x, unwrapped, &found->changed);
            for (int t = 0; t < p->nt; t++)
                mean[y * p->nx + x] += p->velocity[value_index(p, t, y, x)] / p->nt;
        }
    for (int round = 0, moved = 1; round < UNWRAP_ROUNDS && moved; round++) {
        moved = 0;
        for (int y = 0; y < p->ny; y++)
            for (int x = 0; x < p->nx; x++) {
                const double turns = p->roi[y * p->nx + x] ? turns_to_neighbours(p, mean, y, x) : 0;
                if (turns == 0)
                    continue;
                moved++;
                found->changed += p->nt;
                found->doubtful += round == UNWRAP_ROUNDS - 1;
                mean[y * p->nx + x] += 2 * p->venc_m_s * turns;
                for (int t = 0; t < p->nt; t++)
                    p->velocity[value_index(p, t, y, x)] += 2 * p->venc_m_s * turns;
            }
    }
    free(mean);
    return OK;
}

double phase_contrast_area_mm2(const phase_contrast *p) {
    int n = 0;
    for (int k = 0; k < p->nx * p->ny; k++)
        n += p->roi[k] != 0;
    return n * p->pixel_mm2;
}

int phase_contrast_measure(const phase_contrast *p, double *flow_ml_s, double *mean_m_s, double *peak_m_s, int *n_noise,
                           double *noise_m_s) {
    const double area_mm2 = phase_contrast_area_mm2(p);
    for (int t = 0; t < p->nt; t++) {
        double sum = 0;
        for (int k = 0; k < p->nx * p->ny; k++)
            sum += p->roi[k] ? p->velocity[(size_t)t * (size_t)(p->nx * p->ny) + (size_t)k] : 0;
        flow_ml_s[t] = sum * p->pixel_mm2; /* mm2 times m/s is mL/s */
        mean_m_s[t] = flow_ml_s[t] / area_mm2;
    }
    return peak_velocity_find(p, peak_m_s, n_noise, noise_m_s);
}
