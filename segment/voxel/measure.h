/* The numbers a user checks first. */
#ifndef PORTAFLOW_SEGMENT_MEASURE_H
#define PORTAFLOW_SEGMENT_MEASURE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "common/image/volume.h"

/* Sides of an image: bit 2 a + s, axis a, s = 0 first voxel, 1 last voxel. */
typedef struct {
    double volume_ml;    /* within the closed wall */
    double area_mm2;     /* of the wall, closing faces included */
    double radius_mm[3]; /* of the largest balls along the middle of the vessel, those at the image's border left out:
                            5th, 50th percentile; largest of all */
    double centre_mm[3]; /* LPS, centre of the largest ball */
    int components;      /* connected pieces of the lumen */
    double beside_part;  /* voxels of all but the largest, of all */
    int cavities;        /* holes within it, closed all round */
    double cavity_ml, cavity_mm[3]; /* their volume; LPS, a point on the wall of the largest */
    int sheets;                     /* pieces of the wall that enclose nothing: both sides are lumen */
    double sheet_mm2, sheet_mm[3];  /* their area, one side; LPS, a point on the largest */
    unsigned touched;               /* sides of the image the lumen reaches, bits as above */
} measure;

/* phi: true distance of `wall`. image: the volume whose sides are watched (geometry), or NULL.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int measure_lumen(const volume *phi, const surface *wall, const volume *image, measure *m);

/* "right", "left", "anterior", "posterior", "inferior", "superior": where side `bit` of the image faces. */
const char *measure_side_name(const volume *image, int bit);
#endif
