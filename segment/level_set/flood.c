/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/level_set/flood.h"
#include "common/base/status.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdlib.h>

/* Coarsen the box to blocks, about FLOOD_VOXELS in all; the value of a block is the fraction of set voxels. */
static int mask_blocks(const volume *v, const uint8_t *mask, const grid_box *box, volume *out) {
    double origin[3], corner[3], spacing[3], volume_mm3 = 1;
    int block[3], dims[3], rc = OK;
    for (int a = 0; a < 3; a++)
        volume_mm3 *= v->spacing_mm[a] * (box->high[a] - box->low[a] + 1);
    for (int a = 0; a < 3; a++) {
        block[a] = (int)fmax(1, round(cbrt(volume_mm3 / FLOOD_VOXELS) / v->spacing_mm[a]));
        dims[a] = (box->high[a] - box->low[a]) / block[a] + 1;
        spacing[a] = v->spacing_mm[a] * block[a];
        corner[a] = box->low[a] + 0.5 * (block[a] - 1);
    }
    volume_to_lps(v, corner, origin);
    TRY(volume_create(out, dims, spacing, origin, v->direction));
    const float share = 1.0F / (float)(block[0] * block[1] * block[2]);
    for (int k = box->low[2]; k <= box->high[2]; k++)
        for (int j = box->low[1]; j <= box->high[1]; j++)
            for (int i = box->low[0]; i <= box->high[0]; i++)
                if (mask[volume_index(v, i, j, k)])
                    out->value[volume_index(out, (i - box->low[0]) / block[0], (j - box->low[1]) / block[1],
                                            (k - box->low[2]) / block[2])] += share;
cleanup:
    return rc;
}

int flood_level_set(const volume *geometry, const uint8_t *reached, volume *level) {
    grid_box box = {{0}, {0}};
    volume mask = {0};
    int rc = OK;
    region_bounding_box(geometry, reached, &box);
    grid_box_grow(&box, (int[3]){GRID_PAD, GRID_PAD, GRID_PAD}, geometry);
    TRY(mask_blocks(geometry, reached, &box, &mask));
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, 12 * mask.spacing_mm[0], level));
cleanup:
    volume_free(&mask);
    return rc;
}

/* Converts a front to a level set on coarse voxels. `from`: the level set of the front if `grown`, otherwise the mask
 * in which the front starts (1 inside). */
static int coarsen_front(const volume *from, bool grown, volume *out) {
    const size_t n = volume_size(from);
    uint8_t *mask = malloc(n);
    int rc = OK;
    if (mask == NULL)
        return fail_memory("the mask of a leak", (double)n);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        mask[i] = grown ? from->value[i] < 0 : from->value[i] > 0;
    TRY(flood_level_set(from, mask, out));
cleanup:
    free(mask);
    return rc;
}

int flood_coarsen_front(const volume *start, volume *level) {
    const bool grown = level->value != NULL;
    volume out = {0};
    int rc = OK;
    TRY(coarsen_front(grown ? level : start, grown, &out));
    volume_free(level);
    *level = out;
cleanup:
    return rc;
}
