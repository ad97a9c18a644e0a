/* A front that has left the vessel: on coarse voxels, which show where. */
#ifndef PORTAFLOW_SEGMENT_FLOOD_H
#define PORTAFLOW_SEGMENT_FLOOD_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* reached [voxels of geometry] as a level set, mm. Errors of all functions here: ERR_RESOURCE. */
MUST_CHECK int flood_level_set(const volume *geometry, const uint8_t *reached, volume *level);

/* The same of a front that is ended early: of the level set, or where it is not made yet (value NULL) of the start (1
 * there). */
MUST_CHECK int flood_of_front(const volume *start, volume *level);

/* report->flooded where more of a start (1 there) or, grown, of a level set lies behind a neck than leak.h lets pass;
 * measured on coarse voxels, so that a front which goes on is not refused later for less. Not while the tube along the
 * seeds may take the front's place. */
MUST_CHECK int flood_behind_neck(front *f, const volume *level, bool grown);
#endif
