/* SPDX-License-Identifier: Apache-2.0 */
/* Fast distance to many parts of a shape: for every block of a box, the parts that can be nearest to a point in the
 * block.
 *
 * The distance to a part changes by no more than the distance that the point moves. In a block of half diagonal r a
 * part can only be nearest if its distance to the centre of the block exceeds the smallest distance by no more than 2
 * r. The result equals the result without the grid. Test: tests/unit/mesh/test_shape_grid.c */
#ifndef PORTAFLOW_SHAPE_GRID_H
#define PORTAFLOW_SHAPE_GRID_H
#include "common/base/must_check.h"
#include "common/surface/shape.h"
#include <stddef.h>

typedef struct {
    double low_mm[3], step_mm;
    int dims[3];
    size_t *first;           /* [blocks + 1] first entry of each block in segment[] */
    size_t *first_ellipsoid; /* [blocks + 1] first entry of each block in ellipsoid[] */
    shape_segment *segment;
    shape_ellipsoid *ellipsoid;
} shape_grid;

/* Create the grid for a tree or a chamber. For other kinds, or few parts, the grid stays empty and shape_grid_distance
 * uses the whole shape. Errors: ERR_RESOURCE. */
MUST_CHECK int shape_grid_create(shape_grid *g, const shape *s, const double low_mm[3], const double high_mm[3]);
void shape_grid_free(shape_grid *g); /* safe on a zeroed struct and twice */

double shape_grid_distance(const shape_grid *g, const shape *s, const double lps_mm[3]);
#endif
