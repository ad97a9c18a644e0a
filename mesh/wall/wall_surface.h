/* The wall of the vessel as triangles: zero level of the distance, cut at the openings; only the part that bounds the
 * lattice. Points are on the zero level to a thousandth of a cell, points on the rim of an opening to a few hundredths.
 * `wall` is open at openings and periodic faces; `closed` has flat caps there. Test:
 * tests/unit/mesh/test_wall_surface.c */
#ifndef PORTAFLOW_WALL_SURFACE_H
#define PORTAFLOW_WALL_SURFACE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "mesh/section/cross_section.h"

typedef struct {
    surface wall, closed;
    double volume_mm3;  /* of `closed`; NaN if the wall encloses only obstacles */
    int64_t open_edges; /* of `closed`: 0 if it is watertight */
    int n_cap;          /* number of caps */
} wall_surface;

/* in: box of `l` and the planes used for voxelization. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int wall_surface_create(wall_surface *w, const voxelize_input *in, const lattice *l);
/* Only `wall`, which belongs to the caller (surface_free). */
MUST_CHECK int wall_surface_open(surface *wall, const voxelize_input *in, const lattice *l);
void wall_surface_free(wall_surface *w);
#endif
