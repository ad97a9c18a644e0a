/* Shim around VTK: surface files, surfaces from level sets and distances to surfaces (surface_phi.c and surface_holes.c
 * do without VTK). All geometry in LPS mm. */
#ifndef PORTAFLOW_VTK_SURFACE_H
#define PORTAFLOW_VTK_SURFACE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "common/image/volume.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Read STL, VTP, PLY or legacy VTK (ASCII or binary); polygons are split into triangles, coincident points merged.
 * Where not all triangles are wound the same way round, the first of each piece says how; pieces that touch in an edge
 * are two. scale_to_mm: 1 for mm, 10 for cm, 1000 for m. ras: 1 when the file is in RAS (x and y are flipped on
 * reading).
 * Errors: ERR_INPUT (unreadable, no triangle, not finite). */
MUST_CHECK int surface_read(const char *path, double scale_to_mm, int ras, surface *out);

/* surface_frame, also of a VTP or VTK file that says it in the field data "SPACE" (3D Slicer); -1: it says nothing or
 * cannot be read. */
int surface_file_frame(const char *path, int ras, int lps);

/* A .vtp as surface_write makes it, points and triangles as they are, and one array of its points.
 *   value  [n_point][components] out, owned by the caller
 * Errors: as surface_read; ERR_INPUT when it has no such array. */
MUST_CHECK int surface_read_array(const char *path, const char *name, int components, surface *out, double **value);

/* The nearest place of the surface (which has triangles) to each of n points.
 *   point_mm     [n][3]
 *   triangle     [n] out, the triangle it lies in
 *   weight       [n][3] out, of the triangle's corners there
 *   distance_mm  [n] out, how far away it is
 * Errors: ERR_RESOURCE. */
MUST_CHECK int surface_closest(const surface *s, size_t n, const double *point_mm, int64_t *triangle, double *weight,
                               double *distance_mm);

/* One named array of point data for surface_write. */
typedef struct {
    const char *name;    /* with its unit: "wss_pa" */
    int components;      /* 1 or 3 */
    const double *value; /* [n_point][components] */
} surface_array;

/* Write .stl (binary), .vtp or .ply by the ending. Through "<path>.part" and rename.
 * The frame (LPS) and unit (mm) are named in the file (STL header, PLY comment, VTP field
 * data). Errors: ERR_OUTPUT (also another ending, or arrays in other than .vtp), ERR_RESOURCE. */
MUST_CHECK int surface_write(const char *path, const surface *s, int n_array, const surface_array *array);

/* Zero level of phi (negative inside) as a closed surface wound outwards: where the inside reaches the border of the
 * volume it is closed there. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int surface_from_phi(const volume *phi_mm, surface *out);

/* The values of the nodes low .. low + n - 1 of a grid into value [n[2]][n[1]][n[0]]; false where none differs from the
 * others in its sign. Called from several threads at once. */
typedef bool surface_fill(const void *data, const int low[3], const int n[3], float *value);

/* The same surface of a field that is asked for in blocks of the grid (geometry only), so that memory grows with the
 * wall and not with the box. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int surface_from_blocks(const volume *grid, surface_fill *fill, const void *data, surface *out);

/* Signed distance to a closed surface, mm, negative inside, at the voxel centres of `phi` (geometry given, values
 * filled). Exact within band_mm of the surface, +-band_mm further away; inside is what two of three rays along the axes
 * say, so that a small fault of the surface does no harm. Errors: ERR_RESOURCE. */
MUST_CHECK int surface_to_phi(const surface *s, double band_mm, volume *phi_mm);

/* The same shape with about `most` triangles, fewer than it has (quadric error metrics, Garland and Heckbert 1997).
 * Points move: take values to them with surface_closest. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int surface_simplify(const surface *s, int64_t most, surface *out);

/* Close every open end by a fan of triangles round its middle: flat when the end is flat. *n_filled: ends closed.
 * An end that is a ring between two walls gets two lids, one within the other: what they enclose is right (rings: that
 * is enough), but they are no wall. Errors: ERR_INPUT (such an end, without rings), ERR_RESOURCE. */
MUST_CHECK int surface_fill_holes(surface *s, bool rings, int *n_filled);
#ifdef __cplusplus
}
#endif
#endif
