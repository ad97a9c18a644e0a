/* Cuts a triangle surface by a plane, and extracts parts of it. */
#ifndef PORTAFLOW_SURFACE_CUT_H
#define PORTAFLOW_SURFACE_CUT_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include <stdbool.h>

/* Cuts every edge that crosses height 0 and has a marked end; removes the outer parts (height >= 0) of cut triangles.
 *   height  [n_point] mm above the plane
 *   marked  [n_point] true where the plane extends
 * Errors: ERR_RESOURCE. */
MUST_CHECK int surface_cut_plane(surface *s, const double *height, const bool *marked);

/* Connected piece of every triangle, 0..n_piece - 1 (connected: sharing a point). piece [n_triangle] belongs to the
 * caller. Errors: ERR_RESOURCE. */
MUST_CHECK int surface_cut_pieces(const surface *s, int32_t *piece, int32_t *n_piece);

/* Keeps triangles with keep[t] and their points, in order. Errors: ERR_RESOURCE. */
MUST_CHECK int surface_cut_keep(surface *s, const bool *keep);
#endif
