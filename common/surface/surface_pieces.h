/* SPDX-License-Identifier: Apache-2.0 */
/* Connected pieces of a surface: triangles that share points. */
#ifndef PORTAFLOW_SURFACE_PIECES_H
#define PORTAFLOW_SURFACE_PIECES_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct {
    int32_t *of; /* [n_point] piece of each point, identified by a point of the piece */
    /* [n_point] volume of each piece, at the index of the point that identifies the piece; < 0: its normals point
     * inwards */
    double *volume_mm3;
    int32_t n;
    int32_t *name; /* [n] points that identify the pieces, ascending; a point without triangles is a piece of its own */
} surface_pieces;

/* Finds the pieces of s. Errors: ERR_RESOURCE; call surface_pieces_free in any case. */
MUST_CHECK int surface_pieces_find(const surface *s, surface_pieces *w);
void surface_pieces_free(surface_pieces *w); /* safe on a zeroed struct */
#endif
