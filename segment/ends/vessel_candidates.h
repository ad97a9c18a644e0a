/* SPDX-License-Identifier: Apache-2.0 */
/* Structures of an image that look like a vessel, found without seeds. */
#ifndef PORTAFLOW_SEGMENT_VESSEL_CANDIDATES_H
#define PORTAFLOW_SEGMENT_VESSEL_CANDIDATES_H
#include "common/base/must_check.h"
#include "segment/ends/centerline_tree.h"
#include "segment/ends/ends_constants.h"

enum { VESSEL_CANDIDATES_MAX = 3 };
enum candidate_look { LOOKS_VESSEL, LOOKS_EDGE, LOOKS_BONE };

typedef struct {
    volume mask; /* connected piece of tubeness above a limit, on cubes of 1.2 mm, larger for large images; owned */
    centerline_tree tree; /* of the mask; owned */
    double score;         /* mm */
    enum candidate_look look;
    int n_contact;
    double contact_mm[BRANCHES_MAX][3]; /* places where two vessels touch, LPS (vessel_contact.h) */
} vessel_candidate;

/* Find candidates: connected pieces of tubeness (tube_paths.h; radii 2.5 to 6.5 mm) above a limit; eight limits are
 * tried. A candidate is brighter than the median of the body, has up to 10 ends, and is longer than 40 mm and longer
 * than 12 mm times its number of ends. The
 * score is length, weighted by the distance to the middle of the body; candidates do not overlap, the best comes first.
 * image: as read. list [*n] out, owned by the caller; *n may be 0. LOOKS_BONE has a brighter shell or, in CT, more than
 * 700 HU, and comes after every vessel; LOOKS_EDGE lies along the edge of a much wider structure. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int vessel_candidates_find(const volume *image, vessel_candidate list[VESSEL_CANDIDATES_MAX], int *n);
void vessel_candidate_free(vessel_candidate *c); /* safe on a zeroed struct */
#endif
