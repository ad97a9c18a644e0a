/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/lumen/shape_field.h"
#include <math.h>

double shape_field_distance(const void *data, const double lps_mm[3]) {
    const shape_field *f = data;
    double nearest = INFINITY;
    int reach[3];
    for (int a = 0; a < 3; a++)
        reach[a] = f->shape.kind == SHAPE_CYLINDER && f->periodic[a] ? 1 : 0;
    for (int i = -reach[0]; i <= reach[0]; i++)
        for (int j = -reach[1]; j <= reach[1]; j++)
            for (int k = -reach[2]; k <= reach[2]; k++) {
                const double p[3] = {lps_mm[0] + i * f->period_mm[0], lps_mm[1] + j * f->period_mm[1],
                                     lps_mm[2] + k * f->period_mm[2]};
                nearest = fmin(nearest, shape_grid_distance(&f->grid, &f->shape, p));
            }
    return nearest;
}
