/* SPDX-License-Identifier: Apache-2.0 */
/* From a signed distance to a lattice: the cells with fluid, the solid fraction of each cell, the wall distances of cut
 * links.
 *
 * distance           signed distance of a point to the wall: mesh/section/lumen_box.h
 * P                  solid subcells of 8 x 8 x 8 per cell, by the centres of the subcells             (shang2023, 2.2)
 * q                  position of the zero distance along a link, in units of the link, with an error below 1e-6
 *
 * An opening cuts the links that cross its plane inside the cross-section around its point. The cross-section consists
 * of the connected piece of fluid in the plane and of the wall within three cells around it, except wall closer to
 * other fluid. So another branch that crosses the same plane is not cut. An opening of role moving wall lies on the
 * wall or cuts it; its profile is 1. Stored cells and links and their order: common/lattice/lattice.h. Test:
 * tests/unit/mesh/test_voxelize.c */
#ifndef PORTAFLOW_VOXELIZE_H
#define PORTAFLOW_VOXELIZE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "mesh/cells/fluid_cells.h"

/* Sets dims and origin_mm from spacing_mm to the box of whole cells that covers low..high (LPS mm, outer faces of the
 * cells). An axis that is no whole number of cells grows evenly on both sides; if it is periodic: ERR_INPUT. */
MUST_CHECK int voxelize_box(voxelize_input *in, const double low_mm[3], const double high_mm[3]);

/* Sets the signs of the normals of `opening` [in->n_opening] so that they point out of the vessel, as voxelize does if
 * turn_openings is set, but without building a lattice. in->spacing_mm may exceed the spacing of the lattice. Errors:
 * as voxelize. */
MUST_CHECK int voxelize_orient(const voxelize_input *in, mesh_opening *opening);

/* Build the lattice; the caller frees *out (lattice_free), which is zeroed on failure. report may be NULL. Errors:
 * ERR_RESOURCE; ERR_NUMERIC (a velocity profile did not converge); ERR_INPUT: more than 254 openings, a plane that does
 * not separate the vessel, or, naming the opening, its point is outside the fluid, its cross-section is not whole, two
 * openings share a cross-section, no piece of fluid touches all openings, or there is no fluid. */
MUST_CHECK int voxelize(const voxelize_input *in, lattice *out, voxelize_report *report);

/* Shrink the box of a lattice to its cells and `margin` cells around them, on the axes that are not periodic; updates
 * dims and origin_mm of `in`. */
void voxelize_trim(voxelize_input *in, lattice *l, int margin);
#endif
