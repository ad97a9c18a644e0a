/* Openings and seeds that the lumen does not reach, or only in pieces that are not connected: flow would go
 * elsewhere. */
#ifndef PORTAFLOW_SEGMENT_UNREACHED_POINTS_H
#define PORTAFLOW_SEGMENT_UNREACHED_POINTS_H
#include "common/base/must_check.h"
#include "segment/output/segmentation.h"

/* Of a lumen from an image between openings: refused, with place, distance and what the image is there, and the picture
 * written. A lumen of a mask or a surface is what was given: unreached_points_warn() warns, `mesh` refuses.
 * Errors: ERR_NUMERIC, ERR_RESOURCE, ERR_OUTPUT. Test: tests/cli/segment.txt */
MUST_CHECK int unreached_points_refuse(segmentation *j, const char *picture);

/* Warnings of what is not refused: openings outside a given lumen, seeds in pieces of one without openings. */
void unreached_points_warn(const segmentation *j);
#endif
