/* The spacing of the finest lattice: given, or from the requested cells per diameter, or from the flow. */
#ifndef PORTAFLOW_MESH_SPACING_H
#define PORTAFLOW_MESH_SPACING_H
#include "mesh/mesh_job.h"

/* Set in.spacing_mm and `spacing`: given, or from cells_per_diameter, or from the flow. Errors: ERR_INPUT (there is no
 * opening to count cells across), ERR_RESOURCE. */
MUST_CHECK int mesh_choose_spacing(mesh_job *j);

/* Refine after a lattice and its flow are known: if the minimum cross-section has far fewer cells per diameter than
 * wanted, choose a finer spacing within the same limits. *again false: the spacing stays. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int mesh_choose_again(mesh_job *j, bool *again);
#endif
