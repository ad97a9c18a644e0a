/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of a tube in which the image shows no vessel: an occlusion, or blood without signal. */
#ifndef PORTAFLOW_SEGMENT_TUBE_SIGNAL_H
#define PORTAFLOW_SEGMENT_TUBE_SIGNAL_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* Sets `lost` of all nodes. The signal is the contrast to the nearest tissue over the contrast of the vessel nearby: 1
 * in a vessel, 0 in tissue. It is measured in a disc of 0.4 radii around the center of each node, and in a disc of half
 * a voxel around its path, which follows the brightest line. The larger one counts, because a narrow bright lumen is
 * visible.
 *
 * A stretch is lost if it is one diameter of the vessel and 3 voxels long or longer and has a mean signal below a
 * third. It ends where the signal is a half. Nodes beyond openings are not lost.
 *
 * image: brighter inside, lightly smoothed. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_tube.c */
MUST_CHECK int tube_signal_find_lost(const volume *image, tube *t);

/* True if a node is lost. */
bool tube_signal_is_lost(const tube *t);
#endif
