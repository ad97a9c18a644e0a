/* SPDX-License-Identifier: Apache-2.0 */
/* Potential flow through a lattice with given flows through its openings. It estimates the velocity and finds the
 * minimum cross-section before a flow is solved.
 *
 *   u = -grad phi, laplace phi = 0 in the fluid, no flux through walls                                           (1)
 *   section: a surface of constant phi across the vessel
 *   area A = sum |u| dV w(phi), flow Q = sum |u|^2 dV w(phi), w a hat function of integral 1 (coarea formula)    (2)
 *
 * Discretization of (1): finite volumes, second order (Ng, Min, Gibou 2009). The open fraction of each cell face
 * follows from the signed distance by linear interpolation. The sums (2) run over the cells within two spacings of the
 * section. The mean velocity of a section is Q / A. In a slowly varying vessel it equals the flow over the area of the
 * plane cross-section. At a sudden step it changes smoothly along the vessel, as in a contracting jet. Potential flow
 * has no boundary layer, so the peak velocity is estimated as peak_factor times the mean (2: developed pipe flow). */
#ifndef PORTAFLOW_POTENTIAL_FLOW_H
#define PORTAFLOW_POTENTIAL_FLOW_H
#include "common/base/must_check.h"
#include "common/lattice/laplace.h"
#include "common/lattice/lattice.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double tolerance;   /* residual at which the iteration ends (laplace.h); 0: 1e-4 */
    double nu_m2_s;     /* kinematic viscosity */
    double peak_factor; /* peak over mean velocity, used for peak_cell_reynolds; 0: the value 2 */
    /* [n_opening] flow into the fluid, m3/s, the value of largest magnitude in time; 0 for a moving wall. NaN: an
     * opening with a prescribed pressure, whose flow is part of the solution. All such openings have the same
     * pressure. */
    const double *flow_m3_s;
    float *velocity_m_s; /* out [n_cell][3] velocity, 0 in cells that no flow reaches; may be NULL */
} potential_flow_input;

/* One section of the vessel, or an opening. */
typedef struct {
    int opening;         /* index of the opening; -1: the section is inside the vessel */
    double place_mm[3];  /* centroid, LPS */
    double flow_m3_s;    /* flow through the section, >= 0 */
    double velocity_m_s; /* mean velocity */
    double area_mm2;     /* area of the section: flow / velocity */
    /* diameter of the circle with this area; for a flat section the hydraulic diameter: inside the vessel the hydraulic
     * diameter of an ellipse (about 1.5 gap widths), at an opening from its perimeter */
    double diameter_mm;
    double cells_per_diameter; /* diameter / spacing */
    double reynolds;           /* Reynolds number: velocity diameter / nu */
    double peak_cell_reynolds; /* peak cell Reynolds number: peak_factor velocity spacing / nu */
} potential_flow_section;

typedef struct {
    /* false: there is no result, because no flow was given, no opening lets the flow out, or the cell faces do not
     * connect the openings (a vessel about one cell wide) */
    bool known;
    /* largest velocity in cells that have no solid part and are away from openings; at sharp edges it depends on the
     * spacing */
    double velocity_m_s;
    int64_t cell;                   /* cell with the largest velocity */
    double place_mm[3];             /* centre of this cell, LPS */
    potential_flow_section fastest; /* section with the largest mean velocity, which determines time step and spacing */
    /* section with the smallest diameter, of all sections with at least half of the smallest flow through an opening */
    potential_flow_section narrowest;
    laplace_report report; /* report of the linear solver */
} potential_flow_result;

/* Solves the potential flow and finds its sections. Errors: ERR_RESOURCE. A residual above the tolerance is not an
 * error. The result is bitwise independent of the number of threads. Test: tests/unit/mesh/test_potential_flow.c */
MUST_CHECK int potential_flow(const lattice *l, const potential_flow_input *in, potential_flow_result *out);

#ifdef __cplusplus
}
#endif
#endif
