/* SPDX-License-Identifier: Apache-2.0 */
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
 * If a wall of 1.2 voxels or more separates candidate and vessel around their contact, tube_pouch.narrow is set. The
 * candidate is then an aneurysm with a neck below the resolution (1 mm), or a round node or cyst that touches the
 * vessel; a person must check. Candidates without such a wall are mostly organs. Images with slices thicker than 3
 * voxel widths are not searched. image: as for tube_measure. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_sac.c */
MUST_CHECK int narrow_neck_sac_find(const volume *image, tube *t);
#endif
