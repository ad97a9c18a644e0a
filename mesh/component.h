/* The one connected piece of fluid that is kept. */
#ifndef PORTAFLOW_COMPONENT_H
#define PORTAFLOW_COMPONENT_H
#include "common/base/must_check.h"
#include "mesh/cells.h"
#include "mesh/section.h"

/* The first opening that the step from a to b passes outwards, -1: none. *q as in section_cuts. */
int component_cut(const voxelize_input *in, const section *sections, const double a[3], const double b[3], double *q);
/* Is p near enough to an opening for component_cut to matter? */
bool component_near(const voxelize_input *in, const section *sections, const double p[3]);

/* Turn the normals out of the piece (largest of those) that touches most openings from either side.
 * Errors: ERR_INPUT naming an opening that does not bound it, or lies in the middle of it; ERR_RESOURCE. */
MUST_CHECK int component_orient(const cells *c, const voxelize_input *in, section *sections);

/* keep [c->n] out: 1 fluid centres of the piece, 2 and 3 partly solid cells beside them, 0 the rest.
 *
 * The piece is connected over links between fluid centres that no opening cuts, and touches every opening from its
 * inner side; the largest such piece, or simply the largest without openings. Sets n_component, n_dropped and n_beyond.
 * With in->turn_openings the normals are turned first, as by component_orient, with its errors.
 * Errors: ERR_INPUT (no fluid; no such piece: names an opening), ERR_RESOURCE. */
MUST_CHECK int component_choose(const cells *c, const voxelize_input *in, section *sections, uint8_t *keep,
                                voxelize_report *report);
#endif
