/* Periodic flow waveforms. */
#ifndef PORTAFLOW_WAVEFORM_H
#define PORTAFLOW_WAVEFORM_H
#include "common/base/must_check.h"

/* One period of a flow waveform: CSV with the header "t_s,flow_ml_s", at least 3 rows, t ascending from 0; the period
 * is the last t when the last flow equals the first, otherwise last t + last step, which must be like the others. A
 * comment "# rows: N" must be right: a file that lost its last lines is then refused. */
typedef struct {
    int n;
    double *time_s, *flow_m3_s, *curvature; /* [n] knots and second derivatives of the periodic cubic spline */
    double period_s;
} waveform;
MUST_CHECK int waveform_read(const char *path, waveform *w); /* Errors: ERR_INPUT with file:line, ERR_RESOURCE */

/* From samples: time_s [n] ascending from 0, flow_m3_s [n], n >= 2 samples of one period, none at period_s itself;
 * period_s > time_s[n - 1]. The arrays are copied. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int waveform_create(waveform *w, int n, const double *time_s, const double *flow_m3_s, double period_s);
void waveform_free(waveform *w); /* safe on a zeroed struct and twice */

/* Flow at any time (repeated over the period). */
double waveform_flow_m3_s(const waveform *w, double time_s);
/* Exact integral of the spline over one period; 0 below 1e-6 of the flow. */
double waveform_mean_m3_s(const waveform *w);
double waveform_peak_m3_s(const waveform *w); /* the largest absolute flow, on 64 points between each two knots */
#endif
