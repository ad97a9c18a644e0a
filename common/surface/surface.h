/* SPDX-License-Identifier: Apache-2.0 */
/* A triangle surface in memory, LPS mm. File access: vtk_surface.h. */
#ifndef PORTAFLOW_SURFACE_H
#define PORTAFLOW_SURFACE_H
#include "common/base/must_check.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Units of surface files; surface_units_mm: size of each unit in mm. */
#define SURFACE_UNITS "mm|cm|m|in|um"
extern const double surface_units_mm[];

typedef struct {
    int64_t n_point, n_triangle;
    double *point_mm;  /* [n_point][3] positions, LPS, owned */
    int32_t *triangle; /* [n_triangle][3] corners, counter-clockwise seen from outside the lumen, owned */
} surface;

/* Allocates zeroed arrays of these sizes. Errors: ERR_INPUT (more than 2^31 - 1 points or twice this number of
 * triangles), ERR_RESOURCE. */
MUST_CHECK int surface_create(surface *s, int64_t n_point, int64_t n_triangle);
void surface_free(surface *s); /* safe on a zeroed struct and twice */
/* Area of triangle t; `normal` becomes (b - a) x (c - a), whose length is twice the area. */
double surface_triangle_mm2(const surface *s, int64_t t, double normal[3]);
/* Intersection of the line p + x d with the plane of triangle t: returns x, NAN if they are parallel (then nothing is
 * set). uv: the point is a + uv[0] (b - a) + uv[1] (c - a); it is inside the triangle where uv[0], uv[1] and 1 - uv[0]
 * - uv[1] are positive. *sign: 1 if d points along the normal, else -1. (Moller and Trumbore 1997) */
double surface_line_meets(const surface *s, int64_t t, const double p[3], const double d[3], double uv[2], int *sign);
double surface_area_mm2(const surface *s);
double surface_volume_mm3(const surface *s); /* volume of a closed surface; negative if its normals point inwards */
/* number of edges that belong to only one triangle; -1 (and fail()) without memory */
int64_t surface_open_edges(const surface *s);
/* Returns `ras` or `lps`, the frame that the head of a file states ("SPACE=LPS", which 3D Slicer writes into STL, PLY
 * and VTK); -1: the frame is not stated, or the file is unreadable. */
int surface_stated_frame(const char *path, int ras, int lps);
/* smallest box around all points; +inf and -inf without points */
void surface_bounds(const surface *s, double low_mm[3], double high_mm[3]);
#ifdef __cplusplus
}
#endif
#endif
