/* Limits of the front: the tube of the vessel, or the region connected with the seeds. */
#ifndef PORTAFLOW_SEGMENT_EXTENT_H
#define PORTAFLOW_SEGMENT_EXTENT_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* The tube between seeds and openings, in f->cropped. Where a tube shows no wall over some length, its path may have
 * jumped to another vessel. If an unbounded front then stays within about the volume of the tube, the front is used and
 * there is no tube. image: not cropped. Errors: ERR_INPUT, ERR_NUMERIC, ERR_RESOURCE. */
MUST_CHECK int extent_between_openings(const volume *image, front *f);

/* Without openings: the region connected with the seeds. The tube along the seeds and beyond them, in f->cropped,
 * replaces a flooded region. In a noisy image (contrast to the next tissue below 6 times the noise) it also replaces a
 * region of more than 4 times its volume. Given thresholds: never a tube. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int extent_from_seeds(const volume *image, front *f);

/* Default volume limit, mL: a long vessel as wide as the widest seed. A larger front is treated as a leak, unless the
 * user sets a limit. */
double extent_default_limit_ml(const seeds_statistics *s);

/* Where a spare tube was measured and the front did not flood: replaced = the lumen is wider than 1.4 times the widest
 * place of the tube, or has more than 4 times its volume. A touching structure nearly as bright was then included. The
 * tube replaces the front, which starts again. level: negative inside. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_touching_vessel.c */
MUST_CHECK int extent_replace_by_tube(const volume *level, front *f, bool *replaced);
#endif
