/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/wall/narrow_places.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/grid.h"
#include "segment/wall/wall_constants.h"
#include <math.h>

/* Set d to the inward unit normal. Returns false at the border of the grid and where the level has no gradient. */
static bool inward_normal(const volume *v, int i, int j, int k, double d[3]) {
    if (i < 1 || j < 1 || k < 1 || i + 2 > v->dims[0] || j + 2 > v->dims[1] || k + 2 > v->dims[2])
        return false;
    const size_t here = volume_index(v, i, j, k);
    const size_t step[3] = {1, (size_t)v->dims[0], (size_t)v->dims[0] * (size_t)v->dims[1]};
    for (int a = 0; a < 3; a++)
        d[a] = (double)v->value[here - step[a]] - (double)v->value[here + step[a]];
    if (!(vec_length(d) > 1e-6))
        return false;
    vec_normalize(d);
    return true;
}

/* Depth below the wall at its first maximum on the way along d, in voxels of the grid. The search ends where the depth
 * exceeds `most`. */
static double largest_depth(const volume *level, const double at[3], const double d[3], double most) {
    double depth = -INFINITY;
    for (double t = 0; t < 2 * most; t += DEPTH_STEP) {
        double p[3];
        vec_add(at, t, d, p);
        const double now = -grid_sample_linear(level, p);
        if (now < depth)
            break;
        depth = now;
        if (depth > most)
            break;
    }
    return depth;
}

int narrow_places_find(const volume *level, double image_voxel, double reach, volume *weight, bool *any) {
    const double full = NARROW_RADIUS * image_voxel, none = WIDE_RADIUS * image_voxel;
    bool found = false;
    int rc = OK;
    TRY(volume_create_like(weight, level));
#pragma omp parallel for schedule(dynamic) reduction(|| : found)
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                const size_t here = volume_index(level, i, j, k);
                double d[3];
                if (!(fabs((double)level->value[here]) < reach) || !inward_normal(level, i, j, k, d))
                    continue;
                const double radius = largest_depth(level, (const double[3]){i, j, k}, d, none);
                weight->value[here] = (float)fmin(1, fmax(0, (none - radius) / (none - full)));
                found = found || weight->value[here] > 0;
            }
    *any = found;
cleanup:
    return rc;
}
