/* Potential flow through a lattice with prescribed flows: estimates the largest velocity and the minimum cross-section
 * before the solution.
 *   u = -grad phi, laplace phi = 0 in the fluid, no flux through walls
 * Finite volumes with the open part of each cell face (linear wall distance), second order (Ng, Min, Gibou 2009).
 *
 * A cross-section is a surface of constant phi across the vessel. Its mean velocity is computed from the cells within
 * two spacings (coarea formula): A = sum |u| dV w(phi), Q = sum |u|^2 dV w(phi), w a hat function of integral 1. In a
 * slowly varying vessel it is Q over the area; at a sudden step it is the velocity of the contracted jet. There is no
 * boundary layer: the peak of a developed profile is twice the mean. */
#ifndef PORTAFLOW_POTENTIAL_FLOW_H
#define PORTAFLOW_POTENTIAL_FLOW_H
#include "common/base/must_check.h"
#include "common/lattice/laplace.h"
#include "common/lattice/lattice.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double tolerance;   /* of the residual (laplace.h); 0: 1e-4 */
    double nu_m2_s;     /* kinematic viscosity */
    double peak_factor; /* peak over mean velocity for peak_cell_reynolds; 0: 2 */
    /* [n_opening] flow into the fluid of largest magnitude over the cycle; NaN: pressure opening (all pressure openings
     * share one pressure); 0: moving wall */
    const double *flow_m3_s;
    float *velocity_m_s; /* NULL, or [n_cell][3] out; 0 in cells without flow */
} potential_flow_input;

/* A cross-section of the vessel, or an opening. */
typedef struct {
    int opening;         /* index of the opening; -1: inner cross-section */
    double place_mm[3];  /* LPS, centre */
    double flow_m3_s;    /* flow through it, >= 0 */
    double velocity_m_s; /* mean velocity */
    double area_mm2;     /* flow / velocity */
    /* diameter of the circle of that area; flat cross-sections: hydraulic diameter, about 1.5 times the gap */
    double diameter_mm;
    double cells_across;       /* diameter / spacing */
    double reynolds;           /* velocity diameter / nu */
    double peak_cell_reynolds; /* peak_factor velocity spacing / nu */
} potential_flow_section;

typedef struct {
    /* false, and all other fields unset: no prescribed flow, no pressure opening for it, or cells not connected by
     * faces (a vessel of about one cell width) */
    bool known;
    /* largest velocity of any fully fluid cell away from openings; at sharp edges it depends on the resolution */
    double velocity_m_s;
    int64_t cell;       /* cell of the largest velocity */
    double place_mm[3]; /* LPS */
    /* cross-section with the largest mean velocity; determines time step and resolution */
    potential_flow_section fastest;
    /* cross-section with the smallest diameter that carries at least half of the smallest prescribed flow */
    potential_flow_section narrowest;
    laplace_report report; /* report of the linear solver */
} potential_flow_result;

/* Errors: ERR_RESOURCE. A residual above the tolerance is not an error. Bitwise equal for any number of threads. Test:
 * tests/unit/mesh/test_potential_flow.c */
MUST_CHECK int potential_flow(const lattice *l, const potential_flow_input *in, potential_flow_result *out);

#ifdef __cplusplus
}
#endif
#endif
