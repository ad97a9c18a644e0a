/* SPDX-License-Identifier: Apache-2.0 */
/* Mends defects of a surface that exporters leave: triangles without an area, and vertices on edges of neighbours. */
#ifndef PORTAFLOW_SURFACE_MEND_H
#define PORTAFLOW_SURFACE_MEND_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

/* Removes each triangle whose corners are on one line if this leaves fewer edges with an odd number of triangles. Then
 * splits each open edge at the ends of other open edges that lie on it, if this leaves fewer open edges. Points do not
 * move. Coincident points must be merged. Errors: ERR_RESOURCE. */
#ifdef __cplusplus
extern "C" {
#endif
MUST_CHECK int surface_mend(surface *s);
#ifdef __cplusplus
}
#endif
#endif
