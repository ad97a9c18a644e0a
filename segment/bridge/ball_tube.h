/* SPDX-License-Identifier: Apache-2.0 */
/* Adds tubes made of balls to a lumen. */
#ifndef PORTAFLOW_SEGMENT_BALL_TUBE_H
#define PORTAFLOW_SEGMENT_BALL_TUBE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Creates a copy of phi with room_mm more on all sides. New voxels have the value room_mm. Errors: ERR_RESOURCE. */
MUST_CHECK int ball_tube_room(const volume *phi, double room_mm, volume *out);

/* Lowers v to the signed distance to the ball {x, y, z, radius} (LPS, mm) where the distance is smaller. */
void ball_tube_add(const double ball[4], volume *v);
#endif
