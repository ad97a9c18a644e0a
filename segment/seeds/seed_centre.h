/* SPDX-License-Identifier: Apache-2.0 */
/* Centre of the vessel at a seed near its wall. */
#ifndef PORTAFLOW_SEED_CENTRE_H
#define PORTAFLOW_SEED_CENTRE_H
#include "common/image/volume.h"

/* Finds the centre of the vessel at a seed. A point starts at the seed. The chords through it in 120 directions end
 * where the image crosses the middle between `inside` and `outside`. The point moves to the intersection of the
 * bisecting planes of the short chords (least squares, Tukey's biweight), until it no longer moves: the bisecting
 * planes of a circle's chords meet in its centre. Long chords run along the vessel or into a neighbour and are not
 * used.
 *
 * image: lightly smoothed. seed: LPS mm, inside. middle: out, LPS mm. radius_mm: out, of the vessel there. Returns true
 * if the seed is more than half a radius away from the centre, with a wall close behind it; the line from the seed to
 * the centre stays inside the vessel; and the vessel at the centre is not much wider than at the seed (which excludes a
 * stomach next to the vein). Otherwise middle is the seed. Test: tests/unit/segment/test_segment_seeds.c */
bool seed_centre_find(const volume *image, double inside, double outside, const double seed[3], double middle[3],
                      double *radius_mm);
#endif
