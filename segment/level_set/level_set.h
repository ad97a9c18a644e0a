/* The lumen as a level set grown from seeds to the edges of the image. */
#ifndef PORTAFLOW_SEGMENT_LEVEL_SET_H
#define PORTAFLOW_SEGMENT_LEVEL_SET_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/level_set/level_set_report.h"

/* image: as read. seed [n][3] LPS mm. level: out, negative inside, mm near the wall, on a grid of cubes (as nearly as
 * whole parts of voxels allow) round the region of the seeds; only what is connected with a seed.
 *
 * - seeds near the wall are moved to the middle of their vessel (seed_centre.h)
 * - denoise: modified curvature diffusion, stronger where there is more noise
 * - even: what is connected with the seeds is followed through slow changes of intensity, which are then taken out
 *   (region_growing.h); not when thresholds are given
 * - start: fast marching from the seeds through intensities nearer to the vessel's than to those around it
 * - grow: geodesic active contour with the speed g = 1 / (1 + exp((G - beta) / alpha)) of the gradient magnitude G;
 *   beta and alpha from the gradients inside the vessel (speed 1) and at its wall (speed 0)
 * - place: every voxel near the front is given its distance to the edge between the voxels (edge_placement.h); what
 *   denoising has shifted on curved walls is shifted back (blur.h)
 *
 * Errors: ERR_INPUT (seeds), ERR_NUMERIC (no front), ERR_RESOURCE. Test: tests/unit/segment/test_segment_level_set.c */
MUST_CHECK int level_set_run(const volume *image, int n_seed, const double (*seed)[3], const level_set_options *options,
                             volume *level, level_set_report *report);
#endif
