/* What in an image looks like a vessel, before anybody has said where one is. */
#ifndef PORTAFLOW_SEGMENT_VESSEL_CANDIDATES_H
#define PORTAFLOW_SEGMENT_VESSEL_CANDIDATES_H
#include "common/base/must_check.h"
#include "segment/ends/centerline_tree.h"

enum { VESSEL_CANDIDATES_MAX = 3 };
enum candidate_look { LOOKS_VESSEL, LOOKS_EDGE, LOOKS_BONE };

/* Masks, cubes of 1.2 mm or as small as the image allows (mm): pieces of what is a bright tube of 2.5 to 6.5 mm in
 * radius (paths.h) above one of eight limits, by their length and how near they are to the middle of the body, the best
 * one first, of those brighter than half of the body; they do not overlap. Longer than 40 mm, at most 16 ends, 12 mm of
 * length for each. *n may be 0.
 * look [VESSEL_CANDIDATES_MAX] out: LOOKS_BONE has a brighter shell all round or, in CT, more than 700 HU, and comes
 * after every vessel; LOOKS_EDGE lies along the edge of something much wider.
 * image: as read. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_candidates_find(const volume *image, volume mask[VESSEL_CANDIDATES_MAX],
                                      enum candidate_look look[VESSEL_CANDIDATES_MAX], int *n);
#endif
