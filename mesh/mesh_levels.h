/* The coarser levels of mesh.ladder: the same lumen and openings at larger spacings, and on the coarsest level the
 * lumen with its wall moved out and in by its uncertainty. `solve` starts each level from a coarser one; `post` derives
 * intervals from their differences. */
#ifndef PORTAFLOW_MESH_LEVELS_H
#define PORTAFLOW_MESH_LEVELS_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* Writes lattice_levelK.h5 (K = 2 .. mesh.ladder), lattice_wider.h5, lattice_narrower.h5 and their walls surface_*.vtp
 * into `out`, after removing those of an earlier run. Adds them to the outputs of `json` and lists them in
 * result.ladder:
 *   {"name", "lattice", "surface", "spacing_mm", "cells", "cells_across", "wall_shift_mm"}
 * A level with fewer than 8 cells per diameter at the minimum cross-section is left out, and so is a moved wall that
 * closes the lumen, each with a message. Pulsatile flow: level 2 only (6 cells per diameter or more), for the mean
 * flow. mesh.ladder 1: nothing. Errors: those of voxelize except ERR_INPUT, ERR_OUTPUT. */
MUST_CHECK int mesh_levels_write(mesh_job *j, const char *out, cJSON *json, cJSON *result);
#endif
