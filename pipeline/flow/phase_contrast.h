/* SPDX-License-Identifier: Apache-2.0 */
/* Flow through a vessel from two-dimensional phase-contrast MRI: velocities from phases, background correction from
 * stationary tissue, unwrapping of aliasing, and the sum over a region. Arrays are [t][y][x]; velocities in m/s,
 * positive along the slice's normal. */
#ifndef PORTAFLOW_PHASE_CONTRAST_H
#define PORTAFLOW_PHASE_CONTRAST_H
#include "common/base/must_check.h"
#include <stdint.h>

typedef struct {
    int nx, ny, nt;
    double pixel_mm2, venc_m_s;
    double *velocity;    /* [nt][ny][nx] velocities, owned */
    const float *bright; /* [nt][ny][nx] magnitude images; NULL: not given */
    const uint8_t *roi;  /* [ny][nx] 1: the pixel is in the vessel */
} phase_contrast;

typedef struct {
    int n;             /* number of pixels of stationary tissue; 0: no correction was possible */
    double at_roi_m_s; /* mean correction of the velocity in the region */
    double spread_m_s; /* root mean square of the velocity of stationary tissue after the correction */
} phase_background;

/* Fits a plane a + b x + c y by least squares to the time mean of stationary tissue, and subtracts it from all
 * velocities (Walker et al. 1993; Lankhaar et al. 2005). Still tissue is bright (above 15 % of the 98th percentile), in
 * the third of pixels with the smallest variation over time, and more than three pixels from the region. No correction
 * without magnitude, with fewer than 60 such pixels, or if they are on one line. Errors: ERR_RESOURCE. */
MUST_CHECK int phase_contrast_background(phase_contrast *p, phase_background *found);

typedef struct {
    int changed; /* number of values in the region that were moved by 2 venc */
    /* number of pixels whose cycle does not close, plus number of pixels that the last of five rounds over space still
     * moved */
    int doubtful;
} phase_unwrapped;

/* Unwraps the region. In time, velocities of successive instants may not differ by more than venc; unwrapping goes
 * around the cycle, from the slowest instant on. A pixel whose cycle does not close is noise and keeps its values. In
 * space, a pixel whose mean differs from the mean of its neighbours by more than venc is moved by multiples of 2 venc,
 * in up to five rounds. Errors: ERR_RESOURCE. */
MUST_CHECK int phase_contrast_unwrap(phase_contrast *p, phase_unwrapped *found);

/* Measures, over the region at each time, the flow mL/s, the mean velocity m/s, and the peak velocity m/s in the
 * direction of the mean flow (peak_velocity_find). n_noise: number of pixels of the region that are noise; they do not
 * count for the peak, but for flow and mean. noise_m_s: standard deviation of the noise of one pixel of blood (NULL:
 * not wanted).
 *   flow_ml_s, mean_m_s, peak_m_s  [nt] out
 * Errors: ERR_RESOURCE. */
MUST_CHECK int phase_contrast_measure(const phase_contrast *p, double *flow_ml_s, double *mean_m_s, double *peak_m_s,
                                      int *n_noise, double *noise_m_s);
double phase_contrast_area_mm2(const phase_contrast *p);
#endif
