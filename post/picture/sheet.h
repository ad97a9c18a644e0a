/* SPDX-License-Identifier: Apache-2.0 */
/* A gently curved sheet along the vessels: the cut for pictures of the velocity.
 *
 * The base plane contains the two longer principal axes of the lumen. The height of the sheet over it is a local mean
 * of the cell heights, weighted with the fourth power of the wall distance and smoothed over a vessel radius. The sheet
 * therefore passes through the middle of the vessels. Where one vessel crosses another, it is closer to the wider
 * vessel. */
#ifndef PORTAFLOW_POST_PICTURE_SHEET_H
#define PORTAFLOW_POST_PICTURE_SHEET_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "post/sample/cut.h"

/* Fit the sheet to the lumen. Errors: ERR_NUMERIC (no cell away from the wall), ERR_RESOURCE. */
MUST_CHECK int sheet_fit(const sampler *s, cut_frame *f);

/* Sample speed and velocity [n_point][3] at the points of a cut, cm/s; speed NaN: no value. */
void sheet_speed(const sampler *s, const fields *f, const surface *cut, double *speed_cm_s, double *velocity_cm_s);

/* Chooses up to `most` points of the cut, evenly spread, at which arrows start. Returns their number. */
int sheet_pick(const surface *cut, int most, int32_t *index);
#endif
