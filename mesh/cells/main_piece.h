/* SPDX-License-Identifier: Apache-2.0 */
/* The connected piece of fluid that the lattice keeps. */
#ifndef PORTAFLOW_MAIN_PIECE_H
#define PORTAFLOW_MAIN_PIECE_H
#include "common/base/must_check.h"
#include "mesh/cells/fluid_cells.h"
#include "mesh/section/cross_section.h"

/* Turn the normals outwards from the piece that touches the largest number of openings from either side (if several
 * pieces touch this number, from the largest). Errors: ERR_INPUT naming an opening that does not bound the piece or is
 * in the middle of it; ERR_RESOURCE. */
MUST_CHECK int main_piece_orient(const fluid_cells *c, const voxelize_input *in, section *sections);

/* Chooses the piece of fluid that becomes the lattice: connected over links between fluid centres that no opening cuts,
 * and in touch with every opening from its inner side; the largest such piece. Without openings it is the largest
 * piece. keep [c->n] out: 1 fluid centres of the piece, 2 and 3 partly solid cells next to them, 0 all others. Sets
 * n_component, n_dropped and n_beyond. If in->turn_openings is true, main_piece_orient turns the normals first. Errors:
 * ERR_INPUT (no fluid; no piece touches every opening, the message names an opening; errors of main_piece_orient),
 * ERR_RESOURCE. */
MUST_CHECK int main_piece_choose(const fluid_cells *c, const voxelize_input *in, section *sections, uint8_t *keep,
                                 voxelize_report *report);
#endif
