/* SPDX-License-Identifier: Apache-2.0 */
/* Front without a tube: it starts at the seeds and grows to the edges of the image. */
#ifndef PORTAFLOW_SEGMENT_FREE_CONTOUR_H
#define PORTAFLOW_SEGMENT_FREE_CONTOUR_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Finds the wall of the vessel by an unbounded front. Starts from the voxels connected with the seeds through the
 * allowed intensities of the denoised image. Grows as a geodesic active contour with the speed g = 1 / (1 + exp((G -
 * beta) / alpha)), G the gradient magnitude. beta and alpha come from the gradients inside the vessel (speed 1) and at
 * its wall (speed 0).
 *
 * level: out, voxels, negative inside, within about a voxel of the edges; mm on coarse voxels if report->flooded.
 * typical: gradient at the wall, per voxel. Errors: ERR_INPUT, ERR_NUMERIC (the front does not start), ERR_RESOURCE. */
MUST_CHECK int free_contour_find(const volume *image, front *f, volume *level, double *typical);

/* Sets *out to the quantile q of the gradient g over the voxels where low <= distance <= high. distance:
 * signed distance to the border of the region where the front starts, voxels. Errors: ERR_RESOURCE. */
MUST_CHECK int free_contour_gradient(const volume *g, const volume *distance, double low, double high, double q,
                                     double *out);
#endif
