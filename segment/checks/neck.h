/* A narrow neck between the vessel of the seeds and a large rest of the lumen: another vessel that touches it. */
#ifndef PORTAFLOW_SEGMENT_NECK_H
#define PORTAFLOW_SEGMENT_NECK_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    double part;        /* of the lumen's voxels that lie behind the neck as seen from the seeds; 0: there is no neck */
    double radius_mm;   /* of the neck */
    double beyond_mm;   /* largest radius behind it */
    double place_mm[3]; /* LPS */
} neck;

/* The neck that cuts off most: every voxel is reached from the middle of the vessel at the seeds on the path along
 * which the lumen is widest (maximin paths; Pollack 1960); a neck is a place that such paths share
 * whose radius is below two fifths of the largest one on the way to it and of the largest one behind it. phi: true
 * distance, mm, negative inside. seed [n][3] LPS mm. Errors: ERR_RESOURCE.
 * Test: tests/unit/segment/test_segment_leak.c */
MUST_CHECK int neck_find(const volume *phi, int n, const double (*seed)[3], neck *out);
#endif
