/* Flat ends that segment put where the vessel leaves the image or a surface was open: blood may flow there. */
#ifndef PORTAFLOW_CLOSED_ENDS_H
#define PORTAFLOW_CLOSED_ENDS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "mesh/openings/opening_plane.h"
#include <cjson/cJSON.h>

typedef struct {
    double centre_mm[3], normal[3]; /* LPS; unit, out of the lumen */
    double area_mm2;
    bool border; /* of the image; false: an open end of a surface */
} closed_end;

/* From the record of segment (result.closed_ends); *list [*n] is the caller's. Errors: ERR_INPUT (damaged),
 * ERR_RESOURCE. */
MUST_CHECK int closed_ends_take(const cJSON *record, int *n, closed_end **list);

/* Those ends that are still ends of the lattice, which no opening has cut off: one at the image's border is warned of,
 * a hole of a surface is refused when it is not small beside the narrowest opening (a quarter of its radius).
 *   placed   [n_opening] where the openings were asked for: an end behind its plane is that opening's; an extension
 *            goes on through it
 *   extended [n_opening] mm
 * Errors: ERR_INPUT. */
MUST_CHECK int closed_ends_check(const case_file *c, int n, const closed_end *list, const lattice *l,
                                 const opening_plane *placed, const double *extended);
#endif
