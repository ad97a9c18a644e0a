/* SPDX-License-Identifier: Apache-2.0 */
/* Normal of the vessel's cross-section at a point. */
#ifndef PORTAFLOW_SEGMENT_CROSS_SECTION_NORMAL_H
#define PORTAFLOW_SEGMENT_CROSS_SECTION_NORMAL_H
#include "common/image/volume.h"
#include <stdbool.h>

/* Move from `near` (LPS mm) to the middle of the vessel and find the plane through it with the smallest cross-section,
 * measured by rays to the wall. phi: signed distance, mm, negative inside. normal: unit vector of either sign. Returns
 * false if no vessel is near. Used for pictures only: mesh finds its own planes. Test:
 * tests/unit/segment/test_segment_cross_section_normal.c */
bool cross_section_normal(const volume *phi, const double near[3], double normal[3]);
#endif
