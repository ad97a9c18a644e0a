/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the front: the tube of the vessel, or the region connected with the seeds. */
#ifndef PORTAFLOW_SEGMENT_EXTENT_H
#define PORTAFLOW_SEGMENT_EXTENT_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Find the tube between seeds and openings in f->cropped. If it has no visible wall over 1.5 radii, its path may
 * have jumped to another vessel; then an unbounded front is tried in a clear image. If the front's volume stays
 * below 4 times the tube's, the front is used without a tube. image: not cropped. Errors: ERR_INPUT, ERR_NUMERIC,
 * ERR_RESOURCE. */
MUST_CHECK int extent_between_openings(const volume *image, front *f);

/* Find the limits without openings: the region connected with the seeds. If the region has left the vessel
 * (report->flooded), the tube along the seeds and beyond them, in f->cropped, replaces it. In a noisy image (contrast
 * to the next tissue below 6 times the noise) the tube also replaces a region of more than 4 times its volume. With
 * given thresholds no tube is used. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int extent_from_seeds(const volume *image, front *f);

/* Default limit of the lumen's volume, mL: a vessel 3 m long, as wide as the vessel at the widest seed; at least 60 mL.
 * A larger front is treated as a leak, unless the user sets a limit. */
double extent_default_limit_ml(const seeds_statistics *s);

/* Compare the lumen with the tube along the seeds (f->spare), if it was measured. A lumen that is more than 1.4 times
 * as wide as the tube at its widest place, or has more than 4 times its volume, includes a touching structure nearly as
 * bright as blood. In this case the tube becomes f->extent and *replaced is set; the caller then starts the front
 * again. level: negative inside. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_touching_vessel.c */
MUST_CHECK int extent_replace_by_tube(const volume *level, front *f, bool *replaced);
#endif
