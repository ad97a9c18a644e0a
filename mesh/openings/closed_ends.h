/* SPDX-License-Identifier: Apache-2.0 */
/* Flat ends where the vessel leaves the image, and open or flat ends of a surface: blood may flow there. */
#ifndef PORTAFLOW_CLOSED_ENDS_H
#define PORTAFLOW_CLOSED_ENDS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "mesh/openings/opening_plane.h"
#include <cjson/cJSON.h>

typedef struct {
    double centre_mm[3], normal[3]; /* centre, and unit normal out of the lumen, LPS */
    double area_mm2;
    /* border: at the border of the image; flat: closed in the file. Both false: a hole of a surface */
    bool border, flat;
    bool named; /* segment has warned of this end */
} closed_end;

/* Read the ends from the record of segment (result.closed_ends); the caller frees *list [*n]. Errors: ERR_INPUT (the
 * record is damaged), ERR_RESOURCE. */
MUST_CHECK int closed_ends_read(const cJSON *record, int *n, closed_end **list);

/* Check the ends that no opening has cut off. A flat end gives a serious warning; an end at the border of the image
 * gives one unless segment has given it. A hole of a surface is an error if its radius exceeds a quarter of the
 * smallest opening's radius.
 *
 *   placed   [n_opening] requested planes of the openings: an opening cuts off the ends behind its plane
 *   extended [n_opening] length of each opening's extension, mm
 *
 * Errors: ERR_INPUT. */
MUST_CHECK int closed_ends_check(const case_file *c, int n, const closed_end *list, const lattice *l,
                                 const opening_plane *placed, const double *extended);
#endif
