/* The working grid of the level set: what is cut from the image, and where. Used by level_set*.c alone. */
#ifndef PORTAFLOW_SEGMENT_WORKING_GRID_H
#define PORTAFLOW_SEGMENT_WORKING_GRID_H
#include "common/base/must_check.h"
#include "segment/vessel/bound.h"
#include "segment/voxel/grid.h"
#include "segment/level_set/level_set.h"
#include "segment/level_set/region_growing.h"

typedef struct {
    const volume *image;
    int n_seed;
    const double (*seed)[3];
    level_set_report *r;
    double sign;             /* +1 bright, -1 dark: everything below is the image times sign */
    seeds_statistics bright; /* the seeds' statistics times sign */
    double low, high;        /* intensities the front may enter, times sign */
    bool high_given;         /* by the user */
    bool follows;            /* the tube's intensities are measured along it: no threshold was given */
    grown_region reach;             /* what is connected with the seeds; only its maps in a bounded vessel */
    tube tube;               /* the vessel between seeds and openings; n 0: not bounded */
    tube along;              /* along the seeds, where a front without bounds is tried in a noisy image; n 0: none */
    grown_region along_maps;        /* its maps */
    volume with_plaque;      /* image as it was before plaque.h; value NULL: nothing was darkened */
    int more[3];             /* voxels of room beyond that */
    grid_box box;            /* in voxels of the image; PAD voxels beyond it where the vessel reaches the border */
    volume image_work;       /* the working grid: evened, then denoised for the front */
    volume image_plain;      /* the same, not denoised */
    volume seen;             /* how far the wall is seen near the level set (profile.h); value NULL: not measured */
    bool can_halve;          /* vessels are narrow and the cells not halved yet */
    double h;                /* its spacing, mm: the cube as large as one of its cells */
    int (*start)[3];         /* seeds on the working grid */
} level_set_work;

void level_set_work_free(level_set_work *w);

/* sign and bright of r->seeds. */
void level_set_work_turn(level_set_work *w);

/* reach: everything connected with the seeds in the lightly smoothed image, up to `most_ml`. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int level_set_work_reach(level_set_work *w, bool follow, double most_ml);
/* What was reached (mask [voxels of geometry]) as a level set (mm) on voxels as large as shows where it is, where it is
 * too much to go on. Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_work_flood(const volume *geometry, const uint8_t *reached, volume *level);
/* The same of a front that is ended early: of the level set, or where it is not made yet (value NULL) of the start (1
 * there). Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_work_flood_front(const volume *start, volume *level);
/* r->flooded where more of a start (1 there) or, grown, a level set lies behind a neck than leak.h lets pass; looked at
 * on coarse voxels, so that a front which goes on is not refused later for less. Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_work_neck(level_set_work *w, const volume *front, bool grown);
/* tube and the maps of reach: the vessel between the seeds and the openings of r->used. Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_work_bound(level_set_work *w, bool follow);
/* image_work and image_plain round that: cubes as wide as the thinnest axis (r->parts),
 * evened. Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_work_make(level_set_work *w);
/* 1 where the seeds reach, 0 where not, linear between the voxels of the image: on the working grid.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_work_reached(const level_set_work *w, volume *out);
/* Halve the cells of image_plain and of the level set (in voxels) on it where vessels are narrow and there is room.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_work_halve(level_set_work *w, volume *level);
/* True when the lumen reaches a side of the box that is not a side of the image; there is then more room next time. */
bool level_set_work_needs_room(level_set_work *w, const volume *level);
/* Cut the padding off: the level ends with the image. Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_work_crop(const level_set_work *w, volume *level);

/* Quantile of G over voxels whose distance to the start's border lies in low..high (voxels). Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_gradient_quantile(const volume *g, const volume *distance, double low, double high, double q,
                                           double *out);
/* Level lines move by their curvature where |level| < reach (voxels), by the engine chosen. Errors: ERR_RESOURCE. */
MUST_CHECK int level_set_denoise(const level_set_work *w, volume *image, const volume *level, double reach,
                                 double variance);
/* From about a voxel's closeness onto the edges, sub-voxel, in two rounds, in an image that is denoised along its level
 * lines near the wall; then what noise left is smoothed off and the shift that both gave to curved walls is undone, as
 * far as theory says. What it does not say is measured: the image's point spread (scanner_model_fit), then the same
 * steps in the picture that a scanner would give of the wall found; by as much as they miss that wall the found one is
 * moved (bias correction by a parametric bootstrap, Efron and Tibshirani 1993), evened along the wall, by half a
 * voxel at most. Less of it in noisy images (contrast to the next tissue below six times the noise), none below
 * three; less where the point spread is above 0.9 voxel, none from 1.2 on and in slices thicker than three voxels are
 * wide. typical: gradient at the wall, per mm. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_edge_placement.c */
MUST_CHECK int level_set_settle(level_set_work *w, double typical, volume *level);
#endif
