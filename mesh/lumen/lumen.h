/* SPDX-License-Identifier: Apache-2.0 */
/* The vessel as one signed distance: an analytic shape, a level set, or the triangles of a supplied surface near the
 * wall, with straight extensions at the openings. */
#ifndef PORTAFLOW_LUMEN_H
#define PORTAFLOW_LUMEN_H
#include "common/base/must_check.h"
#include "common/surface/surface_distance.h"
#include "mesh/lumen/phi_field.h"
#include "mesh/lumen/shape_field.h"
#include "mesh/lumen/extension.h"

typedef struct {
    bool is_shape;
    shape_field shape; /* the vessel, if is_shape */
    phi_field phi;     /* the vessel, if not is_shape */
    /* length by which the wall moves inwards, also in extensions (added to the distance); 0: no shift */
    double shift_mm;
    double voxel_mm;         /* largest voxel spacing of the level set; 0: the vessel is an analytic shape */
    surface wall;            /* triangles of a surface given by the user, owned */
    surface_distance *exact; /* distances to these triangles, owned; NULL: no surface was given */
    int n_extension;
    extension *extension; /* [n_extension] extensions at the openings, owned */
} lumen;

void lumen_free(lumen *l);

/* Switch to the triangles of `wall` for the distance within three voxels of the wall. Further away the level set still
 * gives the distance; it may be coarser than the lattice. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int lumen_use_surface(lumen *l);

/* Functions for voxelize_input.distance, .solid, .slope and .steepness, with a lumen as data. */
double lumen_distance(const void *data, const double lps_mm[3]);
int lumen_solid(const void *data, const double centre[3], double width_mm, int subcells, double distance_mm);
bool lumen_slope(const void *data, const double lps_mm[3], double *distance_mm, double gradient[3]);
double lumen_steepness(const lumen *l);

/* Distance in mm by which a point is beyond the outermost voxel centres of the image, where the vessel is unknown;
 * negative inside. -INFINITY for a shape, which is known everywhere. */
double lumen_border(const lumen *l, const double lps_mm[3]);

/* Add a straight extension to the cross-section of `opening`, whose normal points out, and move the opening to the end
 * of the extension. `in` gives the box, the spacing and the distance (lumen_distance of l). Errors: ERR_INPUT (the
 * extension meets another part of the vessel), ERR_RESOURCE. */
MUST_CHECK int lumen_extend(lumen *l, const voxelize_input *in, mesh_opening *opening, double length_mm);
#endif
