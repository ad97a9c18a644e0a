/* Another vessel that lies along the one of the seeds, as bright, without a wall between: from seeds alone it comes
 * along. */
#ifndef PORTAFLOW_SEGMENT_PARALLEL_VESSEL_H
#define PORTAFLOW_SEGMENT_PARALLEL_VESSEL_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    double part;        /* of the lumen's inside that is in that vessel; 0: there is none */
    double place_mm[3]; /* LPS: in it, where it is nearest to the vessel of the seeds */
} parallel_vessel;

/* The lumen deeper than 0.6 of radius_mm falls into pieces; one without a seed, a tenth of all or more, of which
 * half or more is within two radii of those with one, lies along them. Beyond a stenosis only the next two radii
 * do, and a branch goes away. phi: true distance, mm, negative inside. seed [n][3] LPS mm. Errors: ERR_RESOURCE.
 * Test: tests/unit/segment/test_segment_leak.c */
MUST_CHECK int parallel_vessel_find(const volume *phi, int n, const double (*seed)[3], double radius_mm,
                                    parallel_vessel *out);
#endif
