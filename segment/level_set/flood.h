/* Level set of a front outside the vessel, on voxels coarse enough to show where. */
#ifndef PORTAFLOW_SEGMENT_FLOOD_H
#define PORTAFLOW_SEGMENT_FLOOD_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Level set (mm) of the voxels `reached` of `geometry`. Errors of all functions here: ERR_RESOURCE. */
MUST_CHECK int flood_level_set(const volume *geometry, const uint8_t *reached, volume *level);

/* Coarse level set of a front that is ended early: from `level`, or from `start` (1 inside) if level->value is NULL. */
MUST_CHECK int flood_coarsen_front(const volume *start, volume *level);

/* Set report->flooded if a larger part than leak.h allows lies behind a neck. level: a start (1 inside), or a level set
 * if `grown`. The limits are stricter than in leak.h, because a front that passes here must not be refused later.
 * Does nothing while a spare tube may replace the front. */
MUST_CHECK int flood_check_neck(front *f, const volume *level, bool grown);
#endif
