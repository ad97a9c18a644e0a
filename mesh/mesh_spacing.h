/* The spacing of the finest lattice: as given, or as the cells across or the flow ask for. */
#ifndef PORTAFLOW_MESH_SPACING_H
#define PORTAFLOW_MESH_SPACING_H
#include "mesh/mesh_job.h"

/* Sets in.spacing_mm and spacing: as given, or as cells_across or the flow ask for. Errors: ERR_INPUT (no opening to
 * count by), ERR_RESOURCE */
MUST_CHECK int mesh_choose_spacing(mesh_job *j);

/* After a lattice and its flow: a finer spacing where the narrowest place has far fewer cells across than were wanted,
 * within the same budget; *again false: the spacing stays. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int mesh_choose_again(mesh_job *j, bool *again);
#endif
