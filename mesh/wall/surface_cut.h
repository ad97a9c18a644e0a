/* SPDX-License-Identifier: Apache-2.0 */
/* Cut a triangle surface by a plane, and remove parts of it. */
#ifndef PORTAFLOW_SURFACE_CUT_H
#define PORTAFLOW_SURFACE_CUT_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include <stdbool.h>

/* Cut every edge that crosses height 0 and has an end at a marked point. The outer parts (height >= 0) of cut triangles
 * are removed, other triangles stay.
 *
 *   height  [n_point] mm above the plane
 *   marked  [n_point] true: within the extent of the plane
 *
 * Errors: ERR_RESOURCE. */
MUST_CHECK int surface_cut_plane(surface *s, const double *height, const bool *marked);

/* Sets piece[t] to the number of the connected piece that holds triangle t, 0..n_piece - 1. Triangles that share a
 * point are connected. The caller allocates piece [n_triangle]. Errors: ERR_RESOURCE. */
MUST_CHECK int surface_cut_pieces(const surface *s, int32_t *piece, int32_t *n_piece);

/* Keep the triangles with keep[t] and the points they use, in order. Errors: ERR_RESOURCE. */
MUST_CHECK int surface_cut_keep(surface *s, const bool *keep);
#endif
