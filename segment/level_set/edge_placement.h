/* From a voxel's closeness onto the edges, between the voxels. */
#ifndef PORTAFLOW_SEGMENT_EDGE_PLACEMENT_H
#define PORTAFLOW_SEGMENT_EDGE_PLACEMENT_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Two rounds in the evened image, denoised along its level lines near the wall; then what noise left is smoothed off
 * and the shift that both gave to curved walls is undone, as far as theory says. What it does not say is measured: the
 * image's point spread (scanner_model.h), then the same steps in the image that a scanner would make of the wall found;
 * by as much as they miss that wall the found one is moved (bias correction by a parametric bootstrap, Efron and
 * Tibshirani 1993), evened along the wall, by half a voxel at most. Less of it in noisy images (contrast to the next
 * tissue below six times the noise), none below three; less where the point spread is above 0.9 voxel, none from 1.2 on
 * and in slices thicker than three voxels are wide. typical: gradient at the wall, per mm. level: cells, in place.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_edge_placement.c */
MUST_CHECK int edge_placement_move(const volume *image, front *f, double typical, volume *level);
#endif
