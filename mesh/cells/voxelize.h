/* Builds a lattice from a signed distance: cells with fluid, their solid fraction, and the cut points of their links.
 *   distance    signed distance to the wall: mesh/section/lumen_box.h
 *   P           solid subcells of 8 x 8 x 8 per cell; a subcell counts by its centre               (shang2023, 2.2)
 *   q           zero of the distance along a link, in units of the link, to 1e-5
 * An opening cuts links that cross its plane inside the cross-section around its point: the connected piece of fluid in
 * the plane, and points within two cells that are nearer to it than to any other piece. Other branches in the same
 * plane are not cut. Openings of role moving wall lie on a wall of the field (or cut it); their profiles are 1. Stored
 * cells and links and their order: common/lattice/lattice.h. Test: tests/unit/mesh/test_voxelize.c */
#ifndef PORTAFLOW_VOXELIZE_H
#define PORTAFLOW_VOXELIZE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "mesh/cells/fluid_cells.h"

/* Sets dims and origin_mm of a box of whole cells that covers low..high (LPS mm, faces of the outer cells). An axis
 * that does not divide into whole cells grows evenly on both sides; ERR_INPUT if it is periodic. */
MUST_CHECK int voxelize_box(voxelize_input *in, const double low_mm[3], const double high_mm[3]);

/* Turns the normals of `opening` [in->n_opening] (out) as turn_openings does, without building a lattice; a coarser
 * spacing suffices. Errors: as voxelize. */
MUST_CHECK int voxelize_orient(const voxelize_input *in, mesh_opening *opening);

/* Builds the lattice; *out belongs to the caller (lattice_free), zeroed on failure. report may be NULL. Errors:
 * ERR_INPUT naming the opening (point outside the fluid, incomplete cross-section, two openings in one cross-section,
 * no piece of fluid that touches all of them, no fluid), ERR_RESOURCE. */
MUST_CHECK int voxelize(const voxelize_input *in, lattice *out, voxelize_report *report);

/* Shrinks the box of a lattice to its cells plus `margin` cells, on axes that are not periodic; dims and origin_mm of
 * `in` follow. */
void voxelize_trim(voxelize_input *in, lattice *l, int margin);
#endif
