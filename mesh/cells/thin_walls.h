/* Walls thinner than a cell with fluid centres on both sides: a web across a vein, two vessels that nearly touch, the
 * edge of a bifurcation. No cell centre lies in them, so their links are searched one by one.
 *
 * Along a link from a to b the distance rises from -d_a to the middle of the wall and falls to -d_b. For a flat wall
 * the point at d_a / (d_a + d_b) is inside it; the search for the maximum starts there. The normals on both sides must
 * be opposed, so that a link that grazes a bulge of the wall is not cut. */
#ifndef PORTAFLOW_THIN_WALLS_H
#define PORTAFLOW_THIN_WALLS_H
#include "common/base/must_check.h"
#include "mesh/cells/fluid_cells.h"

/* Sets c->web and c->n_web. Equal for any number of threads. Errors: ERR_RESOURCE. */
MUST_CHECK int thin_walls_find(fluid_cells *c, const voxelize_input *in);

/* Cut of the link from a cell to a fluid neighbour; NULL: not cut. */
const thin_wall *thin_walls_at(const fluid_cells *c, int64_t cell, int dir);

/* Reports sheets, not edges that become thin: two cells or more per side. n_web 0: none. */
void thin_walls_report(const fluid_cells *c, const voxelize_input *in, const uint8_t *keep, voxelize_report *report);
#endif
