/* Openings and seeds that the lumen does not reach, or only in pieces that are not connected: flow would go
 * elsewhere. */
#ifndef PORTAFLOW_SEGMENT_UNREACHED_POINTS_H
#define PORTAFLOW_SEGMENT_UNREACHED_POINTS_H
#include "common/base/must_check.h"
#include "segment/output/segmentation.h"

enum { UNREACHED_TEXT = 1200 };

/* Of a lumen from an image between openings: the sentence to refuse it with, place, distance and what the image is
 * there; "": it reaches all of them. found.refused and found.leak.place_mm are set for the picture (not where the frame
 * is wrong, which is no place), to be written to `picture`. A lumen of a mask or a surface is what was given:
 * unreached_points_warn() warns, `mesh` refuses. Errors: ERR_RESOURCE. Test: tests/cli/segment.txt */
MUST_CHECK int unreached_points_find(segmentation *s, const char *picture, char sentence[UNREACHED_TEXT]);

/* Warnings of what is not refused: openings outside a given lumen, seeds in pieces of one without openings. */
void unreached_points_warn(const segmentation *j);
#endif
