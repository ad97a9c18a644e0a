/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings about places of the vessel that a person must check. */
#ifndef PORTAFLOW_SEGMENT_TUBE_WARNINGS_H
#define PORTAFLOW_SEGMENT_TUBE_WARNINGS_H
#include "segment/level_set/front.h"

/* Warns of every widening of the vessel, included or not (sac.h), of round structures next to it (narrow_neck_sac.h),
 * and of material far brighter than blood at its wall. The last warning is serious where half a voxel is large for the
 * vessel. All findings are noted in the report. Test: tests/unit/segment/test_segment_sac.c, test_segment_plaque.c */
void tube_warnings(front *f);

/* For a lumen without a tube: warns if a part of the lumen is far brighter than blood. */
void tube_warnings_free_front(const volume *image, const front *f, const volume *level);
#endif
