/* A gently curved sheet along the vessels: the cut in which the velocity is shown.
 *
 * Its height over the plane of the two larger principal axes of the lumen is the local mean height of the lumen's
 * cells, weighted with the fourth power of their distance to the wall and smoothed over a vessel's radius, so that it
 * runs through the middle of the vessels. Where one vessel passes over another it favours the wider one. */
#ifndef PORTAFLOW_POST_PICTURE_SHEET_H
#define PORTAFLOW_POST_PICTURE_SHEET_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "post/sample/cut.h"

/* Errors: ERR_NUMERIC (no cell away from the wall), ERR_RESOURCE. */
MUST_CHECK int sheet_fit(const sampler *s, cut_frame *f);

/* Speed at the points of a cut, cm/s; NaN where there is no value. velocity [n_point][3] cm/s out as well. */
void sheet_speed(const sampler *s, const fields *f, const surface *cut, double *speed_cm_s, double *velocity_cm_s);

/* At most `most` points of the cut, about evenly spread over it, for arrows. Returns how many. */
int sheet_pick(const surface *cut, int most, int32_t *index);
#endif
