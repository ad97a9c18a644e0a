/* Connected pieces of a surface: triangles that share points. */
#ifndef PORTAFLOW_SURFACE_PIECES_H
#define PORTAFLOW_SURFACE_PIECES_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct {
    int32_t *of; /* [n_point] piece of each point, identified by one of its points */
    /* [n_point] volume, stored at the point that identifies the piece, 0 elsewhere; < 0: normals point in */
    double *volume_mm3;
    int32_t n;
    int32_t *name; /* [n] identifying points, ascending; points without a triangle are also pieces */
} surface_pieces;

/* Finds the pieces of s. Errors: ERR_RESOURCE; call surface_pieces_free in any case. */
MUST_CHECK int surface_pieces_find(const surface *s, surface_pieces *w);
void surface_pieces_free(surface_pieces *w); /* safe on a zeroed struct */
#endif
