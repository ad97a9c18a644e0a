/* Options of the level set method and its report. */
#ifndef PORTAFLOW_SEGMENT_LEVEL_SET_REPORT_H
#define PORTAFLOW_SEGMENT_LEVEL_SET_REPORT_H
#include "common/base/steps.h"
#include "segment/seeds/seeds.h"
#include "segment/vessel/side_branches.h"

enum level_set_engine { LEVEL_SET_LBM, LEVEL_SET_ITK }; /* engine that denoises and moves the front */

/* Options of the level set method. NaN, or 0 iterations: the value is chosen from the image. */
typedef struct {
    int vessel; /* intensity of the vessel: -1 auto, 0 dark, 1 bright */
    /* smoothing: standard deviation, mm; edge: gradients of the image, per mm; threshold: intensities */
    double smoothing_mm, edge_low, edge_high, threshold_low, threshold_high;
    double propagation, curvature, advection;
    int iterations;
    double max_volume_ml;          /* mL; a larger front is treated as a leak; NaN: 600, less without openings */
    int n_opening;                 /* above 0: only the vessel between seeds and openings (vessel_region.h) */
    const double (*opening_mm)[3]; /* [n_opening] points of the openings, LPS */
    /* [n_opening] unit normals, LPS; x NaN: the normal is along the vessel; NULL: all normals are along the vessel */
    const double (*opening_normal)[3];
    int engine;        /* enum level_set_engine */
    int side_branches; /* bounded: side branches up to this order are included (side_branches.h) */
    double crop_mm;    /* margin around seeds and openings; 0: 20 mm */
} level_set_options;

enum { LEVEL_SET_MOVED = 64 }; /* capacity of the list of moved seeds */

/* A seed near the wall that was moved to the centerline of its vessel. */
typedef struct {
    int seed; /* number of the seed, counted from 0 */
    double from_mm[3], to_mm[3];
} level_set_moved;

/* Every number of a run, chosen or given. */
typedef struct {
    seeds_statistics seeds;
    int n_moved;
    level_set_moved moved[LEVEL_SET_MOVED];
    level_set_options used;
    bool bounded;       /* the lumen is bounded by the tube between seeds and openings */
    double next_tissue; /* intensity of the nearest tissue: median along the vessel, else at the seeds */
    /* Contrast to the next tissue, mean along the vessel, over the noise at a wall. That noise is the noise of a voxel
     * times sqrt(1 + 2.5 k^2), k the kernel of the seeds: correlated noise moves a wall more. */
    double contrast_to_noise;
    double tube_ml;  /* bounded: volume of the tubes between seeds and openings */
    side_list sides; /* bounded: side branches found */
    int n_sac;       /* bounded: widenings that no tube follows (sac.h) */
    tube_sac sac[TUBE_SACS];
    int n_sac_unlisted; /* number of widenings beyond the list */
    int n_pouch;        /* bounded: round structures next to the wall, excluded (narrow_neck_sac.h) */
    tube_pouch pouch[TUBE_SACS];
    double bright_mm;       /* bounded: length with something far brighter than blood at the wall; 0: none */
    double bright_at_mm[3]; /* LPS: middle of the longest stretch with bright material */
    int denoise_steps;
    int parts[3]; /* cells per image voxel along each axis */
    int rounds;   /* rounds of following slow changes of intensity; 0: thresholds were given */
    int iterations_done;
    /* Set by edge_placement_move; 0 in noisy and very large images. blur: standard deviation of the image's point
     * spread without the voxel width, within slices and across them. wall_moved: mean outward correction for blur and
     * for measuring on curved walls; wall_moved_sd: standard deviation of this correction. */
    double blur_mm, blur_across_mm, wall_moved_mm, wall_moved_sd_mm;
    steps steps;     /* time of each step */
    double start_ml; /* volume of the starting front */
    /* the front was ended early and level is coarse, since the start filled more than half of the image, or the front
     * exceeded max_volume_ml or a limit of leak.h */
    bool flooded;
} level_set_report;
#endif
