/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the stage that needs neither ITK nor VTK: from a signed distance to a lattice. libportaflow links it. */
#ifndef PORTAFLOW_MESH_BUILD_H
#define PORTAFLOW_MESH_BUILD_H
#include "mesh/mesh_job.h"

/* Build the lattice from a case in j->c. Without mesh.shape also `phi`, the signed distance to the wall in mm, and
 * j->image are needed; the values of phi are freed. The lattice has no names of wall regions and is not trimmed.
 * *is_built: false for a dry run whose lattice cannot be coarsened. Errors: ERR_INPUT, ERR_RESOURCE, ERR_NUMERIC. */
MUST_CHECK int mesh_build_lattice(mesh_job *j, volume *phi, bool *is_built);
void mesh_trim_lattice(mesh_job *j); /* removes empty layers of cells from the box of the lattice */
void mesh_free_lattice(mesh_job *j); /* frees all but j->regions, j->porous_labels and j->wall */
#endif
