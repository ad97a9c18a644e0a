/* What lies against the tube through an opening too narrow for sac.h: an aneurysm with a narrow neck. */
#ifndef PORTAFLOW_NARROW_NECK_SAC_H
#define PORTAFLOW_NARROW_NECK_SAC_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* Followed is everything as bright as the vessel that comes within four voxels of the tube's wall between its openings
 * where a quarter of the contrast leads straight on to the vessel. It is listed (t->pouch, t->n_pouch) when
 * - it holds a ball of 0.8 radii of the vessel there, no more than one of four: larger is an organ;
 * - it is round: no further than 1.5 radii of a ball of its volume from its middle, which no vessel is;
 * - its core is about as bright as the vessel, and a tenth of it at most far brighter (bone, marrow in bone);
 * - it ends within the image, and is no widening that is listed already.
 * It is narrow where it comes so near the vessel over so small a part of it that 1.2 voxels or more of wall lie
 * between; what touches without a wall is an organ for the most part. A neck that the image does not resolve (1 mm)
 * shows as such a thing behind a gap of partial volume; so does a round node or cyst that is as bright and touches: a
 * person has to look. Not looked for where slices are more than three times as thick as voxels are wide.
 *
 * image: as for tube_measure. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_sac.c */
MUST_CHECK int narrow_neck_sac_find(const volume *image, tube *t);
#endif
