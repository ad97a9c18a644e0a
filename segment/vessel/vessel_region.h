/* What lies between seeds and openings: the tube of the vessel there, and how far from it a front may go. */
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
    const double (*point)[3];  /* [n_opening] LPS mm */
    const double (*normal)[3]; /* unit, LPS; x NAN: along the vessel */
} vessel_region_openings;

/* Variance of the blur of what the tube is measured in along the axes of the image, mm2; 0 in slices too thick for
 * profiles across a wall. */
void bound_blur(const volume *image, double point_variance, double out[3]);

/* image: as read (cropped). seeds: of the image times sign; sign: -1 turns it bright. threshold: lower one given by the
 * user, times sign; NAN: found along the vessel. seed [n] LPS mm. sides: in, the order to which side branches belong to
 * it; out, those seen. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_region_find(const volume *image, const seeds_statistics *seeds, double sign, double threshold, int n,
                          const double (*seed)[3], const vessel_region_openings *openings, side_list *sides, tube *out);

/* Voxels of the image that the tube and its slack fill. */
void vessel_region_box(const tube *t, const volume *image, grid_box *box);

/* Smooth maps of the tube's intensities over the box of `image`: coarse grids. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_region_maps(const tube *t, const volume *image, volume *inside, volume *outside);

/* Where the image is needed: a level set in voxels of v's geometry, below 3 near the tube and its slack. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int bound_band(const tube *t, const volume *v, volume *band);

/* v: the evened, denoised working image, brighter inside. inside, outside: its intensities; noise: standard deviation,
 * of what is alike in neighbouring voxels, too, which denoising leaves; most: voxels above are not
 * the vessel (INFINITY: none). Out, all with v's geometry:
 * field (mm): of the tube (tube.h).
 * start: 1 where the vessel is, by intensity and closeness to the tube, connected with it.
 * clip (mm): a level set of the vessel is to be no less than this: the field less the slack (two fifths of the radius),
 * and the field itself where the image is as bright beyond the slack: a neighbour that touches, a widening that no
 * vessel has.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_tube.c */
MUST_CHECK int bound_region(const tube *t, const volume *v, double inside, double outside, double noise, double most,
                            volume *start, volume *clip, volume *field);
#endif
