/* From a signed distance to a lattice: which cells hold fluid, how much of each is solid, where their links are cut.
 *
 *   distance           of each point to the wall: mesh/section/lumen_box.h
 *   P                  solid subcells of 8 x 8 x 8 a cell, a subcell counts by its centre              (shang2023, 2.2)
 *   q                  where the distance is zero along a link, in units of the link, to 1e-5
 * An opening cuts the links that cross its plane
 * inside the cross-section round its point: the connected piece of fluid in the plane, and what is nearer to it than to
 * any other piece within two cells. So another branch that meets the same plane is not cut.
 * Openings of role moving wall lie on a wall of the field (or cut it); their profiles are 1.
 * Which cells and links are stored, and in which order: common/lattice/lattice.h.
 * Test: tests/unit/mesh/test_voxelize.c */
#ifndef PORTAFLOW_VOXELIZE_H
#define PORTAFLOW_VOXELIZE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "mesh/cells/fluid_cells.h"

/* Box of whole cells that covers low..high (LPS mm, faces of the outer cells): sets dims and origin_mm from spacing_mm.
 * An axis that does not divide into whole cells grows evenly on both sides; ERR_INPUT when it is periodic. */
MUST_CHECK int voxelize_box(voxelize_input *in, const double low_mm[3], const double high_mm[3]);

/* Turn the normals of `opening` [in->n_opening] (out) as turn_openings does, without building a lattice; a larger
 * spacing than the lattice's will do. Errors: as voxelize. */
MUST_CHECK int voxelize_orient(const voxelize_input *in, mesh_opening *opening);

/* Build the lattice; *out is the caller's (lattice_free), zeroed on failure. report may be NULL.
 * Errors: ERR_INPUT naming the opening (its point outside the fluid, cross-section not whole, two openings in one
 * cross-section, no part of the fluid that touches all of them, no fluid at all), ERR_RESOURCE. */
MUST_CHECK int voxelize(const voxelize_input *in, lattice *out, voxelize_report *report);

/* Shrink the box of a lattice to its cells and `margin` cells round them, on the axes that are not periodic; dims and
 * origin_mm of `in` follow. */
void voxelize_trim(voxelize_input *in, lattice *l, int margin);
#endif
