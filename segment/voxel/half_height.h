/* SPDX-License-Identifier: Apache-2.0 */
/* Half height of a profile across a wall, between a vessel and the tissue next to it. */
#ifndef PORTAFLOW_SEGMENT_HALF_HEIGHT_H
#define PORTAFLOW_SEGMENT_HALF_HEIGHT_H

enum { HALF_HEIGHT_SIDE = 12, HALF_HEIGHT_SAMPLES = 2 * HALF_HEIGHT_SIDE + 1 };
#define HALF_HEIGHT_STEP 0.5 /* Distance between two samples, in voxels */

/* Find the wall at the half height between N and L, in five rounds from the middle between `inside` and `outside`
 * (inside > outside). N is the profile 2 s inside the wall, limited to `inside` +- 0.3 contrasts. L is the least value
 * within 1.5 s outside the wall. s: standard deviation of the blur across the wall, voxels. N and L are corrected for
 * the part of a blurred step beyond these distances.
 *
 * f [HALF_HEIGHT_SAMPLES]: the image along the outward normal, HALF_HEIGHT_STEP apart, the initial wall in the middle.
 * Returns the wall, voxels outwards from the middle; NAN: the profile does not cross the half height. part: out, the
 * fall of the profile over inside - outside. Test: tests/unit/segment/test_segment_half_height_edge.c */
double half_height(const double f[HALF_HEIGHT_SAMPLES], double inside, double outside, double s, double *part);

/* Weight of a wall: 0 for a fall below a fifth of the contrast, 1 from half of the contrast on. */
double half_height_trust(double part);

/* Position (samples) where f [n] has risen half way from `inside` to its peak. first: first sample that is brighter
 * than the vessel. The peak is searched up to `reach` samples from there. NAN: the peak is below `least`. */
double half_height_rising(const double *f, int first, int n, int reach, double inside, double least);
#endif
