/* SPDX-License-Identifier: Apache-2.0 */
/* The spacing of the finest lattice: given in the case, computed from the requested cells per diameter, or chosen from
 * the flow. */
#ifndef PORTAFLOW_MESH_SPACING_H
#define PORTAFLOW_MESH_SPACING_H
#include "mesh/mesh_job.h"

/* Set in.spacing_mm and `spacing` of the job: the spacing is given, computed from mesh.cells_per_diameter, or chosen
 * from the flow. Errors: ERR_INPUT (no spacing is given and the case has no opening), ERR_RESOURCE. */
MUST_CHECK int mesh_choose_spacing(mesh_job *j);

/* Called after the lattice and its flow are computed: if the minimum cross-section has far fewer cells per diameter
 * than wanted, choose a finer spacing within the same limits. *again: whether the spacing was changed. Errors:
 * ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int mesh_choose_again(mesh_job *j, bool *again);
#endif
