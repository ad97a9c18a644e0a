/* SPDX-License-Identifier: Apache-2.0 */
/* Orients the pieces of a closed surface, also pieces inside other pieces. */
#ifndef PORTAFLOW_SURFACE_ORIENT_PIECES_H
#define PORTAFLOW_SURFACE_ORIENT_PIECES_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

/* Orients every piece (triangles that share points); its normals then point out of the lumen. The lumen is where a
 * line from far away has crossed the surface an odd number of times: a piece inside an odd number of other pieces is a
 * hole, as in surface_to_phi. s: closed; the result is undefined where pieces intersect (surface_crossing.h). *turned:
 * number of reversed pieces. Method: crossings of a ray (moller1997). Errors: ERR_RESOURCE. */
MUST_CHECK int surface_orient_pieces(surface *s, int *turned);
#endif
