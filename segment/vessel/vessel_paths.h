/* The ways between seeds and openings: the cost of each place, the least paths, the tube along them, beside bone. */
#ifndef PORTAFLOW_VESSEL_PATHS_H
#define PORTAFLOW_VESSEL_PATHS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include "segment/tube/tube.h"

#define WAYS_SMOOTH 0.6 /* thinnest voxels: standard deviation of what the rays run in */
#define WAYS_BEYOND 3.0 /* radii: the vessel goes on past an opening so that the cut meets all of it */

/* Turned bright and smoothed by a part of the thinnest voxel; what is above `most` becomes `dark` before. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int vessel_paths_bright(const volume *image, double sign, double most, double dark, volume *out);

/* Cheap in the middle of what is as bright as the vessel and round as a tube of a radius between the seeds'. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int vessel_paths_cost(const volume *bright, double inside, double outside, double narrow_mm, double wide_mm,
                         volume *cost);

/* The tube along the least paths between point [total], of which the first n_seed are seeds, with what widens it.
 * opening: paths.h. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_paths_measure(const volume *bright, const volume *cost, const tube_guess *guess, int n_seed, int total,
                            const double (*point)[3], const int *opening, tube *out);

/* Where along the tube no wall is seen: once more with a cost as low as where what is far brighter is as dark as the
 * tissue (beside bone no vessel is a ridge); where that is no better than lost, with the cost alone of where all that
 * is above the vessel is dark (the blur round bone is as bright as blood), if more of the wall is seen then. cost:
 * replaced by the one that was taken. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_plaque.c */
MUST_CHECK int vessel_paths_beside_bone(const volume *image, const volume *bright, const seeds_statistics *seeds, double sign,
                                const tube_guess *guess, int n_seed, int total, const double (*point)[3],
                                const int *opening, volume *cost, tube *out);
#endif
