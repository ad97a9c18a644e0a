/* Many segments made fast: for every block of a box the segments that can be nearest to a point in it.
 *
 * The distance to a part changes by at most the way gone, so a part can only be nearest somewhere in a block of
 * half diagonal r when its distance to the block's middle is at most 2 r above the least. The result is the same number
 * as without the grid. Test: tests/unit/mesh/test_shape_grid.c */
#ifndef PORTAFLOW_SHAPE_GRID_H
#define PORTAFLOW_SHAPE_GRID_H
#include "common/base/must_check.h"
#include "common/surface/shape.h"
#include <stddef.h>

typedef struct {
    double low_mm[3], step_mm;
    int dims[3];
    size_t *first;           /* [blocks + 1] where a block's parts begin in segment[] ... */
    size_t *first_ellipsoid; /* ... and in ellipsoid[] */
    shape_segment *segment;
    shape_ellipsoid *ellipsoid;
} shape_grid;

/* For a tree or chamber; of another kind, or with few parts, the grid stays empty and shape_grid_distance asks the
 * whole shape. Errors: ERR_RESOURCE. */
MUST_CHECK int shape_grid_create(shape_grid *g, const shape *s, const double low_mm[3], const double high_mm[3]);
void shape_grid_free(shape_grid *g); /* safe on a zeroed struct and twice */

double shape_grid_distance(const shape_grid *g, const shape *s, const double lps_mm[3]);
#endif
