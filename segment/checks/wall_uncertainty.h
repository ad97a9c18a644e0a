/* SPDX-License-Identifier: Apache-2.0 */
/* Uncertainty of the wall's position. */
#ifndef PORTAFLOW_SEGMENT_WALL_UNCERTAINTY_H
#define PORTAFLOW_SEGMENT_WALL_UNCERTAINTY_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"

typedef struct {
    double edge_width_mm;     /* standard deviation of the blur of the image across the wall, median over the wall */
    double noise_to_contrast; /* noise divided by the contrast at the wall; median over the wall */
    /* Components of uncertainty_mm, which is the root of the sum of their squares. measured_mm: error of the measured
     * position of the half height. threshold_mm and resolution_mm: differences between observers who draw the wall by
     * hand. */
    double measured_mm, threshold_mm, resolution_mm;
    double bridged_mm;     /* component of bridged gaps (gap_bridge.h); 0: none */
    double uncertainty_mm; /* half-width of the 95 % interval of the wall's position at a point */
    /* Half-width of the 95 % interval of the mean wall position of a cross-section, mm. Runs with the wall moved by
     * this distance give the segmentation uncertainty of pressures and shear stresses. */
    double shift_mm;
} wall_uncertainty;

/* Estimate the uncertainty from profiles across the wall. Half-widths:
 *
 * measured: a wall blurred by a Gaussian of standard deviation w has the slope G = C / (sqrt(2 pi) w) for a contrast C;
 *   2 sqrt((w / 10)^2 + (f n / (5 G))^2 (1 + 2.5 k^2) + (h (1 - support) / 2)^2 + b^2), at least h / 20.
 * The factor 2 gives 95 %. w / 10: shift by the neighbours of a vessel. n / (5 G): noise n after smoothing along the
 * wall, for noise correlated over k voxels; f = max(1, 1.5 n / C sqrt(1 + 2.5 k^2)), since strong noise moves whole
 * regions. h: size of a voxel. support: part of the wall with a visible edge; elsewhere the wall may lie half a
 * voxel away. b: `moved_sd_mm`, uncertainty of the blur correction (level_set_report.h).
 *
 * threshold: an observer draws the wall at 40 to 60 % of the local contrast. Half the distance between both levels of a
 *   profile, median over the wall.
 * resolution: the wall of an observer follows voxels within a slice: 95 % of it lies within 0.35 of the smallest
 *   voxel width.
 *
 * shift_mm: root of the sum of squares of measured, threshold and 0.13 of the smallest voxel width. Voxels move the
 *   points of a wall in and out, so most of the effect of resolution on a cross-section cancels. The other two
 *   components move the whole cross-section.
 *
 * Profiles of 5 voxels at up to 4000 wall points, outermost voxels excluded. The factors 1/10 and 1/5 were calibrated
 * on phantoms, 0.35 on masks of cylinders. References of images and phantoms test the sum (segment/ACCURACY.md). Fewer
 * than 10 edges: all NaN. Errors: ERR_RESOURCE. Tests: test_segment_wall_uncertainty.c, test_segment_real.c,
 * test_segment_scanner.c */
MUST_CHECK int wall_uncertainty_measure(const volume *image, const surface *wall, double noise, double kernel,
                                        double support, double moved_sd_mm, wall_uncertainty *e);

/* Uncertainty of a mask. threshold_mm: 0.3 voxel, from a threshold of 40 to 60 % at a blur of 1.2 voxels.
 * resolution_mm: 0.35 voxel, since the wall follows voxels. uncertainty_mm: root of the sum of the squares of both.
 * shift_mm: the same root with 0.13 in place of 0.35 voxel. The size of a voxel is the geometric mean of its three
 * widths. edge_width_mm, noise_to_contrast and measured_mm are NaN. */
wall_uncertainty wall_uncertainty_of_mask(const volume *mask);

/* Returns an uncertainty with all values NaN, for method surface. */
wall_uncertainty wall_uncertainty_unknown(void);
#endif
