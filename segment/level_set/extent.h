/* What the front may fill: the tube of the vessel, or everything connected with the seeds. */
#ifndef PORTAFLOW_SEGMENT_EXTENT_H
#define PORTAFLOW_SEGMENT_EXTENT_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* The tube between seeds and openings, in f->cropped. Where its walls are not seen for a while the paths may have
 * jumped from one vessel to another; when a front without bounds stays in vessels no larger than that, it is the better
 * one: there is no tube then. image: not cropped. Errors: ERR_INPUT, ERR_NUMERIC, ERR_RESOURCE. */
MUST_CHECK int extent_between_openings(const volume *image, front *f);

/* Without openings: everything connected with the seeds. Where that is flooded, or noisy (contrast to the next tissue
 * below six times the noise) and more than four times what follows, in its place the tube along the seeds and on beyond
 * the last ones, in f->cropped. From thresholds that were given there is no tube. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int extent_from_seeds(const volume *image, front *f);

/* Volume of a vessel at whose widest seed it is as wide as said: a front that holds more is taken for a leak, unless
 * the user says how much it may. */
double extent_most_ml(const seeds_statistics *s);

/* Where a spare tube was measured and the front did not flood: whether the lumen (level: negative inside) is wider than
 * 1.4 times the widest of the tube along the seeds, or has more than four times its volume. What touches the vessel,
 * nearly as bright, came along then: the tube takes the front's place, to begin anew with. Errors: ERR_RESOURCE.
 * Test: tests/unit/segment/test_segment_touching_vessel.c */
MUST_CHECK int extent_replace_by_tube(const volume *level, front *f, bool *replaced);
#endif
