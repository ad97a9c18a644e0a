/* SPDX-License-Identifier: Apache-2.0 */
/* The wall of the vessel as triangles: the zero level of the distance, cut at the openings.
 *
 * Only pieces that bound the lattice are kept. Points are on the zero level to a thousandth of a cell, points on the
 * rim of an opening to a few hundredths. `wall` is open at the openings and the periodic faces of the box; `closed` has
 * flat caps there. Test: tests/unit/mesh/test_wall_surface.c */
#ifndef PORTAFLOW_WALL_SURFACE_H
#define PORTAFLOW_WALL_SURFACE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "mesh/section/cross_section.h"

typedef struct {
    surface wall, closed;
    double volume_mm3;  /* volume of `closed`; NaN: the wall encloses only obstacles, no fluid */
    int64_t open_edges; /* number of open edges of `closed`; 0: watertight */
    int n_cap;          /* number of capped ends */
} wall_surface;

/* Create `wall` and `closed`. `in` has the box of `l` and the planes used for voxelize. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int wall_surface_create(wall_surface *w, const voxelize_input *in, const lattice *l);
/* Create only the open wall; the caller frees it (surface_free). */
MUST_CHECK int wall_surface_open(surface *wall, const voxelize_input *in, const lattice *l);
void wall_surface_free(wall_surface *w);
#endif
