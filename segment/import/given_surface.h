/* SPDX-License-Identifier: Apache-2.0 */
/* A lumen supplied as a surface. */
#ifndef PORTAFLOW_SEGMENT_GIVEN_SURFACE_H
#define PORTAFLOW_SEGMENT_GIVEN_SURFACE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"

typedef struct {
    int filled;        /* number of open ends that were closed */
    int turned;        /* number of pieces whose orientation was reversed; most are holes in the lumen */
    double spacing_mm; /* spacing of phi */
} given_surface_report;

/* Read and check a surface. path: STL, VTP, PLY or VTK. unit_mm: unit of the file. ras 1: the file is in RAS; 0: it is
 * in LPS. spacing_mm: spacing of phi; NaN: half of the median edge of a triangle, limited to 1/16 to 1/8 of the
 * vessel's radius. The spacing is enlarged to keep phi below 20 million voxels; near the wall mesh uses the triangles.
 * image: if not NULL, half of the surface's points must be inside it. wall: out, closed, LPS mm. phi: out, signed
 * distance, mm. Errors: ERR_INPUT (unreadable, cannot be closed, intersects itself, implausible size, outside the
 * image), ERR_RESOURCE. */
MUST_CHECK int given_surface_read(const char *path, double unit_mm, int ras, double spacing_mm, const volume *image,
                                  surface *wall, volume *phi, given_surface_report *report);

/* Refuse a closed wall whose parts touch or overlap. path: name in messages. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int given_surface_check_parts(const char *path, const surface *wall);

/* Part of the wall's points inside an image, 0 to 1. */
double given_surface_part_inside(const surface *wall, const volume *image);
#endif
