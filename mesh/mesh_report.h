/* What the stage says of its lattice: refusals, messages, the result in mesh.json. */
#ifndef PORTAFLOW_MESH_REPORT_H
#define PORTAFLOW_MESH_REPORT_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Errors: ERR_INPUT when the cell Reynolds number is one that solve refuses, or an opening of a vessel has fewer than 6
 * cells across (a shape, which may be part of a study of resolution, is only warned of) */
MUST_CHECK int mesh_check_cells(const mesh_job *j);
/* Report what was done, and warn */
void mesh_tell(const mesh_job *j);
cJSON *mesh_result(const mesh_job *j); /* the object "result" of mesh.json; NULL: no memory */
#endif
