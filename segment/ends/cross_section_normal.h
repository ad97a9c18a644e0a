/* The plane straight across the vessel at a place. */
#ifndef PORTAFLOW_SEGMENT_CROSS_SECTION_NORMAL_H
#define PORTAFLOW_SEGMENT_CROSS_SECTION_NORMAL_H
#include "common/image/volume.h"
#include <stdbool.h>

/* From `near` (LPS mm) to the middle of the vessel there, and the direction whose cross-section through that is the
 * least: rays in the plane to the wall. phi: signed distance, mm, negative inside. normal: a unit vector, either way
 * along the vessel. false: the vessel is not near. For pictures: mesh chooses the plane that is cut. Test:
 * tests/unit/segment/test_segment_cross_section_normal.c */
bool cross_section_normal(const volume *phi, const double near[3], double normal[3]);
#endif
