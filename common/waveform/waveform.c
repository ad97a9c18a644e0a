/* SPDX-License-Identifier: Apache-2.0 */
/* The periodic cubic spline through the flow samples of a waveform. waveform_read.c reads them from the CSV file. */
#include "common/waveform/waveform.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of the interval after knot i; the last interval closes the period. */
static double interval_length(const waveform *w, int i) {
    return (i + 1 < w->n ? w->time_s[i + 1] : w->period_s) - w->time_s[i];
}

/* Thomas algorithm for two right-hand sides a and b, which become the solutions. */
static void solve_tridiagonal(int n, const double *low, double *diagonal, const double *high, double *a, double *b) {
    for (int i = 1; i < n; i++) {
        double factor = low[i] / diagonal[i - 1];
        diagonal[i] -= factor * high[i - 1];
        a[i] -= factor * a[i - 1];
        b[i] -= factor * b[i - 1];
    }
    a[n - 1] /= diagonal[n - 1];
    b[n - 1] /= diagonal[n - 1];
    for (int i = n - 2; i >= 0; i--) {
        a[i] = (a[i] - high[i] * a[i + 1]) / diagonal[i];
        b[i] = (b[i] - high[i] * b[i + 1]) / diagonal[i];
    }
}

/* Second derivatives M of the periodic spline (de Boor 1978, chapter IV, for a closed curve):
 *   h[i-1] M[i-1] + 2 (h[i-1] + h[i]) M[i] + h[i] M[i+1] = 6 (slope[i] - slope[i-1]),  indices modulo n
 * The Sherman-Morrison formula handles the corner entries; the matrix is diagonally dominant. */
static void fit_spline(waveform *w, double *work) {
    int n = w->n;
    double *low = work, *diagonal = work + n, *high = work + 2 * n, *u = work + 3 * n, *m = w->curvature;
    for (int i = 0; i < n; i++) {
        int before = (i + n - 1) % n, after = (i + 1) % n;
        double h0 = interval_length(w, before), h1 = interval_length(w, i);
        double slope0 = (w->flow_m3_s[i] - w->flow_m3_s[before]) / h0;
        double slope1 = (w->flow_m3_s[after] - w->flow_m3_s[i]) / h1;
        low[i] = h0;
        diagonal[i] = 2 * (h0 + h1);
        high[i] = h1;
        u[i] = 0;
        m[i] = 6 * (slope1 - slope0);
    }
    if (n == 2) { /* with two knots both neighbours of a knot are the other knot */
        double off = low[0] + high[0], det = diagonal[0] * diagonal[1] - off * off;
        double m0 = (m[0] * diagonal[1] - off * m[1]) / det;
        m[1] = (diagonal[0] * m[1] - off * m[0]) / det;
        m[0] = m0;
        return;
    }
    double corner = low[0], gamma = -diagonal[0]; /* corner entry of the cyclic matrix, low[0] = high[n-1] because
                                                   * the matrix is symmetric; gamma: shift of the Sherman-Morrison
                                                   * formula */
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * corner / gamma;
    u[0] = gamma;
    u[n - 1] = corner;
    solve_tridiagonal(n, low, diagonal, high, m, u);
    double share = (m[0] + corner / gamma * m[n - 1]) / (1 + u[0] + corner / gamma * u[n - 1]);
    for (int i = 0; i < n; i++)
        m[i] -= share * u[i];
}

static int check_samples(int n, const double *time_s, const double *flow_m3_s, double period_s) {
    if (n < 2)
        return fail(
            ERR_INPUT,
            "a waveform needs at least 2 samples in its period, but has %d; add rows (t_s,flow_ml_s) to its file", n);
    for (int i = 0; i < n; i++) {
        if (!isfinite(flow_m3_s[i]) || !isfinite(time_s[i]))
            return fail(ERR_INPUT,
                        "row %d of a waveform has a time or flow that is not a finite number; correct the row", i + 1);
        if (i == 0 ? time_s[0] != 0 : !(time_s[i] > time_s[i - 1]))
            return fail(ERR_INPUT, "the times of a waveform must ascend from 0 s, but row %d is at %g s; sort the rows",
                        i + 1, time_s[i]);
    }
    if (!isfinite(period_s) || !(period_s > time_s[n - 1]))
        return fail(ERR_INPUT,
                    "the period of a waveform, %g s, must be longer than the time of its last row, %g s; correct one "
                    "of the two",
                    period_s, time_s[n - 1]);
    return OK;
}

