/* The wall of the vessel as triangles: the zero level of the distance, cut at the openings.
 *
 * Only what bounds the lattice is kept. Points lie on the zero level to a thousandth of a cell, those on the rim of an
 * opening to a few hundredths. The openings (and the periodic faces of the box) are left open in `wall`; `closed` has
 * flat caps there. Test: tests/unit/mesh/test_wall_surface.c */
#ifndef PORTAFLOW_WALL_SURFACE_H
#define PORTAFLOW_WALL_SURFACE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "mesh/section/cross_section.h"

typedef struct {
    surface wall, closed;
    double volume_mm3;  /* of closed; NaN when the wall encloses no fluid, only obstacles */
    int64_t open_edges; /* of closed: 0 when it is watertight */
    int n_cap;          /* ends that were capped */
} wall_surface;

/* `in` with the box of `l` and the planes as they were voxelized. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int wall_surface_create(wall_surface *w, const voxelize_input *in, const lattice *l);
/* `wall` alone, the caller's (surface_free). */
MUST_CHECK int wall_surface_open(surface *wall, const voxelize_input *in, const lattice *l);
void wall_surface_free(wall_surface *w);
#endif
