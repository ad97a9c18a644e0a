/* What a person has to look at in the vessel that was found. */
#ifndef PORTAFLOW_SEGMENT_TUBE_WARNINGS_H
#define PORTAFLOW_SEGMENT_TUBE_WARNINGS_H
#include "segment/level_set/front.h"

/* Warns of every widening of the vessel, taken or not (sac.h), of round things beside it (narrow_neck_sac.h) and of
 * what is far brighter than blood against its wall: seriously where half a voxel is much of the vessel. All are noted
 * in the report. Test: tests/unit/segment/test_segment_sac.c, test_segment_plaque.c */
void tube_warnings(front *f);

/* Of a lumen that no tube bounds: warns where a part of it is far brighter than blood. */
void tube_warnings_free_front(const volume *image, const front *f, const volume *level);
#endif
