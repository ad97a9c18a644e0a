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
    int low[3];  /* index in phi of the box's first voxel; -1 at the border of phi */
    double spacing_mm[3];
    double thinnest_mm;                    /* smallest spacing */
    ptrdiff_t step[LUMEN_GRID_NEIGHBOURS]; /* offset of each neighbour, in the order of 27 cells without the centre */
    double step_mm[LUMEN_GRID_NEIGHBOURS]; /* its distance */
    uint8_t *inside;                       /* [dims[2]][dims[1]][dims[0]] 1 inside, owned */
    float *depth_mm;                       /* the same shape: distance to the wall inside, 0 outside, owned */
    size_t *voxel;                         /* [n] the inside voxels in ascending order, owned */
    size_t n;
    int64_t cavity_voxels; /* voxels of closed cavities, which count as inside */
} lumen_grid;

/* phi: mm, negative inside. Voxels outside that are enclosed by the lumen become inside voxels. Errors: ERR_INPUT (no
 * lumen), ERR_RESOURCE. */
MUST_CHECK int lumen_grid_create(const volume *phi, lumen_grid *g);
void lumen_grid_free(lumen_grid *g); /* safe on a zeroed struct */

size_t lumen_grid_size(const lumen_grid *g);
/* Continuous index of a voxel in phi. */
void lumen_grid_index(const lumen_grid *g, size_t voxel, double index[3]);
#endif
