/* SPDX-License-Identifier: Apache-2.0 */
/* The lumen as a level set grown from seeds to the edges of the image. */
#ifndef PORTAFLOW_SEGMENT_LEVEL_SET_H
#define PORTAFLOW_SEGMENT_LEVEL_SET_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/level_set/level_set_report.h"

/* Finds the lumen as a level set. image: as read. seed [n][3]: LPS, mm. level: out, mm near the wall, negative inside;
 * only parts connected with a seed. Its grid covers the region of the seeds with voxels as nearly cubic as whole parts
 * of image voxels allow.
 *
 * - seeds near the wall are moved to the centerline of their vessel (seed_centre.h)
 * - denoise: modified curvature diffusion, stronger with more noise
 * - even: slow changes of intensity along the vessel are removed (region_growing.h); not with given thresholds
 * - start: voxels connected with the seeds, nearer in intensity to the vessel than to its surroundings
 * - grow: geodesic active contour (free_contour.h), or the level set of the tube (bounded_contour.h)
 * - place: each voxel near the front gets its distance to the sub-voxel edge (edge_placement.h); the shift of
 *   curved walls by denoising is undone (blur.h)
 *
 * Errors: ERR_INPUT (seeds), ERR_NUMERIC (no front), ERR_RESOURCE. Test: tests/unit/segment/test_segment_level_set.c */
MUST_CHECK int level_set_run(const volume *image, int n_seed, const double (*seed)[3], const level_set_options *options,
                             volume *level, level_set_report *report);
#endif
