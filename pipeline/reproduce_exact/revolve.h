/* SPDX-License-Identifier: Apache-2.0 */
/* A surface of revolution around a straight axis, given as a polygon in the half plane. Binary STL in mm, open at both
 * ends, normals out of the lumen. Every ring has the area of its circle, so that polygons do not narrow the tube. Test:
 * tests/unit/pipeline/test_revolve.c */
#ifndef PORTAFLOW_REVOLVE_H
#define PORTAFLOW_REVOLVE_H
#include "common/base/must_check.h"

typedef struct {
    int n;                     /* number of corners of the wall along the axis, 2 or more */
    const double *z_mm, *r_mm; /* [n] position on the axis, ascending (equal positions make a step); radius > 0 */
    double turn_deg;           /* angle of the axis, which is (sin, 0, cos) through the origin */
    int around;                /* number of corners per ring, 8 to 4096 */
    double edge_mm;            /* upper limit of an edge along the wall */
} revolve;

/* Writes the surface between successive rings as binary STL. point [n_ring][around][3]: corners of the rings, mm;
 * counter-clockwise seen from the last ring gives normals out of the lumen. title: header of the file, up to 79
 * characters; with another title existing results are computed again, because the checksum of the file changes.
 * Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int revolve_write_rings(int n_ring, int around, float (*point)[3], const char *title, const char *path);

/* Writes the surface as STL. Errors: ERR_USAGE (a number out of its range), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int revolve_write(const revolve *v, const char *path);
#endif
