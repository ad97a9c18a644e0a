/* SPDX-License-Identifier: Apache-2.0 */
/* Periodic flow waveforms. */
#ifndef PORTAFLOW_WAVEFORM_H
#define PORTAFLOW_WAVEFORM_H
#include "common/base/must_check.h"
#include <stdbool.h>

/* One period of a flow waveform, read from CSV with the header "t_s,flow_ml_s", 3 rows or more, t ascending from 0. If
 * the last flow equals the first, the period is the last t. Otherwise the period is the last t plus the last step,
 * which must be similar to the other steps. A comment "# rows: N" must match the number of rows, which detects a
 * truncated file. A comment "# mean flow 4.1 mL/s, 95 % interval +- 0.2 mL/s" states the interval of the mean flow; it
 * counts if the stated mean equals the mean of the rows, to 1 %. A comment "# unreliable: REASON" states that the
 * measurement is in doubt. */
typedef struct {
    int n;
    double *time_s, *flow_m3_s, *curvature; /* [n] knots of a periodic cubic spline: times, flows, second derivatives */
    double period_s;
    double mean_error_m3_s; /* half-width of the stated 95 % interval of the mean flow; 0: none */
    double stated_mean_m3_s;
    bool wrong_mean; /* true: the stated mean is not the mean of the rows, so its interval is ignored */
    bool unreliable; /* true: the file states that the flow is unreliable */
} waveform;
/* reads a waveform. Errors: ERR_INPUT with file:line, ERR_RESOURCE */
MUST_CHECK int waveform_read(const char *path, waveform *w);

/* Creates a waveform from n >= 2 samples of one period: time_s [n] ascending from 0, flow_m3_s [n], period_s > time_s[n
 * - 1]. The arrays are copied. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int waveform_create(waveform *w, int n, const double *time_s, const double *flow_m3_s, double period_s);
void waveform_free(waveform *w); /* safe on a zeroed struct and twice */

/* Flow at any time (periodic). */
double waveform_flow_m3_s(const waveform *w, double time_s);
/* Exact mean of the spline over one period; 0 if below 1e-6 of the mean absolute flow. */
double waveform_mean_m3_s(const waveform *w);
/* Mean of the squared flow over the square of the mean flow, from 1024 points of the period; 1 for a constant flow,
 * INFINITY if the mean is 0. */
double waveform_square_ratio(const waveform *w);
double waveform_peak_m3_s(const waveform *w); /* largest absolute flow, from 64 points between each pair of knots */
#endif
