/* The vessel as one signed distance: an analytic shape, or a level set, near the wall optionally the triangles of a
 * given surface; with straight extensions at openings. */
#ifndef PORTAFLOW_LUMEN_H
#define PORTAFLOW_LUMEN_H
#include "common/base/must_check.h"
#include "common/surface/surface_distance.h"
#include "mesh/lumen/phi_field.h"
#include "mesh/lumen/shape_field.h"
#include "mesh/lumen/extension.h"

typedef struct {
    bool is_shape;
    shape_field shape;       /* if is_shape */
    phi_field phi;           /* otherwise */
    double shift_mm;         /* added to the distance: inward shift of the wall, extensions included; default 0 */
    double voxel_mm;         /* largest voxel spacing of the level set; 0 for a shape */
    surface wall;            /* triangles of a given surface, owned */
    surface_distance *exact; /* distance to `wall`, owned; NULL: no surface */
    int n_tube;
    tube *tube; /* [n_tube] owned */
} lumen;

void lumen_free(lumen *l);

/* Uses the triangles of `wall` for the distance within three voxels of the wall; further away the level set, which may
 * be coarser than the lattice. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int lumen_take_surface(lumen *l);

/* Callbacks for voxelize_input.distance, .solid, .slope and .steepness, with a lumen as data. */
double lumen_distance(const void *data, const double lps_mm[3]);
int lumen_solid(const void *data, const double centre[3], double width_mm, int subcells, double distance_mm);
bool lumen_slope(const void *data, const double lps_mm[3], double *distance_mm, double gradient[3]);
double lumen_steepness(const lumen *l);

/* Distance of a point beyond the outermost voxel centres of the image, where the vessel is unknown. -INFINITY for a
 * shape. */
double lumen_border(const lumen *l, const double lps_mm[3]);

/* Adds a straight extension of the cross-section of `opening` (normal pointing out) and moves the opening to its end.
 * `in`: box and spacing, with lumen_distance and l. Errors: ERR_INPUT (the extension meets another part of the vessel),
 * ERR_RESOURCE. */
MUST_CHECK int lumen_extend(lumen *l, const voxelize_input *in, mesh_opening *opening, double length_mm);
#endif
