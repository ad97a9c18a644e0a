/* SPDX-License-Identifier: Apache-2.0 */
/* A gently curved sheet along the vessels: the cut for pictures of the velocity.
 *
 * Its height over the plane of the two larger principal axes of the lumen is a local mean of the cell heights, weighted
 * with the fourth power of their wall distance and smoothed over a vessel radius. So it passes through the middle of
 * the vessels. Where one vessel crosses another it favours the wider one. */
#ifndef PORTAFLOW_POST_PICTURE_SHEET_H
#define PORTAFLOW_POST_PICTURE_SHEET_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "post/sample/cut.h"

/* Fit the sheet to the lumen. Errors: ERR_NUMERIC (no cell away from the wall), ERR_RESOURCE. */
MUST_CHECK int sheet_fit(const sampler *s, cut_frame *f);

/* Sample speed and velocity [n_point][3] at the points of a cut, cm/s; speed NaN: no value. */
void sheet_speed(const sampler *s, const fields *f, const surface *cut, double *speed_cm_s, double *velocity_cm_s);

/* Choose up to `most` points evenly spread over the cut, for arrows. Returns their number. */
int sheet_pick(const surface *cut, int most, int32_t *index);
#endif
