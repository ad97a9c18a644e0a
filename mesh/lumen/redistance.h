/* Checks whether a level set is a signed distance, and converts it to one. The zero level is that of the cubic spline
 * through the values and stays in place: voxels next to it find their nearest wall point by Newton's method (Chopp
 * 2001); further away nearest points are propagated in sweeps (Danielsson 1980). Test:
 * tests/unit/mesh/test_redistance.c */
#ifndef PORTAFLOW_REDISTANCE_H
#define PORTAFLOW_REDISTANCE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Part of the voxels in the fluid, and up to two voxels outside, with an upwind slope of 0.85..1.15 per mm. */
double redistance_quality(const volume *phi_mm);

/* Replaces phi by the signed distance (mm) to its zero level. Errors: ERR_INPUT (no zero level), ERR_RESOURCE. */
MUST_CHECK int redistance(volume *phi);
#endif
