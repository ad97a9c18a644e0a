/* SPDX-License-Identifier: Apache-2.0 */
/* Voxels of a lumen with a margin, so that a neighbour of a voxel needs no range check. */
#ifndef PORTAFLOW_LUMEN_GRID_H
#define PORTAFLOW_LUMEN_GRID_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdint.h>

enum { LUMEN_GRID_NEIGHBOURS = 26 };

typedef struct {
    int dims[3]; /* box of the lumen with one voxel of margin on every side */
    int low[3];  /* index in phi of the first voxel of the box; -1 at the border of phi */
    double spacing_mm[3];
    double thinnest_mm;                    /* smallest of the three spacings */
    ptrdiff_t step[LUMEN_GRID_NEIGHBOURS]; /* offset in memory of each neighbour, in the order of a 3 x 3 x 3 block
                                            * without its centre */
    double step_mm[LUMEN_GRID_NEIGHBOURS]; /* distance of each neighbour */
    uint8_t *inside;                       /* [dims[2]][dims[1]][dims[0]] 1 inside, owned */
    float *depth_mm;                       /* [dims[2]][dims[1]][dims[0]] distance to the wall inside, 0 outside,
                                            * owned */
    size_t *voxel;                         /* [n] the inside voxels in ascending order, owned */
    size_t n;
    int64_t cavity_voxels; /* number of voxels in closed cavities; they count as inside */
} lumen_grid;

/* Creates the grid of phi (mm, negative inside). Outside voxels that are enclosed by the lumen become inside voxels.
 * Errors: ERR_INPUT (no lumen), ERR_RESOURCE. */
MUST_CHECK int lumen_grid_create(const volume *phi, lumen_grid *g);
void lumen_grid_free(lumen_grid *g); /* safe on a zeroed struct */

size_t lumen_grid_size(const lumen_grid *g);
/* Continuous index of a voxel of the grid, in phi. */
void lumen_grid_index(const lumen_grid *g, size_t voxel, double index[3]);
#endif
