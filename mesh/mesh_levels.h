/* The lattices beside the finest one, for mesh.ladder: the same lumen and openings at larger spacings, and on the
 * coarsest of those the lumen with its wall moved out and in by its uncertainty. `solve` starts each level from the
 * coarser one, `post` makes intervals of what they differ by. */
#ifndef PORTAFLOW_MESH_LEVELS_H
#define PORTAFLOW_MESH_LEVELS_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Builds and writes lattice_levelK.h5 (K = 2 .. mesh.ladder), lattice_wider.h5, lattice_narrower.h5 and their
 * walls as surface_*.vtp into the folder `out`, those of an earlier run removed; each becomes an output of `json`, and
 * all are listed under result.ladder:
 *   {"name", "lattice", "surface", "spacing_mm", "cells", "cells_across", "wall_shift_mm"}
 * A level that would have fewer than 8 cells across its narrowest place is left out, and the moved wall where the lumen
 * does not bear it, each with a line. Of a pulsatile flow level 2 alone (at least 6 cells across): its mean flow is
 * solved there, as the start. With mesh.ladder 1 nothing is written.
 * Errors: those of voxelize but ERR_INPUT, ERR_OUTPUT. */
MUST_CHECK int mesh_levels_write(mesh_job *j, const char *out, cJSON *json, cJSON *result);
#endif
