/* Without openings: a front that is free, or the tube along the seeds where it would leave the vessel. */
#ifndef PORTAFLOW_SEGMENT_EXTENT_H
#define PORTAFLOW_SEGMENT_EXTENT_H
#include "common/base/must_check.h"
#include "segment/level_set/working_grid.h"

/* Of a vessel at whose widest seed it is as wide as said: a front that holds more is taken for a leak, unless the user
 * says how much it may. */
double level_set_along_most_ml(const seeds_statistics *s);

/* Without openings: everything connected with the seeds; where that is flooded, or noisy (contrast to the next tissue
 * below six times the noise) and more than four times what follows, in its place the tube along the seeds and on beyond
 * the last ones, in `cropped`, the image round them (the caller's to free). From thresholds that were given there is no
 * tube. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int level_set_along(level_set_work *w, bool follow, volume *cropped);

/* After it, where there was a tube and the front did not flood: whether the lumen (level: negative inside) is wider
 * than 1.4 times the widest of the tube along the seeds, or has more than four times its volume. What touches the
 * vessel, nearly as bright, came along then: that tube takes the front's place, to begin anew with.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_touching_vessel.c */
MUST_CHECK int level_set_along_instead(level_set_work *w, const volume *level, const volume *cropped, bool *instead);
#endif
