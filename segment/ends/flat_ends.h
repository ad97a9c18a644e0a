/* SPDX-License-Identifier: Apache-2.0 */
/* Flat ends of a closed surface, as VMTK, SimVascular and Blender write them. */
#ifndef PORTAFLOW_SEGMENT_FLAT_ENDS_H
#define PORTAFLOW_SEGMENT_FLAT_ENDS_H
#include "segment/ends/caps.h"

/* Finds the flat ends of a surface. A flat end lies in one plane, has a sharp rim, is compact, and the vessel behind it
 * is longer than its radius. Facets of a coarse tube may also satisfy this. A `certain` end satisfies three more
 * conditions: its rim bends by 60 degrees or more on average, the vessel behind it is longer than 3/4 of its width, and
 * the cross-section just behind it is as wide as the end. Sides of a box, facets and faces of voxels are therefore not
 * certain. A bulged end counts as a certain flat end in the plane of its rim: a cap inside a round, plane crease of 30
 * degrees or more, before a wall perpendicular to this plane. The caller owns *list [*n]. *rings counts the flat ends
 * that are rings between an outer and an inner wall; these are not in the list. Errors: ERR_RESOURCE. */
MUST_CHECK int flat_ends_find(const surface *wall, int *n, cap **list, int *rings);

/* Adds the certain flat ends to a list that caps_from_holes made, except closed holes. *rings: as flat_ends_find.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int flat_ends_add(const surface *wall, int *n, cap **list, int *rings);
#endif
