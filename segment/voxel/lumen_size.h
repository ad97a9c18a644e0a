/* SPDX-License-Identifier: Apache-2.0 */
/* Size of the lumen and defects of its wall. */
#ifndef PORTAFLOW_LUMEN_SIZE_H
#define PORTAFLOW_LUMEN_SIZE_H
#include "common/base/must_check.h"
#include "common/centerline/centerline.h"
#include "common/surface/surface.h"
#include "common/image/volume.h"

/* Size of the lumen and defects of its wall. Bits of `touched`: 2 a + s for axis a, s = 0 first voxel, 1 last voxel. */
typedef struct {
    double volume_ml; /* volume that the wall encloses */
    double area_mm2;  /* area of the wall, with the faces that close it */
    /* radii of inscribed balls whose centre is in the middle of the lumen: 5th and 50th percentile of balls away from
     * the image border, largest radius of all balls */
    double radius_mm[3];
    double centre_mm[3];            /* centre of the largest ball, LPS */
    int components;                 /* number of connected pieces of the lumen */
    double smaller_pieces_part;     /* part of the voxels that is not in the largest piece */
    int cavities;                   /* number of closed holes in the lumen */
    double cavity_ml, cavity_mm[3]; /* volume of all closed holes; a point on the wall of the largest one, LPS */
    int sheets;                     /* number of pieces of the wall that enclose nothing, with lumen on both sides */
    double sheet_mm2, sheet_mm[3];  /* area of all sheets, on one side; a point on the largest sheet, LPS */
    unsigned touched;               /* sides of the image that the lumen reaches, one bit per side */
} measure;

/* Measure the lumen. Radii are taken at voxels in the middle of the lumen (lumen_size.c), which flat pieces and pieces
 * without centerlines have, too. phi: signed distance to `wall`. image: volume whose sides are tested (geometry), or
 * NULL. Errors: ERR_RESOURCE. */
MUST_CHECK int measure_lumen(const volume *phi, const surface *wall, const volume *image, measure *m);

/* Replaces radius_mm[0] by the 5th percentile of the radii along the own parts of the centerlines, at most
 * radius_mm[1]; no change without own parts. Near a rough wall inscribed balls are small, but no centerline passes
 * there. Errors: ERR_RESOURCE. */
MUST_CHECK int measure_narrow_radius(const centerline *lines, measure *m);

/* Direction of side `bit` of the image: "right", "left", "anterior", "posterior", "inferior" or "superior". */
const char *measure_side_name(const volume *image, int bit);
#endif
