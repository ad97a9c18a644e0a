/* The level set of a vessel between seeds and openings. Used by level_set.c alone. */
#ifndef PORTAFLOW_SEGMENT_BOUNDING_TUBE_H
#define PORTAFLOW_SEGMENT_BOUNDING_TUBE_H
#include "common/base/must_check.h"
#include "segment/level_set/working_grid.h"

/* The box of seeds and openings with room round it. Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_bound_crop(const volume *image, int n_seed, const double (*seed)[3],
                                    const level_set_options *o, volume *out);

/* The tube between seeds and openings. Where its walls are not seen for a while the paths may have jumped from one
 * vessel to another; when a front without bounds stays in vessels no larger than that, it is the better one: w->tube is
 * empty then. image: not cropped; cropped: w->image, where blood in layers is made as bright everywhere (layers.h).
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int level_set_bound_find(level_set_work *w, const volume *image, bool follow, volume *cropped);

/* Between seeds and openings: what is nearer to the vessel than to the nearest tissue round it, close to the tube that
 * was measured there; then onto the edges, and no further than the tube allows. level: out, mm, on the working
 * grid. Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_bound_contour(level_set_work *w, volume *level);

enum { LEVEL_SET_FREE = 4 }; /* times the tube's volume: a front that fills more is in no vessel along it */

/* Contrast to the next tissue below six times the noise: a front without bounds would leave the vessel. */
bool level_set_bound_noisy(const level_set_work *w);

/* The tube between seeds and openings in `cropped`; where blood lies in layers they are made as bright as each other
 * there and all is measured anew. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int level_set_bound_measure(level_set_work *w, bool follow, volume *cropped);

/* r->contrast_to_noise; refused below 0.95 unless a threshold was given. On phantoms (radii of 3 voxels, white noise
 * and that of a kernel of 0.9 voxel) the wall was as far off as wall_error.h says above that; at 0.9 single places were
 * a third of a radius off, below 0.7 openings were lost and dead ends grew. Errors: ERR_NUMERIC. */
MUST_CHECK int level_set_bound_clear(const level_set_work *w, bool follow);
#endif
