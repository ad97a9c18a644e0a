/* Walls thinner than a cell, with fluid centres on both sides: a web across a vein, two vessels that nearly touch, the
 * edge where a vessel branches. No centre lies in them, so their links are looked at one by one.
 *
 * The distance along a link from a to b rises from -d_a to the middle of the wall and falls to -d_b. Through a flat
 * wall the point at d_a / (d_a + d_b) of the link lies inside it; from there the largest distance is looked for. The
 * wall's normals on both sides must be opposed: a link that only grazes a bulge of the wall is left alone. */
#ifndef PORTAFLOW_THIN_WALLS_H
#define PORTAFLOW_THIN_WALLS_H
#include "common/base/must_check.h"
#include "mesh/cells/fluid_cells.h"

/* Fill c->web and c->n_web. The same for any number of threads. Errors: ERR_RESOURCE. */
MUST_CHECK int thin_walls_find(fluid_cells *c, const voxelize_input *in);

/* Where the wall cuts the link of a cell, 0..1 of it, to a fluid neighbour; NULL: it does not. */
const thin_wall *thin_walls_at(const fluid_cells *c, int64_t cell, int dir);

/* What of them is a sheet, and not an edge that gets thin: at least two cells a side. n_web 0: nothing. */
void thin_walls_report(const fluid_cells *c, const voxelize_input *in, const uint8_t *keep, voxelize_report *report);
#endif
