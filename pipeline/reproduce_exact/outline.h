/* SPDX-License-Identifier: Apache-2.0 */
/* A closed polygon as the wall of a cross-section: developed flow through it on a fine grid, and a tube with this
 * section as a surface.
 *   lap w = -1 inside, w = 0 on the polygon;   u / mean u = w / mean w,   dp/dz = mu * mean u / mean w
 * Five-point differences with arms that end on the polygon (Shortley and Weller 1938), over-relaxation. Independent of
 * the profile of `mesh`, for which it is the reference. Test: tests/unit/pipeline/test_outline.c */
#ifndef PORTAFLOW_OUTLINE_H
#define PORTAFLOW_OUTLINE_H
#include "common/base/must_check.h"

typedef struct {
    int n;                     /* number of corners, 3 to 512 */
    const double *x_mm, *y_mm; /* [n] positions of the corners, counter-clockwise, borrowed */
} outline;

typedef struct {
    int nx, ny; /* number of nodes; node (i, j) is at low + step (i, j) */
    double low_mm[2], step_mm;
    double *w_mm2; /* [ny][nx] velocity times viscosity over pressure gradient, 0 outside, owned */
    double area_mm2, mean_mm2;
} outline_flow;

double outline_area_mm2(const outline *o);

/* Solves the flow on a grid of width step_mm. Errors: ERR_USAGE (fewer than 3 corners, more than 512, clockwise),
 * ERR_RESOURCE, ERR_NUMERIC. */
MUST_CHECK int outline_flow_create(outline_flow *f, const outline *o, double step_mm);
void outline_flow_free(outline_flow *f);

/* u / mean u at a point, linear between nodes, 0 outside. */
double outline_flow_value(const outline_flow *f, double x_mm, double y_mm);

/* Writes a binary STL of the wall of a tube of this section along z, open at both ends, edges of about edge_mm along z.
 * Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int outline_write_tube(const outline *o, double low_z_mm, double high_z_mm, double edge_mm,
                                  const char *path);
#endif