int waveform_create(waveform *w, int n, const double *time_s, const double *flow_m3_s, double period_s) {
    memset(w, 0, sizeof *w);
    int rc = check_samples(n, time_s, flow_m3_s, period_s);
    if (rc != OK)
        return rc;
    size_t bytes = (size_t)n * sizeof(double);
    double *work = calloc(4, bytes);
    w->time_s = malloc(bytes);
    w->flow_m3_s = malloc(bytes);
    w->curvature = malloc(bytes);
    if (!work || !w->time_s || !w->flow_m3_s || !w->curvature) {
        free(work);
        waveform_free(w);
        return fail_memory("a waveform", 7.0 * (double)bytes);
    }
    w->n = n;
    w->period_s = period_s;
    memcpy(w->time_s, time_s, bytes);
    memcpy(w->flow_m3_s, flow_m3_s, bytes);
    fit_spline(w, work);
    free(work);
    for (int i = 0; i < n; i++)
        if (!isfinite(w->curvature[i])) {
            waveform_free(w);
            return fail(ERR_INPUT, "the flows of a waveform are too large, or their times too close together, for a "
                                   "smooth curve; check the units (s, mL/s)");
        }
    return OK;
}

void waveform_free(waveform *w) {
    free(w->time_s);
    free(w->flow_m3_s);
    free(w->curvature);
    memset(w, 0, sizeof *w);
}

/* Last knot at or before t, 0 <= t < period. */
static int find_knot(const waveform *w, double t) {
    int low = 0, high = w->n;
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (w->time_s[mid] <= t)
            low = mid;
        else
            high = mid;
    }
    return low;
}

double waveform_flow_m3_s(const waveform *w, double time_s) {
    double t = fmod(time_s, w->period_s);
    if (t < 0)
        t += w->period_s;
    int i = find_knot(w, t), next = (i + 1) % w->n;
    double h = interval_length(w, i), b = (t - w->time_s[i]) / h, a = 1 - b;
    return a * w->flow_m3_s[i] + b * w->flow_m3_s[next] +
           ((a * a * a - a) * w->curvature[i] + (b * b * b - b) * w->curvature[next]) * h * h / 6;
}

/* A mean below this fraction of the mean absolute flow counts as 0: it results from rounded decimals in the file */
static const double ROUNDING = 1e-6;

double waveform_mean_m3_s(const waveform *w) {
    double sum = 0, size = 0;
    for (int i = 0; i < w->n; i++) {
        int next = (i + 1) % w->n;
        double h = interval_length(w, i);
        size += h * fabs(w->flow_m3_s[i]);
        sum += h * (w->flow_m3_s[i] + w->flow_m3_s[next]) / 2 - h * h * h * (w->curvature[i] + w->curvature[next]) / 24;
    }
    return fabs(sum) > ROUNDING * size ? sum / w->period_s : 0;
}

double waveform_square_ratio(const waveform *w) {
    enum { POINTS = 1024 };
    const double mean = waveform_mean_m3_s(w);
    double sum = 0;
    for (int k = 0; k < POINTS; k++)
        sum += pow(waveform_flow_m3_s(w, w->period_s * k / POINTS), 2);
    return mean != 0 ? sum / POINTS / (mean * mean) : INFINITY;
}

double waveform_peak_m3_s(const waveform *w) {
    double peak = 0;
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < 64; k++)
            peak = fmax(peak, fabs(waveform_flow_m3_s(w, w->time_s[i] + interval_length(w, i) * k / 64)));
    return peak;
}
