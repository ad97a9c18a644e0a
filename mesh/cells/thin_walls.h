/* SPDX-License-Identifier: Apache-2.0 */
/* Walls thinner than a cell, with fluid centres on both sides: a web across a vein, two vessels that nearly touch, the
 * edge where a vessel branches. No centre is inside such a wall, so each link must be examined.
 *
 * Along a link from a to b the distance rises from -d_a to a maximum in the middle of the wall and falls to -d_b. In a
 * flat wall the point at d_a / (d_a + d_b) of the link is inside the wall; the search for the maximum starts there. The
 * wall normals on both sides must be opposed: a link that only grazes a bulge of the wall is not cut. */
#ifndef PORTAFLOW_THIN_WALLS_H
#define PORTAFLOW_THIN_WALLS_H
#include "common/base/must_check.h"
#include "mesh/cells/fluid_cells.h"

/* Fill c->web and c->n_web. Same result on any number of threads. Errors: ERR_RESOURCE. */
MUST_CHECK int thin_walls_find(fluid_cells *c, const voxelize_input *in);

/* The thin wall that cuts the link of a cell in direction `dir` to a fluid neighbour; NULL: none. */
const thin_wall *thin_walls_at(const fluid_cells *c, int64_t cell, int dir);

/* Set n_web, web_mm and web_thick_mm of the report from the thin walls at kept cells that are sheets, not thin edges.
 * n_web 0: there are none. */
void thin_walls_report(const fluid_cells *c, const voxelize_input *in, const uint8_t *keep, voxelize_report *report);
#endif
