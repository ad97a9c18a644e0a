/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes of the territories that the outlets supply (`split: territory`): tissue whose blood comes from one outlet. */
#ifndef PORTAFLOW_TERRITORIES_H
#define PORTAFLOW_TERRITORIES_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/record/json.h"

/* Counts the voxels of each territory in split.labels and sets territory_ml of the case's openings. Adds the label
 * image to the inputs of the record `json`. Without territories in the case it does nothing. Warns of labels that
 * belong to no outlet: their volume does not count. Errors: ERR_INPUT (not a label image; a label without voxels), and
 * the errors of image_read. Test: tests/unit/mesh/test_territories.c */
MUST_CHECK int territories_read(case_file *c, cJSON *json);
/* Sets territory_ml of the lattice's openings from the case. */
void territories_set(const case_file *c, lattice *l);
#endif
