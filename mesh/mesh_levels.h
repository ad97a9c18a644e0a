/* SPDX-License-Identifier: Apache-2.0 */
/* The coarser lattices of the grid sequence (mesh.grid_levels): the same lumen and openings at larger spacings. Two
 * more lattices with the largest spacing have the wall moved outwards and inwards by its uncertainty. `solve` starts
 * each level from the coarser level; `post` computes intervals from the differences. */
#ifndef PORTAFLOW_MESH_LEVELS_H
#define PORTAFLOW_MESH_LEVELS_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Build and write lattice_levelK.h5 (K = 2 .. mesh.grid_levels), lattice_wider.h5, lattice_narrower.h5 and their walls
 * surface_*.vtp into the folder `out`, where the files of an earlier run are removed. Each file becomes an output of
 * `json`; result.grid_sequence lists them:
 *
 *   {"name", "lattice", "surface", "spacing_mm", "cells", "cells_per_diameter", "wall_shift_mm"}
 *
 * A level with too few cells per diameter in the minimum cross-section is omitted (resolution_limits.cells_level;
 * cells_level_coarse if the finest lattice has fewer than cells_good and the numerical friction of the level is below
 * RESOLUTION_FRICTION_LEVEL), and so is a moved wall that the lumen does not allow; each with a message. A pulsatile
 * flow has level 2 only (6 cells per diameter or more); solve starts the pulsatile flow from the mean flow that it
 * computes on this level. With mesh.grid_levels 1 nothing is written. Errors: as voxelize without ERR_INPUT;
 * ERR_OUTPUT. */
MUST_CHECK int mesh_levels_write(mesh_job *j, const char *out, cJSON *json, cJSON *result);
#endif
