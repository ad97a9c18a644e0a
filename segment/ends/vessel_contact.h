/* SPDX-License-Identifier: Apache-2.0 */
/* Narrow contacts between vessels that a centerline tree joins at a junction. */
#ifndef PORTAFLOW_SEGMENT_VESSEL_CONTACT_H
#define PORTAFLOW_SEGMENT_VESSEL_CONTACT_H
#include "common/base/must_check.h"
#include "segment/ends/centerline_tree.h"

/* Finds the junctions of the tree where two vessels touch. At a bifurcation, the lumen between two arms is nearly as
 * wide as the narrower arm. Where vessels touch, it is narrow (narrow_contact.h).
 *   image     brighter in the vessel
 *   tissue    intensity beside the vessel; voxels brighter than the mean of `tissue` and of the vessel are lumen
 *   place_mm  [t->n] out: the narrowest places of the lumen at such junctions, LPS; *n of them
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_vessel_contact.c */
MUST_CHECK int vessel_contact_find(const volume *image, double tissue, const centerline_tree *t, double (*place_mm)[3],
                                   int *n);
#endif
