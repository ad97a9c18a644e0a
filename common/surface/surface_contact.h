/* SPDX-License-Identifier: Apache-2.0 */
/* Open edges, edges of three, five, .. triangles, and points where parts of a surface touch. */
#ifndef PORTAFLOW_SURFACE_CONTACT_H
#define PORTAFLOW_SURFACE_CONTACT_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct {
    /* number of edges with one triangle, number of edges with three, five, .. triangles */
    int64_t open, crowded;
    /* middle of the first edge that `open` counts, and of the first that `crowded` counts, LPS; NaN: none */
    double open_mm[3], crowded_mm[3];
    /* number of points that two parts share; parts are connected by edges with two triangles */
    int64_t touching;
    double small_mm3;      /* largest volume over the shared points, where each point has the volume of the smaller of
                            * its two parts */
    double touching_mm[3]; /* shared point with this volume, LPS; NaN: none */
} surface_contact;

/* Finds the open edges, crowded edges and touching points of s, whose coincident points must have been merged. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int surface_contact_find(const surface *s, surface_contact *found);
#endif
