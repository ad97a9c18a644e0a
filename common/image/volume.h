/* SPDX-License-Identifier: Apache-2.0 */
/* 3D image in memory: x fastest, float values, LPS coordinates in mm.
 *
 *   p_lps = origin_mm + direction * (spacing_mm . index)        direction [9] row major, columns are the axes
 *
 * itk_image.h reads and writes files; this file has no dependency. */
#ifndef PORTAFLOW_VOLUME_H
#define PORTAFLOW_VOLUME_H
#include "common/base/must_check.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int dims[3];
    double spacing_mm[3]; /* distance of voxel centres along each axis, > 0 */
    double origin_mm[3];  /* LPS position of the centre of voxel 0,0,0 */
    double direction[9];  /* orthonormal columns; determinant +1 or -1 */
    float *value;         /* [dims[2]][dims[1]][dims[0]] values, owned; NULL: only the geometry was read */
} volume;

MUST_CHECK int
volume_create(volume *v, const int dims[3], const double spacing_mm[3], const double origin_mm[3],
              /* creates a volume with all values 0; direction NULL: identity. Errors: ERR_RESOURCE, ERR_INPUT */
              const double direction[9]);
/* Check and set the geometry (value NULL). The direction is orthonormalized to rounding. Errors: ERR_INPUT. */
MUST_CHECK int volume_set_geometry(volume *v, const int dims[3], const double spacing_mm[3], const double origin_mm[3],
                                   const double direction[9]);
MUST_CHECK int volume_create_like(volume *v, const volume *geometry);
/* Copy geometry and values, in parallel; v and from must differ. Errors: ERR_RESOURCE. */
MUST_CHECK int volume_copy(volume *v, const volume *from);
void volume_free(volume *v); /* safe on a zeroed struct and when repeated */

static inline size_t volume_size(const volume *v) { /* number of voxels */
    return (size_t)v->dims[0] * (size_t)v->dims[1] * (size_t)v->dims[2];
}
static inline double volume_thinnest_mm(const volume *v) { /* smallest spacing of the voxels */
    return fmin(v->spacing_mm[0], fmin(v->spacing_mm[1], v->spacing_mm[2]));
}
static inline double volume_thickest_mm(const volume *v) { /* largest spacing of the voxels */
    return fmax(v->spacing_mm[0], fmax(v->spacing_mm[1], v->spacing_mm[2]));
}
static inline size_t volume_index(const volume *v, int i, int j, int k) {
    return ((size_t)k * (size_t)v->dims[1] + (size_t)j) * (size_t)v->dims[0] + (size_t)i;
}
void volume_to_lps(const volume *v, const double index[3], double lps_mm[3]);
/* converts a point to a continuous index */
void volume_to_index(const volume *v, const double lps_mm[3], double index[3]);
/* true for points inside the outer faces of the border voxels */
bool volume_contains(const volume *v, const double lps_mm[3]);
/* Trilinear value, clamped to the border voxels. */
double volume_sample(const volume *v, const double lps_mm[3]);
#ifdef __cplusplus
}
#endif
#endif
