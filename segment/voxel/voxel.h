/* SPDX-License-Identifier: Apache-2.0 */
/* Voxels by index in a volume's array: coordinates, neighbours, lists. */
#ifndef PORTAFLOW_SEGMENT_VOXEL_H
#define PORTAFLOW_SEGMENT_VOXEL_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <math.h>
#include <stdbool.h>

/* True if the voxel at a point is in the mask (> 0.5); false beyond the outer faces. */
static inline bool voxel_is_in_mask(const volume *mask, const double lps_mm[3]) {
    double index[3];
    volume_to_index(mask, lps_mm, index);
    for (int a = 0; a < 3; a++)
        if (!(index[a] > -0.5 && index[a] < mask->dims[a] - 0.5))
            return false;
    return mask->value[volume_index(mask, (int)lround(index[0]), (int)lround(index[1]), (int)lround(index[2]))] > 0.5F;
}

/* The three indices of a voxel: inverse of volume_index(). */
static inline void voxel_split(const volume *v, size_t voxel, int at[3]) {
    at[0] = (int)(voxel % (size_t)v->dims[0]);
    at[1] = (int)(voxel / (size_t)v->dims[0] % (size_t)v->dims[1]);
    at[2] = (int)(voxel / (size_t)v->dims[0] / (size_t)v->dims[1]);
}

/* Voxels that share a face with this one, in the order -x +x -y +y -z +z. Returns their number within the volume. */
static inline int voxel_face_neighbours(const volume *v, size_t voxel, size_t beside[6]) {
    const size_t step[3] = {1, (size_t)v->dims[0], (size_t)v->dims[0] * (size_t)v->dims[1]};
    int at[3], n = 0;
    voxel_split(v, voxel, at);
    for (int a = 0; a < 3; a++) {
        if (at[a] > 0)
            beside[n++] = voxel - step[a];
        if (at[a] + 1 < v->dims[a])
            beside[n++] = voxel + step[a];
    }
    return n;
}

typedef struct {
    size_t *voxel; /* [n] voxels, owned, to be freed with free(); a zeroed struct is an empty list */
    size_t n, room;
} voxel_list;

MUST_CHECK int voxel_list_push(voxel_list *l, size_t voxel); /* appends a voxel. Errors: ERR_RESOURCE */
#endif
