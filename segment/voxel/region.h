/* Connected regions of voxels. */
#ifndef PORTAFLOW_SEGMENT_REGION_H
#define PORTAFLOW_SEGMENT_REGION_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/voxel/grid.h"
#include <stdint.h>

/* Regions of voxels with low <= value <= high, joined through faces (6 neighbours).
 * label [voxels] out: 0 outside, 1 .. *n_region in the order of size, largest first; size [*n_region], caller frees.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int region_label(const volume *v, double low, double high, int32_t *label, int *n_region, int64_t **size);

/* Voxels reached from the starts through voxels with low <= value <= high; mask [voxels] is 0 or 1. Starts outside the
 * range are passed over. *count: voxels reached. Errors: ERR_RESOURCE. */
MUST_CHECK int region_grow(const volume *v, double low, double high, int n_start, const int (*start)[3], uint8_t *mask,
                           int64_t *count);

/* Smallest box of the voxels that are set; false when there are none. */
bool region_box(const volume *geometry, const uint8_t *mask, grid_box *box);
#endif
