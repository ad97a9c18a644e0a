/* Selects the connected piece of fluid to keep. */
#ifndef PORTAFLOW_MAIN_PIECE_H
#define PORTAFLOW_MAIN_PIECE_H
#include "common/base/must_check.h"
#include "mesh/cells/fluid_cells.h"
#include "mesh/section/cross_section.h"

/* Turns the normals out of the piece that touches most openings from either side (the largest of several). Errors:
 * ERR_INPUT naming an opening that does not bound it or has it on both sides; ERR_RESOURCE. */
MUST_CHECK int main_piece_orient(const fluid_cells *c, const voxelize_input *in, section *sections);

/* keep [c->n] out: 1 fluid centres of the piece, 2 and 3 partially solid cells next to them, 0 all others. The piece is
 * connected over links between fluid centres that no opening cuts, and touches every opening from its inner side; the
 * largest such piece, or the largest of all without openings. Sets n_component, n_dropped and n_beyond. With
 * in->turn_openings main_piece_orient runs first. Errors: ERR_INPUT (no fluid; no such piece, with the name of an
 * opening), ERR_RESOURCE. */
MUST_CHECK int main_piece_choose(const fluid_cells *c, const voxelize_input *in, section *sections, uint8_t *keep,
                                 voxelize_report *report);
#endif
