/* SPDX-License-Identifier: Apache-2.0 */
/* A narrow neck between the seeded vessel and a large part of the lumen: another vessel touches this one. Widest paths
 * find it from the seeds, also where two vessels touch side by side and a centerline joins both. */
#ifndef PORTAFLOW_SEGMENT_NECK_H
#define PORTAFLOW_SEGMENT_NECK_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    double part;        /* part of the lumen's voxels that are behind the neck, seen from the seeds; 0: no neck */
    double radius_mm;   /* radius of the neck */
    double beyond_mm;   /* largest radius of the lumen behind the neck */
    double place_mm[3]; /* position of the neck, LPS */
} neck;

/* Find the neck with the largest volume behind it. Every voxel is reached from the seeds on the path whose smallest
 * depth is largest (maximin path; Pollack 1960). A neck is a voxel on such paths. Its radius is below 0.4 times the
 * largest radius before it and 0.4 times the largest radius behind it. phi: signed distance, mm, negative inside. seed
 * [n][3]: LPS, mm. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_leak.c */
MUST_CHECK int neck_find(const volume *phi, int n, const double (*seed)[3], neck *out);
#endif
