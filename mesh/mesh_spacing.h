/* Spacing of the finest lattice: given, or from cells per diameter or the flow. */
#ifndef PORTAFLOW_MESH_SPACING_H
#define PORTAFLOW_MESH_SPACING_H
#include "mesh/mesh_job.h"

/* Sets in.spacing_mm and spacing. Errors: ERR_INPUT (cells_across without opening), ERR_RESOURCE */
MUST_CHECK int mesh_choose_spacing(mesh_job *j);

/* After a lattice and its flow: chooses a finer spacing if the minimum cross-section has far fewer cells per diameter
 * than wanted, within the same limits; *again false: no change. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int mesh_choose_again(mesh_job *j, bool *again);
#endif
