/* What a user may set of the level set method, and what it tells of a run. */
#ifndef PORTAFLOW_SEGMENT_LEVEL_SET_REPORT_H
#define PORTAFLOW_SEGMENT_LEVEL_SET_REPORT_H
#include "common/base/steps.h"
#include "segment/seeds/seeds.h"
#include "segment/vessel/side_branches.h"

/* What a user may set; NaN (0 for iterations): chosen from the image. */
enum level_set_engine { LEVEL_SET_LBM, LEVEL_SET_ITK }; /* what denoises and moves the front */

typedef struct {
    int vessel;                                                              /* -1 auto, 0 dark, 1 bright */
    double smoothing_mm, edge_low, edge_high, threshold_low, threshold_high; /* intensities of the image, per mm */
    double propagation, curvature, advection;
    int iterations;
    double max_volume_ml;              /* a start larger than this is taken for a leak at once; NaN: 600 */
    int n_opening;                     /* above 0: the vessel between seeds and openings alone (vessel_region.h) */
    const double (*opening_mm)[3];     /* [n_opening] LPS */
    const double (*opening_normal)[3]; /* unit, LPS; x NaN: along the vessel; NULL: all so */
    int engine;                        /* enum level_set_engine */
    int side_branches;                 /* bounded: branches up to this order come along (side_branches.h) */
    double crop_mm;                    /* room round seeds and openings; 0: 20 mm */
} level_set_options;

enum { LEVEL_SET_MOVED = 64 }; /* seeds that are noted */

/* A seed near the wall that was moved to the middle of its vessel. */
typedef struct {
    int seed; /* counted from 0 */
    double from_mm[3], to_mm[3];
} level_set_moved;

/* What was used: every number of the method, chosen or given. */
typedef struct {
    seeds_statistics seeds;
    int n_moved;
    level_set_moved moved[LEVEL_SET_MOVED];
    level_set_options used;
    bool bounded;       /* to what lies between seeds and openings */
    double next_tissue; /* intensity of the nearest tissue round the vessel: median along it, else at the seeds */
    /* Contrast to that tissue, mean along the vessel, over the noise; noise that is alike in neighbouring voxels counts
     * more, as a wall shows it: times sqrt(1 + 2.5 k^2), k the kernel of the seeds. */
    double contrast_to_noise;
    double tube_ml;  /* bounded: volume of the tubes between seeds and openings */
    side_list sides; /* bounded: side branches that were seen */
    int n_sac;       /* bounded: widenings that no tube follows (sac.h), */
    tube_sac sac[TUBE_SACS];
    int n_sac_unlisted; /* and more of them */
    int n_pouch;        /* bounded: round things beside the wall, left out (narrow_neck_sac.h) */
    tube_pouch pouch[TUBE_SACS];
    double bright_mm; /* bounded: length along which something far brighter than blood lies against the wall, 0: none */
    double bright_at_mm[3]; /* LPS: the middle of the longest stretch of it */
    int denoise_steps;
    int parts[3]; /* pieces each voxel of the image was cut into */
    int rounds;   /* of following slow changes of intensity, 0: thresholds were given */
    int iterations_done;
    /* level_set_settle, 0 in noisy and very large images: the image's point spread beside the width of its voxels,
     * standard deviation, within slices and across them; how far the wall was moved outwards for what blur and
     * measuring do to curved walls, mean, and the standard deviation of that */
    double blur_mm, blur_across_mm, wall_moved_mm, wall_moved_sd_mm;
    steps steps;     /* how long each step took */
    double start_ml; /* volume of the starting front */
    bool flooded;    /* the start alone is more than half of the image, or the front fills more than max_volume_ml or is
                      * wider than a vessel (leak.h): it was ended there, level is coarse */
} level_set_report;
#endif
