/* SPDX-License-Identifier: Apache-2.0 */
/* The cells around a point within the radius of a fit; part of sampler.c (see sampler.h). */
#ifndef PORTAFLOW_POST_SAMPLE_BLOCK_H
#define PORTAFLOW_POST_SAMPLE_BLOCK_H
#include "post/sample/sampler.h"

enum { BLOCK_REACH = 3, BLOCK_WIDTH = 2 * BLOCK_REACH + 3, BLOCK_SIZE = BLOCK_WIDTH * BLOCK_WIDTH * BLOCK_WIDTH };
/* Radius of the largest ball that fits into the block with an empty layer around it, in cells */
#define BLOCK_RADIUS 3.0

typedef struct {
    int n;
    int32_t cell[BLOCK_SIZE];     /* indices of the listed cells */
    double offset[BLOCK_SIZE][3]; /* vector from the point to the centre of each listed cell, in cells */
    double squared[BLOCK_SIZE];   /* squared distance of each listed cell from the point, in cells^2 */
} block;

enum block_kind { BLOCK_STORED, BLOCK_ACTIVE };

/* Finds the cells within BLOCK_RADIUS of the point with distance_mm <= highest_mm. Cells that are not connected (18
 * neighbours) with the cell nearest to the anchor are excluded, such as a vessel behind a thin wall. Returns the number
 * of cells. */
int block_find(const sampler *s, enum block_kind kind, double highest_mm, const double point_mm[3],
               const double *anchor_mm, block *b);

/* Sets base to the box coordinates of the cell whose cube contains a point; this cell may be not stored. Returns 0 if
 * the point is far outside the box or is not a number. */
int block_base(const lattice *l, const double point_mm[3], int base[3]);
#endif
