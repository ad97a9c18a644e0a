/* SPDX-License-Identifier: Apache-2.0 */
/* The tube of the vessel between seeds and openings, and the distance that a front may go from it. */
#ifndef PORTAFLOW_VESSEL_REGION_H
#define PORTAFLOW_VESSEL_REGION_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/voxel/grid.h"
#include "segment/seeds/seeds.h"
#include "segment/vessel/side_branches.h"
#include "segment/tube/tube.h"

typedef struct {
    int n_opening;
    const double (*point)[3];  /* [n_opening] LPS mm, points of the openings */
    const double (*normal)[3]; /* [n_opening] unit, LPS; x NaN: the normal is along the vessel */
} vessel_region_openings;

/* Finds the blur of the image. `out`: variance of the blur along the axes of the image where the tube is measured, mm2;
 * 0 in slices too thick for profiles across a wall. */
void vessel_region_blur(const volume *image, double point_variance, double out[3]);

/* Find the tube with its sacs and side branches. image: as read (cropped). seeds: statistics of the image times
 * sign; sign: -1 turns a dark vessel bright. threshold: the user's lower threshold, times sign; NAN: found along the
 * vessel. seed [n] LPS mm. sides: in, highest order of side branches to include; out, the branches found. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int vessel_region_find(const volume *image, const seeds_statistics *seeds, double sign, double threshold,
                                  int n, const double (*seed)[3], const vessel_region_openings *openings,
                                  side_list *sides, tube *out);

/* Box in image voxels that contains the tube and all places that a front may reach from the tube (its slack). */
void vessel_region_box(const tube *t, const volume *image, grid_box *box);

/* Makes smooth maps of the tube's intensities over the box of `image`, on coarse grids. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_region_maps(const tube *t, const volume *image, volume *inside, volume *outside);

/* Computes the distance to the region that a front may reach: the tube and its slack. band: out, on the grid of v,
 * distance in voxels, 0 inside the region. The caller needs the image only where this distance is below 3. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int vessel_region_band(const tube *t, const volume *v, volume *band);

/* Find the limits of a front around the tube. Out, all with v's geometry:
 *
 * field (mm): signed distance to the tube (tube.h). start: 1 in voxels that are probably in the vessel, judged by
 * intensity and distance from the tube, and connected with the tube. clip (mm): lower bound of a level set of the
 * vessel: field minus the slack (two fifths of the radius, at least 1.2 voxels). Where the
 *   image beyond the slack is as bright as the vessel (a touching neighbour, an abnormal widening), clip is field.
 *   Where the image shows no vessel (lost nodes), it is outside the vessel.
 *
 * v: the working image, denoised and without slow changes of intensity, brighter inside, of intensities `inside` and
 * `outside`. noise: standard deviation including correlated noise, which denoising does not remove. `most`: brighter
 * voxels are not the vessel (INFINITY: none). Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_tube.c */
MUST_CHECK int vessel_region_limits(const tube *t, const volume *v, double inside, double outside, double noise,
                                    double most, volume *start, volume *clip, volume *field);
#endif
