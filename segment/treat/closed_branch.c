/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/treat/closed_branch.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double STUMP_RADII = 2;  /* largest distance of the end of a stump from its disc, in radii */
static const double TOUCH_VOXELS = 2; /* largest distance of a piece of lumen from the disc that cut it off */

static int32_t part_of(const volume *phi, const int32_t *label, const double at[3]) {
    double place[3], away;
    return region_nearest(phi, label, 0, at, place, &away);
}

/* True if the part touches the disc. */
static bool touches(const volume *phi, const int32_t *label, int32_t part, const closed_disc *d) {
    double place[3], away;
    return region_nearest(phi, label, part, d->at_mm, place, &away) == part &&
           away < d->thick_mm / 2 + TOUCH_VOXELS * volume_thickest_mm(phi);
}

static bool has_disc(int n, const closed_disc *disc) {
    for (int d = 0; d < n; d++)
        if (disc[d].thick_mm > 0)
            return true;
    return false;
}

int closed_branch_find(const volume *phi, int n_disc, const closed_disc *disc, int n, const double (*opening)[3],
                       int n_end, const centerline_end *end, int *closed_by) {
    int32_t *label = NULL;
    int64_t *size = NULL;
    int regions = 0, rc = OK;
    for (int k = 0; k < n_end; k++)
        closed_by[k] = -1;
    if (n_end == 0 || !has_disc(n_disc, disc))
        return OK;
    label = malloc((volume_size(phi) + 1) * sizeof *label);
    if (!label)
        return fail_memory("the pieces of the lumen", (double)volume_size(phi) * sizeof *label);
    TRY(region_label(phi, -INFINITY, 0, label, &regions, &size));
    for (int k = 0; k < n_end; k++) {
        const int32_t part = part_of(phi, label, end[k].point_mm);
        bool fed = false;
        for (int m = 0; m < n && !fed; m++)
            fed = part_of(phi, label, opening[m]) == part;
        for (int d = 0; d < n_disc && closed_by[k] < 0; d++) {
            const double stump_mm = disc[d].thick_mm / 2 + STUMP_RADII * disc[d].radius_mm;
            if (disc[d].thick_mm > 0 && (vec_distance(end[k].tip_mm, disc[d].at_mm) < stump_mm ||
                                         (!fed && touches(phi, label, part, &disc[d]))))
                closed_by[k] = d;
        }
    }
cleanup:
    free(label);
    free(size);
    return rc;
}
