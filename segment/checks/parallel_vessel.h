/* SPDX-License-Identifier: Apache-2.0 */
/* A second vessel along the seeded vessel, equally bright and without a visible wall between them. A segmentation from
 * seeds alone includes the second vessel. */
#ifndef PORTAFLOW_SEGMENT_PARALLEL_VESSEL_H
#define PORTAFLOW_SEGMENT_PARALLEL_VESSEL_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    double part;        /* fraction of the volume of all cores that is in the second vessel; 0: none */
    double place_mm[3]; /* place in the second vessel that is nearest to the seeded vessel, LPS */
} parallel_vessel;

/* Finds a parallel vessel among the cores of the lumen. A core is a piece of the lumen deeper than 0.6 radius_mm. An
 * unseeded core is a parallel vessel if it has a tenth of the volume of all cores or more, and if half of it or more
 * lies within two radii of the seeded cores. The vessel beyond a stenosis and a branch are that near only for their
 * first two radii, so they do not count.
 * phi: signed distance, mm, negative inside. seed [n][3]: LPS, mm. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_leak.c */
MUST_CHECK int parallel_vessel_find(const volume *phi, int n, const double (*seed)[3], double radius_mm,
                                    parallel_vessel *out);
#endif
