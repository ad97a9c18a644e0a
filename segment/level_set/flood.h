/* SPDX-License-Identifier: Apache-2.0 */
/* Coarse level set of a front that has left the vessel; its voxels are small enough to show the place of the leak. */
#ifndef PORTAFLOW_SEGMENT_FLOOD_H
#define PORTAFLOW_SEGMENT_FLOOD_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Converts a mask to a level set. level: out, mm, level set of the voxels that are set in the mask `reached`, on a grid
 * coarser than `geometry`. Errors of all functions here: ERR_RESOURCE. */
MUST_CHECK int flood_level_set(const volume *geometry, const uint8_t *reached, volume *level);

/* Replace the level set of a front that is ended early by a coarse level set, made from the mask `start` (1 inside) if
 * level->value is NULL. */
MUST_CHECK int flood_coarsen_front(const volume *start, volume *level);
#endif
