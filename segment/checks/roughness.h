/* SPDX-License-Identifier: Apache-2.0 */
/* Rough parts of the lumen: trabecular bone as bright as blood, which has no edge towards the vessel. */
#ifndef PORTAFLOW_SEGMENT_ROUGHNESS_H
#define PORTAFLOW_SEGMENT_ROUGHNESS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    double part;        /* part of the deep lumen that is three times as rough as the lumen at the seeds */
    double place_mm[3]; /* rough block that is nearest to the centroid of all rough blocks, LPS; NaN: none */
} roughness;

/* Compares two mean square differences of neighbouring voxels: of each block, and of the blood within reach_mm of the
 * seeds. The mean slope of a block, caused by a blurred wall, is removed first. Only voxels deep inside the wall count;
 * a lumen narrower than about five voxels has none. `least`: differences below this are ignored. phi: signed distance,
 * mm, negative inside. seed [n][3]: LPS, mm. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_leak.c */
MUST_CHECK int roughness_find(const volume *image, const volume *phi, int n, const double (*seed)[3], double reach_mm,
                              double least, roughness *out);
#endif
