/* SPDX-License-Identifier: Apache-2.0 */
/* Scale of phase images: the values that mean -venc and +venc.
 *
 * Scanners and converters write phases in several units: radians, mrad (Philips), degrees, velocities in m/s, cm/s or
 * mm/s (GE), and integers from -4096 to 4095, -2048 to 2047 or 0 to 4095 (Siemens). The phase of air is noise, uniform
 * over the whole range, and velocities above venc wrap: images therefore reach both ends of their range. An image with
 * masked air does not reach them; its scale must come from its header or from the user. */
#ifndef PORTAFLOW_PHASE_SCALE_H
#define PORTAFLOW_PHASE_SCALE_H
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double low, high; /* values that mean -venc and +venc */
    char unit[32];    /* unit of the scale, such as "mrad", "cm/s" or "integers" */
} phase_scale;

/* Finds the scale whose two ends are the given limits, up to 1.5 % of its half-width inside them or 0.3 % beyond. If
 * several scales fit, the nearest is taken; false if none fits. venc_m_s: NaN or 0 if unknown. */
bool phase_scale_of_limits(double low, double high, double venc_m_s, phase_scale *s);

/* Finds the scale that the values value[n] fill, as the uniform noise of air does: both of its ends are reached, and
 * each of its 20 equal parts holds the fraction PHASE_SCALE_FILLED of the values. Stray pixels leave parts empty.
 * Returns false if there is no such scale. */
#define PHASE_SCALE_FILLED 1e-4
bool phase_scale_of_values(const float *value, size_t n, double venc_m_s, phase_scale *s);

/* Lists all scales as text: "-3.142 to 3.142 (rad), ..". venc_m_s: NaN or 0 if unknown; scales in units of velocity are
 * then left out. */
void phase_scale_list(double venc_m_s, size_t size, char *text);
#endif
