/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the lattice in the porous regions of a case (key `porous`). */
#ifndef PORTAFLOW_POROUS_REGIONS_H
#define PORTAFLOW_POROUS_REGIONS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "common/record/json.h"

/* Reads the label image if a region is a label; otherwise *labels stays empty. Adds the image to the inputs of the
 * record `json`. Errors: as image_read; ERR_RESOURCE. */
MUST_CHECK int porous_regions_read(const case_file *c, cJSON *json, volume *labels);

/* Sets l->region of the stored cells whose centre is in region k of the case to k + 1; where regions overlap, the first
 * one holds. A cell whose voxel has no label of the lumen counts with the nearest voxel that has one. image: geometry
 * of voxel coordinates. Errors: ERR_INPUT: a region without cells, or one that reaches an opening.
 *
 * A cell belongs to a region as a whole. A face oblique to the grid therefore has steps. Free blood enters them, which
 * makes the pressure drop too small, to first order in the spacing. Compared with a plug along the grid, K = 0.004
 * spacing^2: 1 to 5 % in a plug of 8 cells in length, 1 to 2 % in one of 16 cells. An error of the volume comes on top
 * (porous_regions_ml).
 * A drag scaled by the part of the cell inside the region is right for flow through the face, but it also stops blood
 * that passes along the face: in a tube of 12 cells with a clot of two thirds of its diameter, the drop becomes 11.2 Pa
 * instead of 5.8 Pa; with whole cells it is 6.4 Pa.
 * Test: tests/unit/mesh/test_porous_regions.c, tests/cli/solve.txt */
MUST_CHECK int porous_regions_set(const case_file *c, const volume *image, const volume *labels, lattice *l);

/* Volume of region k in the lumen, mL. Its cells (porous_regions_ml) belong to it as a
 * whole, so their volume differs. */
double porous_regions_exact_ml(const case_file *c, const volume *image, const volume *labels, const lattice *l, int k);

/* Volume of the lumen in the cells of region k, mL. */
double porous_regions_ml(const lattice *l, int k);
#endif
