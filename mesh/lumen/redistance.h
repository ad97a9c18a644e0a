/* Is a level set a true signed distance, and making it one.
 *
 * The zero level is that of the cubic spline through the values and stays where it is: beside it every voxel finds its
 * nearest wall point by Newton's method (Chopp 2001), further away the nearest points are handed from voxel to voxel in
 * sweeps (Danielsson 1980). Test: tests/unit/mesh/test_redistance.c */
#ifndef PORTAFLOW_REDISTANCE_H
#define PORTAFLOW_REDISTANCE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Share of the voxels in the fluid and up to two voxels outside whose upwind slope lies within 0.85..1.15 per mm. */
double redistance_quality(const volume *phi_mm);

/* Replace phi by the signed distance (mm) to its zero level. Errors: ERR_INPUT (no zero level), ERR_RESOURCE. */
MUST_CHECK int redistance(volume *phi);
#endif
