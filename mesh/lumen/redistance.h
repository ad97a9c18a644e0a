/* SPDX-License-Identifier: Apache-2.0 */
/* Check whether a level set is a true signed distance, and compute one.
 *
 * The zero level of the cubic spline through the values stays in place. Next to it, Newton's method finds the nearest
 * wall point of each voxel (Chopp 2001). Further away, sweeps pass the nearest points from voxel to voxel (Danielsson
 * 1980). Test: tests/unit/mesh/test_redistance.c */
#ifndef PORTAFLOW_REDISTANCE_H
#define PORTAFLOW_REDISTANCE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Fraction of the voxels whose upwind slope is 0.85 to 1.15 mm per mm. Counts the voxels in the fluid and up to two
 * voxels outside it. */
double redistance_quality(const volume *phi_mm);

/* Replace phi by the signed distance (mm) to its zero level. Errors: ERR_INPUT (no zero level), ERR_RESOURCE. */
MUST_CHECK int redistance_compute(volume *phi);
#endif
