/* Periodic flow waveforms. */
#ifndef PORTAFLOW_WAVEFORM_H
#define PORTAFLOW_WAVEFORM_H

/* One period of a flow waveform: CSV with the header "t_s,flow_ml_s", at least 3 rows, t ascending from 0; the period
 * is the last t when the last flow equals the first, otherwise last t + last step. Errors: ERR_INPUT with file:line. */
typedef struct {
    int n;
    double *time_s, *flow_m3_s, *curvature; /* [n] knots and second derivatives of the periodic cubic spline */
    double period_s;
} waveform;
int waveform_read(const char *path, waveform *w);
void waveform_free(waveform *w);
double waveform_flow_m3_s(const waveform *w, double time_s);
double waveform_mean_m3_s(const waveform *w);
#endif
