/* A triangle surface in memory, LPS mm. Files are read and written by vtk_surface.h. */
#ifndef PORTAFLOW_SURFACE_H
#define PORTAFLOW_SURFACE_H
#include "common/base/must_check.h"
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Units that a surface's file may have, as a choice, and each in mm. */
#define SURFACE_UNITS "mm|cm|m|in|um"
extern const double surface_units_mm[];

typedef struct {
    int64_t n_point, n_triangle;
    double *point_mm;  /* [n_point][3], LPS, owned */
    int32_t *triangle; /* [n_triangle][3], counter-clockwise seen from outside the lumen, owned */
} surface;

/* Zeroed arrays of these sizes. Errors: ERR_INPUT (more than 2^31 - 1 points or twice as many triangles),
 * ERR_RESOURCE. */
MUST_CHECK int surface_create(surface *s, int64_t n_point, int64_t n_triangle);
void surface_free(surface *s); /* safe on a zeroed struct and twice */
/* Triangle t: its area; `normal` is (b - a) x (c - a), twice as long. */
double surface_triangle_mm2(const surface *s, int64_t t, double normal[3]);
/* Where the line p + x d meets the plane of triangle t: x, in units of d, and the place in the triangle,
 * a + beside[0] (b - a) + beside[1] (c - a), inside it where both and 1 - their sum are above 0. *sign: 1 where the
 * line leaves by the side of the normal. NAN, and nothing set, along the plane.      (Moller and Trumbore 1997) */
double surface_line_meets(const surface *s, int64_t t, const double p[3], const double d[3], double beside[2],
                          int *sign);
double surface_area_mm2(const surface *s);
double surface_volume_mm3(const surface *s);  /* signed; meaningful when closed */
int64_t surface_open_edges(const surface *s); /* edges with one triangle only; -1 (and fail()) without memory */
/* The frame a file names in its head ("SPACE=LPS", as 3D Slicer writes into STL, PLY and VTK): the word the caller uses
 * for it, -1 when it names none or cannot be read. */
int surface_frame(const char *path, int ras, int lps);
void surface_bounds(const surface *s, double low_mm[3], double high_mm[3]); /* +inf, -inf when there is no point */
#ifdef __cplusplus
}
#endif
#endif
