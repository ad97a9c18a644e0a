/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the level set method and its report. */
#ifndef PORTAFLOW_SEGMENT_LEVEL_SET_REPORT_H
#define PORTAFLOW_SEGMENT_LEVEL_SET_REPORT_H
#include "common/base/steps.h"
#include "segment/seeds/seeds.h"
#include "segment/vessel/side_branches.h"

enum level_set_engine { LEVEL_SET_LBM, LEVEL_SET_ITK }; /* engine that denoises the image and moves the front */

/* Options of the level set method. NaN, or 0 iterations: the value is chosen from the image. */
typedef struct {
    int vessel; /* intensity of the vessel: -1 automatic, 0 dark, 1 bright */
    /* NaN: chosen from the image. smoothing_mm: standard deviation of the Gaussian for denoising; edge_low, edge_high:
     * gradient magnitudes of the image, per mm; threshold_low, threshold_high: intensities */
    double smoothing_mm, edge_low, edge_high, threshold_low, threshold_high;
    double propagation, curvature, advection;
    int iterations;
    /* upper limit of the volume; a larger front is a leak. NaN: the default, 600 mL with openings, and without openings
     * the smaller limit of extent_default_limit_ml */
    double max_volume_ml;
    /* number of openings; above 0 the front is the vessel between seeds and openings (vessel_region.h) */
    int n_opening;
    const double (*opening_mm)[3]; /* [n_opening] points of the openings, LPS */
    /* [n_opening] unit normals, LPS. x NaN: this normal is along the vessel; NULL: all normals are along the vessel */
    const double (*opening_normal)[3];
    int engine;        /* enum level_set_engine */
    int side_branches; /* highest order of side branches that a bounded front includes (side_branches.h) */
    double crop_mm;    /* with openings: margin around them and the seeds; 0: 20 mm, 60 mm at a wide sac */
} level_set_options;

enum { LEVEL_SET_MOVED = 64 }; /* capacity of the list of moved seeds */

/* A seed near the wall that was moved to the centerline of its vessel. */
typedef struct {
    int seed; /* index of the seed, from 0 */
    double from_mm[3], to_mm[3];
} level_set_moved;

/* Results of a run, and the options that it used. */
typedef struct {
    seeds_statistics seeds;
    int n_moved;
    level_set_moved moved[LEVEL_SET_MOVED];
    level_set_options used;
    bool bounded;       /* true: the lumen is bounded by the tube between seeds and openings */
    double next_tissue; /* intensity of the next tissue: median along the vessel, else at the seeds */
    /* Contrast to the next tissue, mean along the vessel, over the noise at a wall. The noise at a wall is n sqrt(1 +
     * 2.5 k^2). n: noise of a voxel; k: standard deviation in voxels of the kernel that correlates the noise
     * (seeds_statistics.kernel). Correlated noise moves a wall more than white noise. */
    double contrast_to_noise;
    double tube_ml;  /* bounded front: volume of the tubes between seeds and openings, mL */
    side_list sides; /* bounded front: side branches that were found */
    int n_sac;       /* bounded front: widenings that the tube does not follow (sac.h) */
    tube_sac sac[TUBE_SACS];
    int n_sac_unlisted; /* number of widenings for which the list had no room */
    int n_pouch;        /* bounded front: round structures next to the wall, which are excluded (narrow_neck_sac.h) */
    tube_pouch pouch[TUBE_SACS];
    /* bounded front: length of vessel with material at the wall that is far brighter than blood; 0: none */
    double bright_mm;
    double bright_at_mm[3]; /* middle of the longest stretch of vessel with such material, LPS */
    int denoise_steps;
    int parts[3]; /* voxels of the working grid per image voxel, along each axis */
    /* number of rounds that follow slow changes of intensity; 0: given thresholds, bounded or flooded front */
    int rounds;
    int iterations_done;
    /* Set by edge_placement_move; 0 in noisy and in very large images. blur_mm, blur_across_mm: standard deviation of
     * the point spread within and across slices, without the width of a voxel. wall_moved_mm: mean outward correction
     * of the wall, for blur and for the shift at curved walls; wall_moved_sd_mm: its standard deviation. */
    double blur_mm, blur_across_mm, wall_moved_mm, wall_moved_sd_mm;
    steps steps;     /* duration of each step */
    double start_ml; /* volume of the front at its start, mL */
    /* true: the front was ended early and `level` is coarse, because the start filled more than half of the image, or
     * the front exceeded max_volume_ml or a limit of leak.h */
    bool flooded;
} level_set_report;
#endif
