/* A lumen the user brings as a surface. */
#ifndef PORTAFLOW_SEGMENT_GIVEN_SURFACE_H
#define PORTAFLOW_SEGMENT_GIVEN_SURFACE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"

typedef struct {
    int filled;        /* open ends that were closed */
    int turned;        /* pieces whose inside was out: holes in the lumen, mostly */
    double spacing_mm; /* of phi */
} given_surface_report;

/* path: STL, VTP, PLY or VTK; unit_mm: its unit; ras: its frame is RAS, otherwise LPS. spacing_mm: wanted for phi,
 * NaN: half the usual edge of a triangle, within an eighth and a sixteenth of the radius (and no more than 20 million
 * voxels). Near the wall mesh takes the triangles themselves. image: the surface must lie within it,
 * or NULL. wall: out, closed, LPS mm; phi: out, its true distance. Errors: ERR_INPUT (unreadable, cannot be closed,
 * intersects itself, size that no vessel has, outside the image), ERR_RESOURCE. */
MUST_CHECK int given_surface_read(const char *path, double unit_mm, int ras, double spacing_mm, const volume *image,
                                  surface *wall, volume *phi, given_surface_report *report);

/* Part of the wall's points that lies in an image, 0 to 1. */
double given_surface_within(const surface *wall, const volume *image);
#endif
