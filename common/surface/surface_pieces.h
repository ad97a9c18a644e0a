/* Pieces of a surface: triangles that share points. */
#ifndef PORTAFLOW_SURFACE_PIECES_H
#define PORTAFLOW_SURFACE_PIECES_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct {
    int32_t *of;        /* [n_point] the piece of a point, named by one of its points */
    double *volume_mm3; /* [n_point] at the point that names a piece, 0 at others; below 0: its normals point in */
    int32_t n;
    int32_t *name; /* [n] the pieces, ascending; points without a triangle are pieces, too */
} surface_pieces;

/* Errors: ERR_RESOURCE; what is there is freed by surface_pieces_free either way. */
MUST_CHECK int surface_pieces_find(const surface *s, surface_pieces *w);
void surface_pieces_free(surface_pieces *w); /* safe on a zeroed struct */
#endif
