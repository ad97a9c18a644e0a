/* Size of the lumen and defects of its wall. */
#ifndef PORTAFLOW_SEGMENT_MEASURE_H
#define PORTAFLOW_SEGMENT_MEASURE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "common/image/volume.h"

/* Size of the lumen and defects of its wall. Bits of `touched`: 2 a + s for axis a, s = 0 first voxel, 1 last voxel. */
typedef struct {
    double volume_ml; /* volume enclosed by the wall */
    double area_mm2;  /* area of the wall, including the closing faces */
    /* radius of the inscribed balls along the centerline: 5th and 50th percentile without balls at the image's border,
     * largest of all balls */
    double radius_mm[3];
    double centre_mm[3];            /* LPS, center of the largest ball */
    int components;                 /* connected pieces of the lumen */
    double smaller_pieces_part;     /* fraction of the voxels outside the largest component */
    int cavities;                   /* closed holes inside the lumen */
    double cavity_ml, cavity_mm[3]; /* volume of the cavities; LPS point on the wall of the largest cavity */
    int sheets;                     /* pieces of the wall that enclose nothing: lumen on both sides */
    double sheet_mm2, sheet_mm[3];  /* area of one side of the sheets; LPS point on the largest sheet */
    unsigned touched;               /* sides of the image that the lumen reaches, a bit for each */
} measure;

/* Measure the lumen. phi: signed distance to `wall`. image: volume whose sides are tested (geometry), or NULL. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int measure_lumen(const volume *phi, const surface *wall, const volume *image, measure *m);

/* Direction of side `bit` of the image: "right", "left", "anterior", "posterior", "inferior" or "superior". */
const char *measure_side_name(const volume *image, int bit);
#endif
