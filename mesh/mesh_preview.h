/* Output of `mesh --dry-run` for `solve --dry-run`: a coarser lattice and the spacing of the lattice to compute. */
#ifndef PORTAFLOW_MESH_PREVIEW_H
#define PORTAFLOW_MESH_PREVIEW_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Writes look.h5 and look.json ("result": {"spacing_mm": of the lattice to compute}) into `out`; no stage computes with
 * them. Nothing without a coarser lattice. json: the record so far. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int mesh_preview_write(const mesh_job *j, const char *out, cJSON *json);
#endif
