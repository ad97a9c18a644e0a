/* SPDX-License-Identifier: Apache-2.0 */
/* State of the level set method, in the order of its steps. The image is passed separately to the steps that read it.
 * Only for this folder. */
#ifndef PORTAFLOW_SEGMENT_FRONT_H
#define PORTAFLOW_SEGMENT_FRONT_H
#include "segment/engine/front_engine.h"
#include "segment/level_set/level_set_report.h"
#include "segment/level_set/region_growing.h"
#include "segment/tube/tube.h"
#include "segment/voxel/grid.h"
#include <math.h>

/* The seeds and their intensities; complete after the seeds are studied. */
typedef struct {
    int n;
    const double (*at_mm)[3]; /* [n] LPS, on the centerline of their vessel */
    double (*middle_mm)[3];   /* [n] seeds that are studied, moved to the middle of the vessel; owned */
    double sign;              /* +1: bright vessel; -1: dark vessel. All intensities below are multiplied by it */
    seeds_statistics bright;
    double low, high; /* intensity range that the front may enter, multiplied by `sign` */
    bool high_given;  /* true: the user gave the upper threshold */
    /* true: no threshold was given, so the intensity range follows the intensities along the vessel */
    bool follow;
} front_seeds;

/* Limits of the front, found once, before the working grid is made. */
typedef struct {
    tube tube; /* vessel that bounds the front; n 0: the front is unbounded */
    /* region that is connected with the seeds; with a tube only the region's maps of intensity are used */
    grown_region region;
} front_extent;

/* The working grid (working_grid.h), where the front moves; rebuilt larger when the front reaches its end. */
typedef struct {
    int extra_margin[3]; /* extra margin that earlier rounds have requested, in image voxels */
    /* range of the grid in image voxels; goes beyond the image where the vessel reaches the image border */
    grid_box box;
    int parts[3];                          /* voxels of the grid per image voxel, along each axis */
    double voxel_mm[3], thin_mm, thick_mm; /* size of an image voxel: along each axis, smallest, largest */
    /* [axis][low, high] true: on this side the box ends with the image and cannot grow */
    bool ends[3][2];
    double spacing_mm; /* edge of a cube with the volume of a voxel of the grid */
    int (*seed)[3];    /* [number of seeds] voxels of the seeds, owned */
    /* image times sign, without slow changes of intensity, owned. denoised: for the front; evened: not denoised, for
     * the edges */
    volume denoised, evened;
    volume seen;    /* visibility of the wall, 0 to 1 (half_height_edge.h), owned; value NULL: not measured */
    bool can_halve; /* true: vessels are narrow, and voxels are not halved yet */
} front_grid;

typedef struct {
    front_seeds seeds;
    volume cropped; /* part of the image around the tube, owned; value NULL: no tube was measured */
    /* copy of `cropped` from before plaque was darkened (plaque.h), owned; value NULL: no plaque was found */
    volume with_plaque;
    front_extent extent; /* limits of the front that is being computed */
    front_extent spare;  /* tube along the seeds, kept for the case that an unbounded front fails in a noisy image */
    front_grid grid;
    const front_engine *engine;
    level_set_report *report; /* values that were chosen or found during the run; owned by the caller */
} front;

/* A value of the user, or the chosen value if the user gave none (NaN). */
static inline double front_value(double given, double chosen) {
    return isnan(given) ? chosen : given;
}
#endif
