/* SPDX-License-Identifier: Apache-2.0 */
#include "post/stage/voxel_maps.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>

int voxel_maps(const sampler *s, const fields *f, const volume *grid, volume *map) {
    int rc = OK;
    for (int k = 0; k < VOXEL_MAPS; k++)
        TRY(volume_create_like(&map[k], grid));
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < grid->dims[2]; k++)
        for (int j = 0; j < grid->dims[1]; j++)
            for (int i = 0; i < grid->dims[0]; i++) {
                const size_t at = volume_index(grid, i, j, k);
                double lps[3], u[3], pressure = NAN;
                volume_to_lps(grid, (const double[3]){i, j, k}, lps);
                map[VOXEL_PRESSURE].value[at] = NAN;
                if (!sampler_flow(s, f, lps, u, &pressure))
                    continue;
                for (int a = 0; a < 3; a++)
                    map[VOXEL_LEFT + a].value[at] = (float)u[a];
                map[VOXEL_SPEED].value[at] = (float)vec_length(u);
                map[VOXEL_PRESSURE].value[at] = (float)pressure;
            }
cleanup:
    return rc;
}
