/* SPDX-License-Identifier: Apache-2.0 */
/* Connected regions of voxels. */
#ifndef PORTAFLOW_SEGMENT_REGION_H
#define PORTAFLOW_SEGMENT_REGION_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/voxel/grid.h"
#include <stdint.h>

/* Labels connected regions of voxels with low <= value <= high, connected through faces (6 neighbours). label [voxels]
 * out: 0 outside, 1 .. *n_region by decreasing size. size [*n_region] out: voxels of each region; the caller frees it.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int region_label(const volume *v, double low, double high, int32_t *label, int *n_region, int64_t **size);

/* Finds the voxels connected with the starts through voxels with low <= value <= high; mask [voxels] out, 0 or 1.
 * Starts outside the range are skipped. *count: voxels in the mask. Errors: ERR_RESOURCE. */
MUST_CHECK int region_grow(const volume *v, double low, double high, int n_start, const int (*start)[3], uint8_t *mask,
                           int64_t *count);

/* Finds the voxel with label `wanted` (0: any label) nearest to `at`, LPS. label: as region_label. Returns the label of
 * the voxel, 0: none. place: position of the voxel; *away: its distance, mm. */
int32_t region_nearest(const volume *v, const int32_t *label, int32_t wanted, const double at[3], double place[3],
                       double *away);

/* Holes of a lumen that were filled. */
typedef struct {
    int n;
    double largest_mm3, place_mm[3]; /* the largest hole: volume of its voxels, and one of them, LPS */
} region_holes;

/* Fills holes of a level set (negative inside) of up to most_mm3. A hole is a set of voxels outside, connected through
 * faces, that the inside surrounds. A hole at the border of the volume stays. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_distance.c */
MUST_CHECK int region_fill_holes(volume *level, double most_mm3, region_holes *filled);

/* Smallest box of the set voxels; false if there are none. */
bool region_bounding_box(const volume *geometry, const uint8_t *mask, grid_box *box);
#endif
