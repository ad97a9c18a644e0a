/* SPDX-License-Identifier: Apache-2.0 */
/* 95 % interval of the mean flow from phase-contrast MRI. */
#ifndef PORTAFLOW_FLOW_UNCERTAINTY_H
#define PORTAFLOW_FLOW_UNCERTAINTY_H
#include "common/base/must_check.h"
#include "pipeline/flow/phase_contrast.h"

/* Half-widths of the 95 % interval of the flow, averaged over the cycle, mL/s. */
typedef struct {
    double region;     /* outline of the region, uncertain by one pixel */
    double background; /* offset of all velocities in the region */
    double noise;      /* noise of the pixels */
    double whole;      /* root of the sum of the squares */
} flow_uncertainty;

/* Measures the parts. p: velocities after correction and unwrapping. b: correction of the background.
 *   region      half of the sum of two flows without their signs: through the pixels along the outline inside it, and
 *               outside it. For flows of one sign: half of the difference between the region grown and shrunk by a
 *               pixel
 *   background  without correction: area times 1.8 % of venc. This is the mean of the largest offsets of twelve
 *               scanners, 2.7 cm/s at a venc of 150 cm/s (Gatehouse et al. 2010).
 *               With correction: area times 0.8 % of venc, or 1.96 times the scatter of stationary tissue without the
 *               noise, if this is more. 0.8 % is twice the scatter between stationary tissue and phantoms, 0.6 cm/s
 *               (Hofman et al. 2019).
 *   noise       from the second differences in time of the pixels in the region
 * The flow may differ from day to day by more; the interval does not include this. Errors: ERR_RESOURCE. */
MUST_CHECK int flow_uncertainty_measure(const phase_contrast *p, const phase_background *b, flow_uncertainty *u);
#endif
