/* SPDX-License-Identifier: Apache-2.0 */
/* Narrow contact between two vessels that touch. */
#ifndef PORTAFLOW_SEGMENT_NARROW_CONTACT_H
#define PORTAFLOW_SEGMENT_NARROW_CONTACT_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>

enum { NARROW_CONTACT_BOX = 30 };

/* Points in a vessel, on one side of a contact. */
typedef struct {
    int n;
    const double (*at_mm)[3]; /* [n] LPS, near the axis of the vessel */
} contact_arm;

/* Tests whether the lumen between two of the arms [n] is narrow: both arms come apart if the lumen is eroded by 0.77
 * times the radius of the narrower arm. The lumen of a bifurcation is wider; the lumen of a stenosis may be as narrow.
 * The test covers NARROW_CONTACT_BOX steps on each side of `centre`.
 *   image    brighter in the vessel
 *   level    intensity at the wall
 *   step_mm  width of the voxels of the test, about a sixth of the radius of the narrower arm
 *   n         2 or 3
 *   place_mm  out, if *narrow and not NULL: the narrowest place on the way from arm to arm, LPS
 * *narrow is false if the lumen of an arm is not found. Errors: ERR_RESOURCE. */
MUST_CHECK int narrow_contact_test(const volume *image, double level, const double centre[3], double step_mm, int n,
                                   const contact_arm *arm, bool *narrow, double place_mm[3]);
#endif
