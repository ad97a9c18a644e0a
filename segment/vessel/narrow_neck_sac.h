/* Finds structures at the tube's wall whose neck is too narrow for sac.h: possible aneurysms. */
#ifndef PORTAFLOW_NARROW_NECK_SAC_H
#define PORTAFLOW_NARROW_NECK_SAC_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* Finds sacs with a narrow neck, next to the tube. Candidates are as bright as the vessel and lie within four voxels of
 * the tube's wall, between its openings. Along the straight line to the vessel the image stays a quarter of the
 * contrast above the tissue. A candidate is listed in t->pouch if
 *
 * - its radius (ball of equal volume) is 0.8 to 4 vessel radii: larger structures are organs;
 * - it is round, within 1.5 of these radii of its center, which excludes vessels;
 * - its core is about as bright as the vessel, and no more than a tenth is far brighter (bone, marrow);
 * - it ends within the image and is not yet listed as a widening.
 *
 * tube_pouch.narrow is set where a wall of 1.2 voxels or more shows around the contact: a neck below the resolution
 * (1 mm), but also a touching round node or cyst, so a person must check. Without such a wall it is mostly an organ.
 * Skipped where slices are thicker than 3 voxel widths. image: as for tube_measure. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_sac.c */
MUST_CHECK int narrow_neck_sac_find(const volume *image, tube *t);
#endif
