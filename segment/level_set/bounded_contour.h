/* SPDX-License-Identifier: Apache-2.0 */
/* Front inside a tube: where it starts, and how far the wall may go from the tube. */
#ifndef PORTAFLOW_SEGMENT_BOUNDED_CONTOUR_H
#define PORTAFLOW_SEGMENT_BOUNDED_CONTOUR_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Level sets of the tube (vessel_region.h). The unit of their distances is a voxel of the working grid, before the grid
 * is refined to half the voxel width. */
typedef struct {
    volume clip;  /* lower limit of the final level set */
    volume field; /* signed distance to the wall of the tube */
} tube_limits;

/* Find the start of the front: voxels close to the tube whose intensity is nearer to the vessel's than to the nearest
 * tissue's. level: out, level set of these voxels, in voxels. limits: out. typical: out, gradient at the wall, per
 * voxel. Errors: ERR_RESOURCE. */
MUST_CHECK int bounded_contour_find(front *f, tube_limits *limits, volume *level, double *typical);

/* Move the wall towards the wall of the tube, more in a noisy image, then apply the lower bound limits->clip. Called
 * after the edges are placed. Errors: ERR_RESOURCE. */
MUST_CHECK int bounded_contour_limit(const front *f, tube_limits *limits, volume *level);
void bounded_contour_free(tube_limits *limits);
#endif
