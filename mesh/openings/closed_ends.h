/* Flat ends that segment created where the vessel leaves the image or a surface was open: blood may flow there. */
#ifndef PORTAFLOW_CLOSED_ENDS_H
#define PORTAFLOW_CLOSED_ENDS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "mesh/openings/opening_plane.h"
#include <cjson/cJSON.h>

typedef struct {
    double centre_mm[3], normal[3]; /* LPS; unit, out of the lumen */
    double area_mm2;
    bool border; /* true: border of the image; false: open end of a surface */
} closed_end;

/* Reads result.closed_ends of segment's record; *list [*n] belongs to the caller. Errors: ERR_INPUT (damaged),
 * ERR_RESOURCE. */
MUST_CHECK int closed_ends_take(const cJSON *record, int *n, closed_end **list);

/* Checks for ends of the lattice without an opening. Warns of an end at the image border; refuses a hole of a surface
 * unless it is small compared with the smallest opening (a quarter of its radius).
 *   placed   [n_opening] original planes of the openings: an end behind a plane belongs to that opening
 *   extended [n_opening] length of the extension, mm
 * Errors: ERR_INPUT. */
MUST_CHECK int closed_ends_check(const case_file *c, int n, const closed_end *list, const lattice *l,
                                 const opening_plane *placed, const double *extended);
#endif
