/* State of the level set method, in the order of its steps. The image is passed separately to the steps that read it.
 * Only for this folder. */
#ifndef PORTAFLOW_SEGMENT_FRONT_H
#define PORTAFLOW_SEGMENT_FRONT_H
#include "segment/engine/front_engine.h"
#include "segment/level_set/level_set_report.h"
#include "segment/level_set/region_growing.h"
#include "segment/tube/tube.h"
#include "segment/voxel/grid.h"

/* The seeds and their intensities; complete after the seeds are studied. */
typedef struct {
    int n;
    const double (*at_mm)[3]; /* [n] LPS, on the centerline of their vessel */
    double (*middle_mm)[3];   /* [n] seeds that are studied, moved to the middle of the vessel; owned */
    double sign;              /* +1 bright, -1 dark vessel: every intensity below is multiplied by sign */
    seeds_statistics bright;
    double low, high; /* intensity range that the front may enter */
    bool high_given;  /* the user set the upper threshold */
    bool follow;      /* no threshold is set: intensities are followed along the vessel */
} front_seeds;

/* Limits of the front, found once, before the working grid is made. */
typedef struct {
    tube tube;           /* vessel that bounds the front; n 0: unbounded */
    grown_region region; /* region connected with the seeds; if there is a tube, only its intensity maps are used */
} front_extent;

/* Cubic cells on which the front moves; rebuilt larger when the front reaches their end. */
typedef struct {
    int extra_margin[3];                   /* voxels of extra margin that earlier rounds requested */
    grid_box box;                          /* image voxels; beyond the image where the vessel reaches its border */
    int parts[3];                          /* cells per image voxel along each axis */
    double voxel_mm[3], thin_mm, thick_mm; /* voxel widths of the image: along each axis, the smallest, the largest */
    /* [axis][low, high] on this side the box ends with the image and cannot grow */
    bool ends[3][2];
    double cell_mm; /* edge of the cube with the volume of a cell */
    int (*seed)[3]; /* [number of seeds] seeds as cell indices, owned */
    /* image times sign, without slow changes of intensity: denoised for the front, not denoised for the edges; owned */
    volume denoised, evened;
    volume seen;    /* visibility of the wall, 0 to 1 (half_height_edge.h), owned; value NULL: not measured */
    bool can_halve; /* vessels are narrow and the cells are not halved yet */
} front_grid;

typedef struct {
    front_seeds seeds;
    volume cropped; /* part of the image that holds the tube, owned; value NULL: no tube was measured */
    /* copy of `cropped` made before plaque.h darkened plaque, owned; value NULL: no plaque was found */
    volume with_plaque;
    front_extent extent; /* limits of the current front */
    front_extent spare;  /* tube along the seeds, in reserve while an unbounded front grows in a noisy image */
    front_grid grid;
    const front_engine *engine;
    level_set_report *report; /* values chosen or found during the run; owned by the caller */
} front;
#endif
