/* What the steps of the level set hand on, in the order in which it comes to be. The image is no part of it: a step
 * that reads the image is given it. Used in this folder alone. */
#ifndef PORTAFLOW_SEGMENT_FRONT_H
#define PORTAFLOW_SEGMENT_FRONT_H
#include "segment/engine/front_engine.h"
#include "segment/level_set/level_set_report.h"
#include "segment/level_set/region_growing.h"
#include "segment/tube/tube.h"
#include "segment/voxel/grid.h"

/* Known from the study of the seeds on. */
typedef struct {
    int n;
    const double (*at_mm)[3]; /* [n] LPS, in the middle of their vessel */
    double (*middle_mm)[3];   /* the same, where they were studied; owned */
    double sign;              /* +1 bright, -1 dark: every intensity below is the image's times sign */
    seeds_statistics bright;
    double low, high; /* intensities the front may enter */
    bool high_given;  /* by the user */
    bool follow;      /* no threshold was given: intensities are followed along the vessel */
} front_seeds;

/* What the front may fill: found once, before there is a working grid. */
typedef struct {
    tube tube;           /* the vessel that bounds the front; n 0: nothing does */
    grown_region region; /* what is connected with the seeds; only its maps where there is a tube */
} front_extent;

/* The cubes on which the front moves; made anew where it comes to their end. */
typedef struct {
    int more[3];                           /* voxels of room that rounds before asked for */
    grid_box box;                          /* in voxels of the image; beyond it where the vessel reaches the border */
    int parts[3];                          /* pieces each voxel of the image is cut into */
    double voxel_mm[3], thin_mm, thick_mm; /* widths of the image's voxels, the least and the largest of them */
    bool ends[3][2];                       /* the box goes as far as the image there: it needs no more room */
    double cell_mm;                        /* of the cube as large as one of the cells */
    int (*seed)[3];                        /* [seeds] their cells, owned */
    volume denoised, evened;               /* the image turned bright, its slow changes taken out: owned */
    volume seen;    /* how far the wall is seen (half_height_edge.h), owned; value NULL: not measured */
    bool can_halve; /* vessels are narrow and the cells not halved yet */
} front_grid;

typedef struct {
    front_seeds seeds;
    volume cropped;      /* the part of the image in which a tube lies, owned; value NULL: none was measured */
    volume with_plaque;  /* the same before plaque.h, owned; value NULL: nothing was darkened */
    front_extent extent; /* of the front */
    front_extent spare;  /* the tube along the seeds, while a front without bounds is tried in a noisy image */
    front_grid grid;
    const front_engine *engine;
    level_set_report *report; /* every number chosen or found on the way, the caller's */
} front;
#endif
