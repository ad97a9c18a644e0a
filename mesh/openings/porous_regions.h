/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the lattice in the porous regions of a case (key `porous`). */
#ifndef PORTAFLOW_POROUS_REGIONS_H
#define PORTAFLOW_POROUS_REGIONS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "common/record/json.h"

/* Reads the label image if a region is a label; otherwise *labels stays empty. Adds the image to the inputs of the record
 * `json`. Errors: those of image_read, ERR_RESOURCE. */
MUST_CHECK int porous_regions_read(const case_file *c, cJSON *json, volume *labels);

/* Sets l->region of the stored cells whose centre is in region k of the case to k + 1; where regions overlap, the first
 * one holds. image: geometry of voxel coordinates. Errors: ERR_INPUT: a region without cells, or one that reaches an
 * opening. Test: tests/unit/mesh/test_porous_regions.c,
 * tests/cli/solve.txt */
MUST_CHECK int porous_regions_set(const case_file *c, const volume *image, const volume *labels, lattice *l);

/* Volume of region k in the lumen, mL. Its cells (porous_regions_ml) belong to it as a
 * whole, so their volume differs. */
double porous_regions_exact_ml(const case_file *c, const volume *image, const volume *labels, const lattice *l, int k);

/* Volume of the lumen in the cells of region k, mL. */
double porous_regions_ml(const lattice *l, int k);
#endif
