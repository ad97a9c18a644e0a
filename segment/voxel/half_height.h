/* Where a profile across a wall falls half way from a vessel to the tissue next to it. */
#ifndef PORTAFLOW_SEGMENT_HALF_HEIGHT_H
#define PORTAFLOW_SEGMENT_HALF_HEIGHT_H

enum { HALF_HEIGHT_SIDE = 12, HALF_HEIGHT_SAMPLES = 2 * HALF_HEIGHT_SIDE + 1 };
#define HALF_HEIGHT_STEP 0.5 /* voxels between samples */

/* f [HALF_HEIGHT_SAMPLES]: the image along the outward normal, HALF_HEIGHT_STEP apart, the wall as known so far in the
 * middle. N is the image 2 s inside the wall (not further than three tenths of the contrast from `inside`), L the least
 * value within 1.5 s outside it, s the blur's standard deviation across the wall (voxels); the wall is where the
 * profile falls through (N + L) / 2 next (what the blur leaves out of both added), from (inside + outside) / 2 on, in
 * five rounds. inside above outside.
 *
 * Returns the wall, voxels outwards of the middle, and the part of inside - outside that the profile falls there; NAN:
 * it does not fall through. Test: tests/unit/segment/test_segment_half_height_edge.c */
double half_height(const double f[HALF_HEIGHT_SAMPLES], double inside, double outside, double s, double *part);

/* 0 where the profile falls by less than a fifth of the contrast, 1 from half of it on. */
double half_height_trust(double part);

/* Samples f [n], above the vessel's from `first` on: where they are half way up to their peak within `reach` more;
 * samples. NAN: the peak is below `least`. */
double half_height_up(const double *f, int first, int n, int reach, double inside, double least);
#endif
