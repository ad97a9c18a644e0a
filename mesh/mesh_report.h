/* SPDX-License-Identifier: Apache-2.0 */
/* The report of the stage `mesh` on the lattice: errors, messages and the values in mesh.json. */
#ifndef PORTAFLOW_MESH_REPORT_H
#define PORTAFLOW_MESH_REPORT_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Check that the lattice is fine enough. Errors: ERR_INPUT if the cell Reynolds number is refused; or, unless the flow
 * sets the spacing, if the numerical friction is refused or an opening has fewer than 6 cells per diameter. Openings of
 * an analytic shape, which may belong to a resolution study, only give a warning. */
MUST_CHECK int mesh_check_cells(const mesh_job *j);
/* Print the warnings that need no wall surface: removed parts, resolution, thin webs, shape of the openings. */
void mesh_warn_of_lattice(const mesh_job *j);
/* Print the messages and warnings about the lattice and its wall. */
void mesh_tell(const mesh_job *j);
cJSON *mesh_result(const mesh_job *j); /* object "result" of mesh.json; NULL: no memory */
#endif
