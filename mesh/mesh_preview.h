/* SPDX-License-Identifier: Apache-2.0 */
/* Output of `mesh --dry-run` for `solve --dry-run`: the preview lattice and the requested spacing. */
#ifndef PORTAFLOW_MESH_PREVIEW_H
#define PORTAFLOW_MESH_PREVIEW_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Write preview.h5 and preview.json ("result": {"spacing_mm": requested spacing, "wall_uncertainty_mm"}) into the
 * folder `out`; no stage computes with them. Nothing is written without a preview lattice. json: the record from
 * provenance_start. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int mesh_preview_write(const mesh_job *j, const char *out, cJSON *json);
#endif
