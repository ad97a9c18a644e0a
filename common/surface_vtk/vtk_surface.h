/* SPDX-License-Identifier: Apache-2.0 */
/* VTK shim: surface files, surfaces from level sets and distances to surfaces. The files surface_*.c do not use VTK.
 * All geometry in LPS mm. */
#ifndef PORTAFLOW_VTK_SURFACE_H
#define PORTAFLOW_VTK_SURFACE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "common/image/volume.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Reads STL, VTP, PLY or legacy VTK (ASCII or binary). Polygons are split into triangles; coincident points are merged,
 * flat triangles and vertices on edges are mended (surface_mend.h).
 * If the orientation of the triangles is inconsistent, each connected piece takes the orientation of its first
 * triangle; pieces that share a non-manifold edge count as two pieces. The surface is then oriented outwards.
 * scale_to_mm: 1 for mm, 10 for cm, 1000 for m. ras: 1 if the file is in RAS (x and y are flipped). Errors: ERR_INPUT
 * (unreadable, no triangle, not finite). */
MUST_CHECK int surface_read(const char *path, double scale_to_mm, int ras, surface *out);

/* Frame of a surface file: as surface_stated_frame, and for VTP or VTK also from the field data "SPACE" (3D Slicer).
 * -1: not stated or unreadable. */
int surface_read_frame(const char *path, int ras, int lps);

/* Reads a .vtp file of surface_write with one point array; points and triangles are unchanged.
 *   value  [n_point][components] out, owned by the caller
 * Errors: as surface_read; ERR_INPUT if the array is missing. */
MUST_CHECK int surface_read_array(const char *path, const char *name, int components, surface *out, double **value);

/* Finds the closest point of the surface (one triangle or more) for each of n points.
 *   point_mm     [n][3]
 *   triangle     [n] out, the triangle that contains the closest point
 *   weight       [n][3] out, barycentric coordinates of the closest point
 *   distance_mm  [n] out
 * Errors: ERR_RESOURCE. */
MUST_CHECK int surface_closest_points(const surface *s, size_t n, const double *point_mm, int64_t *triangle,
                                      double *weight, double *distance_mm);

/* One named array of point data for surface_write. */
typedef struct {
    const char *name;    /* name with unit, for example "wss_pa" */
    int components;      /* components per point, 1 or 3 */
    const double *value; /* [n_point][components] values */
} surface_array;

/* Writes .stl (binary), .vtp or .ply, selected by the file name extension, as "<path>.part" and then renamed. The file
 * states frame (LPS) and unit (mm): STL header, PLY comment, VTP field data. Errors: ERR_OUTPUT (also other extensions,
 * or arrays with .stl or .ply), ERR_RESOURCE. */
MUST_CHECK int surface_write(const char *path, const surface *s, int n_array, const surface_array *array);

/* Zero level set of phi (negative inside) as a closed surface, oriented outwards. Where the inside reaches the border
 * of the volume, the surface is closed there. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int surface_from_phi(const volume *phi_mm, surface *out);

/* Computes the values at the nodes `low .. low + n - 1` of a grid: value [n[2]][n[1]][n[0]]. Returns false if all
 * values have one sign. Called from several threads at once. */
typedef bool surface_fill(const void *data, const int low[3], const int n[3], float *value);

/* surface_from_phi for a field that `fill` computes block by block. Only the geometry of `grid` is used. Memory is
 * proportional to the wall area, not to the volume. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int surface_from_blocks(const volume *grid, surface_fill *fill, const void *data, surface *out);

/* Signed distance to a closed surface at the voxel centres of `phi`, mm, negative inside (geometry given, values
 * computed). Exact within band_mm of the surface, +-band_mm elsewhere. The sign is the majority of three rays along the
 * axes; small gaps of the surface are harmless. Errors: ERR_RESOURCE. */
MUST_CHECK int surface_to_phi(const surface *s, double band_mm, volume *phi_mm);

/* Reduces a surface to about `most` triangles; it must have more (quadric error metrics, Garland and Heckbert 1997).
 * Points move; surface_closest_points maps values to them. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int surface_simplify(const surface *s, int64_t most, surface *out);

/* Closes every open end by a fan of triangles around its centroid; a planar end gets a planar lid. *n_filled: number of
 * closed ends. An end that is a ring between two walls gets two lids, one inside the other. The enclosed volume is then
 * right, but the lids are no wall: without `rings` such an end is an error. Errors: ERR_INPUT (ring), ERR_RESOURCE. */
MUST_CHECK int surface_fill_holes(surface *s, bool rings, int *n_filled);
#ifdef __cplusplus
}
#endif
#endif
