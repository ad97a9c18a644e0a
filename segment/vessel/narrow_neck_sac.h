/* SPDX-License-Identifier: Apache-2.0 */
/* Finds structures at the tube's wall whose neck is too narrow for sac.h: possible aneurysms. */
#ifndef PORTAFLOW_NARROW_NECK_SAC_H
#define PORTAFLOW_NARROW_NECK_SAC_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* Finds sacs with a narrow neck. A candidate is a structure as bright as the vessel, within four voxels of the tube's
 * wall and between the openings. On the straight line from the candidate to the vessel, the intensity exceeds the
 * tissue by at least a quarter of the contrast between vessel and tissue. A candidate is appended to t->pouch if
 *
 * - the radius of the ball of equal volume is 0.8 to 4 vessel radii: larger structures are organs;
 * - all of it lies within 1.5 such ball radii of its centre, so that it is round and not a vessel;
 * - its core is about as bright as the vessel, and at most a tenth of it is far brighter (bone, marrow);
 * - it ends within the image, and t->found does not list it as a widening.
 *
 * tube_pouch.narrow is set if a wall of 1.2 voxels or more separates candidate and vessel around their contact. Such a
 * candidate is an aneurysm with a neck below the resolution (1 mm), or a round node or cyst that touches the vessel; a
 * person must check. Candidates without such a wall are mostly organs. Images with slices thicker than 3 voxel widths
 * are not searched. image: as for tube_measure. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_sac.c */
MUST_CHECK int narrow_neck_sac_find(const volume *image, tube *t);
#endif
