/* SPDX-License-Identifier: Apache-2.0 */
/* Zero level set of a field, computed block by block with VTK; part of surface_blocks.c. */
#ifndef PORTAFLOW_VTK_SURFACE_CONTOUR_H
#define PORTAFLOW_VTK_SURFACE_CONTOUR_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct surface_contour surface_contour;

/* Begins a surface. Errors of all functions of this file: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int surface_contour_open(surface_contour **c);

/* Adds the triangles between the nodes `low .. low + n - 1` of a grid, value [n[2]][n[1]][n[0]]. */
MUST_CHECK int surface_contour_add(surface_contour *c, const int low[3], const int n[3], const float *value);

/* Joins all triangles into one surface, merges equal points, orients it outwards and converts grid indices to LPS
 * mm. */
MUST_CHECK int surface_contour_close(surface_contour *c, const volume *grid, surface *out);
void surface_contour_free(surface_contour *c); /* c may be NULL */

#ifdef __cplusplus
}
#endif
#endif
