/* Uncertainty of the wall's position. */
#ifndef PORTAFLOW_SEGMENT_WALL_UNCERTAINTY_H
#define PORTAFLOW_SEGMENT_WALL_UNCERTAINTY_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"

typedef struct {
    double edge_width_mm;     /* standard deviation of the image's blur across the wall; median */
    double noise_to_contrast; /* noise over contrast at the wall; median */
    double uncertainty_mm;    /* half-width of the 95 % interval of a uniform shift of the wall */
} wall_uncertainty;

/* Estimate the uncertainty from profiles across the wall. A wall blurred by a Gaussian of standard deviation w has the
 * slope G = C / (sqrt(2 pi) w) for a contrast C. The half-width is
 *   s = 2 sqrt((w / 10)^2 + (f n / (5 G))^2 (1 + 2.5 k^2) + (h (1 - support) / 2)^2 + b^2), at least h / 20.
 * The factor 2 gives 95 %. w / 10: shift by the neighbours of a vessel. n / (5 G): noise n after smoothing along the
 * wall, for noise correlated over k voxels; f = max(1, 1.5 n / C sqrt(1 + 2.5 k^2)), since strong noise moves whole
 * regions. h: size of a voxel. support: part of the wall with a visible edge; elsewhere the wall may lie half a
 * voxel away. b: `moved_sd_mm`, uncertainty of the blur correction (level_set_report.h). Slope and contrast come
 * from profiles of 5 voxels at up to 4000 wall points, outermost voxels excluded. The factors 1/10 and 1/5 were
 * calibrated on phantoms (ACCURACY.md). Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_wall_uncertainty.c */
MUST_CHECK int wall_uncertainty_measure(const volume *image, const surface *wall, double noise, double kernel,
                                        double support, double moved_sd_mm, wall_uncertainty *e);

/* Uncertainty of a mask: 0.35 voxel edges (geometric mean of the three), since two manual segmentations of the femoral
 * artery in MRI differed by 0.35 mm rms (Chiu et al. 2011). */
double wall_uncertainty_of_mask(const volume *mask);
#endif
