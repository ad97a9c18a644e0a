/* Flow through a vessel from two-dimensional phase-contrast MRI: velocities from phases, the background that still
 * tissue shows, aliasing, and the sum over a region. Arrays are [t][y][x]; velocities in m/s, positive through the
 * slice along its normal. */
#ifndef PORTAFLOW_PHASE_CONTRAST_H
#define PORTAFLOW_PHASE_CONTRAST_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int nx, ny, nt;
    double pixel_mm2, venc_m_s;
    double *velocity;    /* [nt][ny][nx], owned */
    const float *bright; /* [nt][ny][nx] magnitude, NULL: none was given */
    const uint8_t *roi;  /* [ny][nx] 1 in the vessel */
} phase_contrast;

/* Which values of the phase are -venc and +venc, by what scanners and converters write: -pi..pi, -4096..4095 (and
 * -4096..4096), 0..4095. False when it is none of these. */
bool phase_contrast_range(double lowest, double highest, double range[2]);

typedef struct {
    int n;             /* pixels of still tissue; 0: no correction was made */
    double at_roi_m_s; /* what was taken away in the middle of the region */
    double spread_m_s; /* rms of the still tissue about the plane */
} phase_background;

/* Takes a plane a + b x + c y, fitted by least squares to the time mean of still tissue, away from all velocities
 * (Walker et al. 1993; Lankhaar et al. 2005). Still: bright (over 15 % of the 98th percentile) and among the third of
 * those that vary least over time, three pixels or more from the region. Fewer than 60 such pixels, or no magnitude:
 * nothing is done. Errors: ERR_RESOURCE. */
MUST_CHECK int phase_contrast_background(phase_contrast *p, phase_background *found);

typedef struct {
    int changed;  /* values in the region that were moved by 2 venc */
    int doubtful; /* pixels whose cycle does not close, or that stand alone by more than venc */
} phase_unwrapped;

/* In the region: neighbours in time may not differ by more than venc, going round the cycle from the slowest instant;
 * then pixels whose mean is more than venc from that of their neighbours move by 2 venc. Errors: ERR_RESOURCE. */
MUST_CHECK int phase_contrast_unwrap(phase_contrast *p, phase_unwrapped *found);

/* Over the region at each time: flow mL/s, mean and peak (of the largest magnitude in the mean flow's direction) m/s.
 *   flow, mean, peak  [nt] out */
void phase_contrast_measure(const phase_contrast *p, double *flow_ml_s, double *mean_m_s, double *peak_m_s);
double phase_contrast_area_mm2(const phase_contrast *p);
#endif
