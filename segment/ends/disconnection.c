/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/disconnection.h"
#include "common/base/status.h"
#include "segment/ends/ends_constants.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdlib.h>

/* Find the middle and the width of the gap between two parts. */
static int find_gap(const volume *phi, const int32_t *label, int32_t one, int32_t other, disconnection *out) {
    volume mask = {0}, distance = {0};
    double to[3];
    size_t best = 0;
    int rc = OK;
    TRY(volume_create_like(&mask, phi));
    for (size_t i = 0; i < volume_size(phi); i++)
        mask.value[i] = label[i] == one;
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, GAP_MM, &distance));
    for (size_t i = 0; i < volume_size(phi); i++)
        if (label[i] == other && (label[best] != other || distance.value[i] < distance.value[best]))
            best = i;
    const size_t x = (size_t)phi->dims[0], y = (size_t)phi->dims[1], row = best / x, slice = row / y;
    const double index[3] = {(double)(best % x), (double)(row % y), (double)slice};
    volume_to_lps(phi, index, out->place_mm);
    region_nearest(phi, label, one, out->place_mm, to, &out->gap_mm);
    for (int a = 0; a < 3; a++)
        out->place_mm[a] = 0.5 * (out->place_mm[a] + to[a]);
cleanup:
    volume_free(&mask);
    volume_free(&distance);
    return rc;
}

int disconnection_find(const volume *phi, int n, const double (*opening)[3], double most_mm, disconnection *out) {
    int32_t *label = malloc((volume_size(phi) + 1) * sizeof *label), first = 0;
    int64_t *size = NULL;
    int regions = 0, rc = OK;
    *out = (disconnection){.opening = {-1, -1}};
    if (label == NULL)
        return fail_memory("the pieces of the lumen", (double)volume_size(phi) * sizeof *label);
    TRY(region_label(phi, -INFINITY, 0, label, &regions, &size));
    for (int k = 0; k < n && regions > 1; k++) {
        double place[3], away;
        const int32_t part = region_nearest(phi, label, 0, opening[k], place, &away);
        if (away > most_mm || part == first)
            continue;
        out->opening[first > 0] = k;
        if (first > 0) {
            TRY(find_gap(phi, label, first, part, out));
            break;
        }
        first = part;
    }
    if (out->opening[1] < 0)
        out->opening[0] = -1;
cleanup:
    free(label);
    free(size);
    return rc;
}
