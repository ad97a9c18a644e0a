/* Errors and messages of the stage about its lattice, and the result in mesh.json. */
#ifndef PORTAFLOW_MESH_REPORT_H
#define PORTAFLOW_MESH_REPORT_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Errors: ERR_INPUT if solve would refuse the cell Reynolds number, or an opening of a vessel has fewer than 6 cells
 * per diameter (a shape, possibly part of a resolution study, only gives a warning) */
MUST_CHECK int mesh_check_cells(const mesh_job *j);
/* Reports the lattice and warns */
void mesh_tell(const mesh_job *j);
cJSON *mesh_result(const mesh_job *j); /* "result" of mesh.json; NULL: out of memory */
#endif
