/* What a person has to look at in a vessel that is bounded by its tube. */
#ifndef PORTAFLOW_SEGMENT_TUBE_WARNINGS_H
#define PORTAFLOW_SEGMENT_TUBE_WARNINGS_H
#include "segment/level_set/working_grid.h"

/* Warns of every widening of the vessel, taken or not (sac.h), of round things beside it (pouch.h) and of what is far
 * brighter than blood against its wall: seriously where half a voxel is much of the vessel. All are noted in w->r.
 * Test: tests/unit/segment/test_segment_sac.c, test_segment_plaque.c */
void level_set_look(level_set_work *w);

/* Of a lumen that no tube bounds: warns where a part of it is far brighter than blood. */
void level_set_look_free(const level_set_work *w, const volume *level);
#endif
