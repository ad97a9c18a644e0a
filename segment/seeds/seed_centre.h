/* The middle of the vessel at a seed that lies near its wall. */
#ifndef PORTAFLOW_SEED_CENTRE_H
#define PORTAFLOW_SEED_CENTRE_H
#include "common/image/volume.h"

/* Chords through the point in 120 directions end where the image falls below the middle between `inside` and `outside`
 * (bright or dark vessels). The point goes where the planes that halve the short ones meet (least squares, Tukey's
 * biweight): those of a circle's chords meet in its centre, long ones run along the vessel or on into a neighbour.
 * Repeated until it stays.
 *
 * image: lightly smoothed. seed: LPS mm, inside. middle: out, LPS mm. radius_mm: out, of the vessel there.
 * Returns true where the seed lies more than half of that radius off the middle, in the vessel all the way to it, with
 * the wall close behind it, and the middle is hardly wider than the seed's place (no stomach beside the vein); else
 * middle is the seed. Test: tests/unit/segment/test_segment_seeds.c */
bool tube_middle(const volume *image, double inside, double outside, const double seed[3], double middle[3],
                 double *radius_mm);
#endif
