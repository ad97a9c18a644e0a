/* Where the lumen is rough inside: the trabeculae of bone as bright as blood, which no edge parts from a vessel. */
#ifndef PORTAFLOW_SEGMENT_ROUGHNESS_H
#define PORTAFLOW_SEGMENT_ROUGHNESS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    double part;        /* of the lumen well inside its wall that is three times as rough as at the seeds */
    double place_mm[3]; /* LPS: the rough block nearest to the middle of them all; NaN: there is none */
} roughness;

/* Mean square differences of neighbours well inside the wall, over blocks of the image and without the slope of a block
 * (a blurred wall's), against those within reach_mm of the seeds, where there is blood. least: a difference as small
 * tells nothing. phi: true distance, mm, negative inside; a lumen of less than some five voxels across has no inside,
 * and none is found. seed [n][3] LPS mm.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_leak.c */
MUST_CHECK int roughness_find(const volume *image, const volume *phi, int n, const double (*seed)[3], double reach_mm,
                              double least, roughness *out);
#endif
