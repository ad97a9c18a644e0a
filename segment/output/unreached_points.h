/* SPDX-License-Identifier: Apache-2.0 */
/* Openings and seeds outside the lumen or in unconnected pieces of it. Flow between them would be impossible or
 * wrong. */
#ifndef PORTAFLOW_SEGMENT_UNREACHED_POINTS_H
#define PORTAFLOW_SEGMENT_UNREACHED_POINTS_H
#include "common/base/must_check.h"
#include "segment/output/segmentation.h"

enum { UNREACHED_TEXT = 1400 };

/* For a level-set lumen with openings: find the first opening or seed that the lumen does not reach, or the first
 * unconnected pair. sentence: why the lumen is refused, with place, distance and intensity there; "": all points are
 * reached. `picture` is the path of qc.png for the sentence. Sets found.refused and found.leak.place_mm for the
 * picture, except for a wrong frame, which has no place. A mask or surface is not refused: unreached_points_warn()
 * warns, and `mesh` refuses. Errors: ERR_RESOURCE. Test: tests/cli/segment.txt */
MUST_CHECK int unreached_points_find(segmentation *s, const char *picture, char sentence[UNREACHED_TEXT]);

/* Warn of points that are no reason to refuse the lumen: openings outside a given lumen, and seeds in unconnected
 * pieces of a case without openings. */
void unreached_points_warn(const segmentation *j);
#endif
