/* What lies round the middle lines of something that looks like a vessel. */
#ifndef PORTAFLOW_SEGMENT_SURROUNDINGS_H
#define PORTAFLOW_SEGMENT_SURROUNDINGS_H
#include "segment/ends/centerline_tree.h"

typedef struct {
    double shell; /* by how much it gets brighter on the way out, on the mean over all rays, in units of the contrast:
                   * 0 of a vessel, above a third of bone (marrow in its cortex) */
    double one_sided; /* share of the rays with the edge near on one side and far or nowhere on the other: below 0.3 of
                       * vessels, above of lines along the edge of an organ */
} candidate_surroundings;

/* Rays across the lines of `t`, of `value` amid `tissue` (below it). Test: tests/unit/segment/test_segment_vessel_candidates.c */
candidate_surroundings vessel_candidates_surroundings(const volume *image, const centerline_tree *t, double tissue,
                                                      double value);
#endif
