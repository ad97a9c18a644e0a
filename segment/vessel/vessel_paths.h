/* SPDX-License-Identifier: Apache-2.0 */
/* Paths between seeds and openings: cost, minimal paths, the tube along them, and the case next to bone. The paths run
 * through the image, because the lumen that common/centerline needs does not exist yet. */
#ifndef PORTAFLOW_VESSEL_PATHS_H
#define PORTAFLOW_VESSEL_PATHS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include "segment/tube/tube.h"

/* Standard deviation of the Gaussian that smooths the image before rays are cast, in widths of the thinnest voxel */
#define VESSEL_PATHS_SMOOTH 0.6
#define VESSEL_PATHS_BEYOND                                                                                            \
    3.0 /* Length of a path beyond an opening, in radii, so that the opening's plane cuts the whole vessel */

/* Prepares the image for paths and rays. `out`: image times sign, smoothed by VESSEL_PATHS_SMOOTH; voxels above `most`
 * are first set to `dark`. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_paths_bright(const volume *image, double sign, double most, double dark, volume *out);

/* Computes the cost of paths. inside, outside: intensities of the vessel and of the tissue around it. cost: out, low in
 * the middle of tubes as bright as the vessel, with radii narrow_mm to wide_mm. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_paths_cost(const volume *bright, double inside, double outside, double narrow_mm, double wide_mm,
                                 volume *cost);

/* Lowers the cost in the middle of tubes of radius radius_mm, in place. bright, inside, outside: as for
 * vessel_paths_cost. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_paths_add_narrow(const volume *bright, double inside, double outside, double radius_mm,
                                       volume *cost);

/* Measures the tube along minimal paths. `out`: the tube, with its sacs, along the minimal paths between the points
 * point [total]; the first n_seed points are seeds. opening: tube_paths.h. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_paths_measure(const volume *bright, const volume *cost, const tube_guess *guess, int n_seed,
                                    int total, const double (*point)[3], const int *opening, tube *out);

/* Repeat the paths with other costs where the tube shows no wall. First attempt: the lower of the cost and the cost of
 * the image with far brighter material darkened, since a vessel next to bone is no ridge of the image. Second attempt,
 * if walls are still missing: the cost of the image with everything brighter than the vessel darkened, since the blur
 * around bone is as bright as blood; used only if the tube then shows more of its wall. cost: replaced by the cost that
 * is used. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_plaque.c */
MUST_CHECK int vessel_paths_beside_bone(const volume *image, const volume *bright, const seeds_statistics *seeds,
                                        double sign, const tube_guess *guess, int n_seed, int total,
                                        const double (*point)[3], const int *opening, volume *cost, tube *out);
#endif
