/* SPDX-License-Identifier: Apache-2.0 */
/* Peak velocity of a region of phase-contrast MRI without the noise of its pixels. */
#ifndef PORTAFLOW_PEAK_VELOCITY_H
#define PORTAFLOW_PEAK_VELOCITY_H
#include "pipeline/flow/phase_contrast.h"
#include <stdbool.h>

/* Finds the largest velocity of the region in the direction of its flow, at each instant. Blood is continuous in time
 * and space, noise is not:
 * - A pixel is noise if its velocity scatters by more than 0.15 venc in time. The scatter is the smaller of two: around
 *   the neighbouring instants, and around the best linear function of a neighbouring pixel's velocity.
 * - A pixel that wraps at venc four times a cycle or more is noise, unless an accepted neighbour has 0.6 of its speed,
 *   or it lies inside the region and three of its four edges adjoin pixels that wrap as often.
 * - A velocity counts if a neighbouring pixel, not at the border of the region, has 0.6 of this velocity. In a region
 *   with fewer than four pixels inside its border, these inner pixels need no support, and pixels at the border give
 * support, too. If no
 *   velocity counts, the peak is the largest velocity of the pixels inside the border.
 * - The velocity of a pixel is moved towards the mean of the pixel and its neighbours in blood, the more the larger the
 *   share of noise in their variance (smooth_velocity).
 * With fewer than five instants only the third rule holds.
 * Noise two pixels thick whose values all lie near +-venc cannot be distinguished from blood that flows at venc
 * (peak_velocity_find_doubt).
 * A jet narrower than three pixels whose axis is within a pixel of the border may lose a part of its peak.
 *   peak_m_s   [nt] out, with the sign of the mean velocity of all pixels without noise
 *   n_noise    out: number of pixels that are noise, also by the third rule if they wrap at venc
 *   noise_m_s  out: standard deviation of the noise of a pixel of blood; 0: unknown. NULL: not wanted
 * Errors: ERR_RESOURCE. */
MUST_CHECK int peak_velocity_find(const phase_contrast *p, double *peak_m_s, int *n_noise, double *noise_m_s);

/* Signs that the peak velocity may be wrong. */
typedef struct {
    /* number of pixels that wrap at venc four times a cycle or more and count as blood; highest velocity without them
     * (0: no other pixel) */
    int n_wrapped;
    double without_wrapped_m_s;
    /* fastest velocity against the flow, at instants at which the flow runs forward */
    double reverse_m_s;
    /* true: velocities of opposite sign lie side by side, or reverse_m_s is large. Side by side: at one instant three
     * pairs of pixels differ by more than 0.5 venc and 6 standard deviations of the noise. Large: above half of the
     * highest velocity and 0.1 venc. A jet faster than venc with a sharp edge looks like this. */
    bool opposite;
} peak_velocity_doubt;

/* Finds the signs that the peak velocity may be wrong. Errors: ERR_RESOURCE. */
MUST_CHECK int peak_velocity_find_doubt(const phase_contrast *p, peak_velocity_doubt *found);
#endif
