/* Which way the vessel at a single seed runs. */
#ifndef PORTAFLOW_TUBE_AXIS_H
#define PORTAFLOW_TUBE_AXIS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* Of directions spread over half a sphere: the one across which most rays agree on a wall, and of those nearly as good
 * the narrowest cross-section. image: brighter inside, hardly smoothed. seed LPS mm. end: out, LPS mm, two points in
 * the vessel's middle, a radius to both sides of the seed. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_tube.c */
MUST_CHECK int tube_axis(const volume *image, const tube_guess *guess, const double seed[3], double end[2][3]);
#endif
