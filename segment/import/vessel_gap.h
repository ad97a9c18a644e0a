/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the smallest gap between the vessels of one surface, for a warning if they nearly touch. */
#ifndef PORTAFLOW_SEGMENT_VESSEL_GAP_H
#define PORTAFLOW_SEGMENT_VESSEL_GAP_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct {
    double mm;     /* smallest distance between two vessels; INFINITY: none within the reach */
    double lps[3]; /* point of a wall at this distance, mm */
} vessel_gap;

/* Finds the smallest distance below reach_mm between vessels of the wall that share no points. A vessel is a piece with
 * at least the fraction LEAST_VESSEL of the volume. Distances are from the points of one vessel to the triangles of
 * another: between coarse triangles the gap may be smaller. The wall must be closed, its normals outwards. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int vessel_gap_find(const surface *wall, double reach_mm, vessel_gap *found);
#endif
