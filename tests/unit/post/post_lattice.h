/* SPDX-License-Identifier: Apache-2.0 */
/* Lattices and fields from formulas, for the tests of post: geometry by a distance function, flow by its exact
 * solution. Independent of mesh and solve. */
#ifndef PORTAFLOW_TESTS_POST_LATTICE_H
#define PORTAFLOW_TESTS_POST_LATTICE_H
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"
#include "common/surface/shape.h"
#include "common/surface/surface.h"

typedef struct {
    const char *name;
    int role;
    double centre_mm[3], normal[3], radius_mm;
} post_opening;

/* Cells of `s` within the box. Aborts the test when memory runs out. */
void post_lattice_make(const shape *s, double spacing_mm, const double low_mm[3], const double high_mm[3],
                       int n_opening, const post_opening *opening, lattice *l);

/* What an exact flow has at a point: velocity m/s, pressure Pa, stress Pa (xx yy zz xy xz yz). */
typedef void (*post_flow)(const double point_mm[3], const void *data, double velocity[3], double *pressure,
                          double stress[6]);
/* Exact values in the cells whose centre is in the fluid, velocity 0 and pressure NaN in the others. */
void post_fields_make(const lattice *l, post_flow flow, const void *data, fields *f);

/* A pipe along z or along any axis, with Poiseuille flow. */
typedef struct {
    double point_mm[3], axis[3]; /* unit */
    double radius_mm, length_mm; /* from point along the axis */
    double mean_m_s, viscosity_pa_s;
} post_pipe;
extern const post_pipe POST_PIPE; /* askew, 14 mm long, 4 mm in radius, 0.1 m/s */
void post_pipe_flow(const double point_mm[3], const void *pipe, double velocity[3], double *pressure, double stress[6]);
double post_pipe_gradient_pa_m(const post_pipe *p); /* 8 mu Umean / R^2 */
/* lattice with openings "in" (inlet, at the point) and "out" (outlet, at the far end) */
void post_pipe_lattice(const post_pipe *p, double cells_per_diameter, lattice *l);
/* its wall as triangles with n round; caps 1: closed by two discs */
void post_pipe_surface(const post_pipe *p, int n, int caps, surface *out);
#endif
