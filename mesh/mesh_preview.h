/* What `mesh --dry-run` leaves for `solve --dry-run`: the lattice it looked at and the spacing of the one that would be
 * made. */
#ifndef PORTAFLOW_MESH_PREVIEW_H
#define PORTAFLOW_MESH_PREVIEW_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Writes look.h5 and look.json ("result": {"spacing_mm": of the lattice that would be made}) into the folder `out`; no
 * stage computes with them. Nothing where no lattice was looked at. json: the record, begun. Errors: ERR_OUTPUT,
 * ERR_RESOURCE. */
MUST_CHECK int mesh_preview_write(const mesh_job *j, const char *out, cJSON *json);
#endif
