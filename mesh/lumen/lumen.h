/* The vessel as one signed distance: an analytic shape, a level set, or near the wall the triangles of a given surface,
 * with straight extensions at its openings. */
#ifndef PORTAFLOW_LUMEN_H
#define PORTAFLOW_LUMEN_H
#include "common/base/must_check.h"
#include "common/surface/surface_distance.h"
#include "mesh/lumen/phi_field.h"
#include "mesh/lumen/shape_field.h"
#include "mesh/lumen/extension.h"

typedef struct {
    bool is_shape;
    shape_field shape;       /* is_shape */
    phi_field phi;           /* otherwise */
    double shift_mm;         /* added to the distance: the wall so far inwards, extensions too; 0 */
    double voxel_mm;         /* largest voxel spacing of the level set, 0 for a shape */
    surface wall;            /* a lumen given as a surface: its triangles, owned, and */
    surface_distance *exact; /* their distance, owned; NULL: there are none */
    int n_tube;
    tube *tube; /* [n_tube] owned */
} lumen;

void lumen_free(lumen *l);

/* From now on, the distance within three voxels of the wall is that to the triangles of `wall`; the level set, which
 * may be coarser than the lattice, holds further away. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int lumen_take_surface(lumen *l);

/* For voxelize_input.distance, .solid, .slope and .steepness, with a lumen as data. */
double lumen_distance(const void *data, const double lps_mm[3]);
int lumen_solid(const void *data, const double centre[3], double width_mm, int subcells, double distance_mm);
bool lumen_slope(const void *data, const double lps_mm[3], double *distance_mm, double gradient[3]);
double lumen_steepness(const lumen *l);

/* How far a point lies beyond what is known of the vessel: the outermost voxel centres of the image. -INFINITY for a
 * shape, which is known everywhere. */
double lumen_border(const lumen *l, const double lps_mm[3]);

/* Add a straight extension of the cross-section of `opening` (its normal points out), which then moves to the end of
 * it. `in` describes the box and spacing, with lumen_distance and l. Errors: ERR_INPUT (the extension runs into another
 * part of the vessel), ERR_RESOURCE. */
MUST_CHECK int lumen_extend(lumen *l, const voxelize_input *in, mesh_opening *opening, double length_mm);
#endif
