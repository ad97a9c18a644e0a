/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a grid near a wall, in tiles: work at the wall needs only a small part of the box around the vessel. */
#ifndef PORTAFLOW_SEGMENT_NEAR_H
#define PORTAFLOW_SEGMENT_NEAR_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdint.h>

enum { NEAR_X = 32, NEAR_Y = 8, NEAR_Z = 8 }; /* size of a tile in voxels, along each axis */

typedef struct {
    int tiles[3];
    uint8_t *on; /* [tiles[2]][tiles[1]][tiles[0]] 1: the tile is near the wall */
} near_tiles;

/* Finds the tiles with a voxel no further than `margin` voxels (along each axis) from a voxel with |level| < reach.
 * out: created; free with near_tiles_free. Errors: ERR_RESOURCE. */
MUST_CHECK int near_tiles_find(const volume *level, double reach, int margin, near_tiles *out);
void near_tiles_free(near_tiles *t);

/* In the tiles `to` becomes bitwise equal to grid_smooth() of `from`; elsewhere it is unchanged or partly smoothed. to:
 * same size as `from`, may be `from`. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_near.c */
MUST_CHECK int near_tiles_smooth(const volume *from, const double sigma_voxels[3], const near_tiles *t, volume *to);
#endif
