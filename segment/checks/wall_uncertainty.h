/* How well the place of the wall is known. */
#ifndef PORTAFLOW_SEGMENT_WALL_UNCERTAINTY_H
#define PORTAFLOW_SEGMENT_WALL_UNCERTAINTY_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"

typedef struct {
    double edge_width_mm;     /* standard deviation of the blur across the wall, median over it */
    double noise_to_contrast; /* of the image at the wall, median */
    double uncertainty_mm;    /* half-width of the 95 % interval of the wall's place, as a shift of all of it */
} wall_uncertainty;

/* From the image across the wall. A wall seen through a Gaussian of standard deviation w has the slope
 * G = C / (sqrt(2 pi) w), C the contrast between the sides, and noise n moves it by n / G at one place; smoothing along
 * the wall leaves a fifth of that, or sqrt(1 + 2.5 k^2) times as much where a kernel of k voxels (standard deviation)
 * makes noise alike, and 1.5 n / C times as much where that is above 1 (noise moves whole places). Systematic is a part
 * of the blur that the neighbours of a vessel decide on:
 *   s = 2 sqrt((w / 10)^2 + (n / (5 G))^2 (1 + 2.5 k^2) + b^2), at least a twentieth of the voxel's edge
 * (2: 95 %), b how well the correction for the blur of curved walls is known (level_set.h). Where there is no edge
 * along part of the wall (`support` of it has one), half a voxel for that part. Slopes and contrasts: profiles of 5
 * voxels along the normals of at most 4000 points of the wall, outermost voxels left out. Both numbers were set on
 * phantoms, see README.md. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_wall_uncertainty.c */
MUST_CHECK int wall_uncertainty_measure(const volume *image, const surface *wall, double noise, double kernel,
                                        double support, double moved_sd_mm, wall_uncertainty *e);

/* A mask: how far two people's walls are apart, 0.35 of the voxel's edge (geometric mean of its three): the root mean
 * square difference of two manual segmentations of the femoral artery in MRI was 0.35 mm (Chiu et al. 2011). */
double wall_uncertainty_of_mask(const volume *mask);
#endif
