/* Potential flow through a lattice with given flows through its openings. It estimates the velocity and finds the
 * minimum cross-section before a flow is solved.
 *
 *   u = -grad phi, laplace phi = 0 in the fluid, no flux through walls                                           (1)
 *   section: a surface of constant phi across the vessel
 *   area A = sum |u| dV w(phi), flow Q = sum |u|^2 dV w(phi), w a hat function of integral 1 (coarea formula)    (2)
 *
 * Discretization of (1): finite volumes with the open part of each cell face from a linear distance, second order (Ng,
 * Min, Gibou 2009). The sums (2) run over the cells within two spacings. The mean velocity of a section is Q / A. In a
 * slowly varying vessel this is the flow over the cross-section; at a sudden step it is the smooth contraction of a
 * jet. Potential flow has no boundary layer: the peak of a developed profile is 2 times the mean. */
#ifndef PORTAFLOW_POTENTIAL_FLOW_H
#define PORTAFLOW_POTENTIAL_FLOW_H
#include "common/base/must_check.h"
#include "common/lattice/laplace.h"
#include "common/lattice/lattice.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double tolerance;   /* limit of the residual (laplace.h); 0: 1e-4 */
    double nu_m2_s;     /* kinematic viscosity */
    double peak_factor; /* peak over mean velocity, for peak_cell_reynolds; 0: 2 */
    /* [n_opening] flow into the fluid, of the largest magnitude in time. NaN: an opening with a given
     * pressure; its flow is part of the solution. All these openings share one pressure. Moving wall: 0. */
    const double *flow_m3_s;
    float *velocity_m_s; /* output [n_cell][3] or NULL; 0 in cells that no flow reaches */
} potential_flow_input;

/* One section of the vessel, or an opening. */
typedef struct {
    int opening;         /* index of the opening, -1: a section inside the vessel */
    double place_mm[3];  /* LPS, centroid */
    double flow_m3_s;    /* >= 0 */
    double velocity_m_s; /* mean velocity */
    double area_mm2;     /* flow / velocity */
    /* diameter of the circle of this area; for a flat section its hydraulic diameter, about 1.5 gap widths */
    double diameter_mm;
    double cells_per_diameter; /* diameter / spacing */
    double reynolds;           /* velocity diameter / nu */
    double peak_cell_reynolds; /* peak_factor velocity spacing / nu */
} potential_flow_section;

typedef struct {
    /* false: no result. No flow was given, no opening lets it out, or the cell faces do not connect the openings (a
     * vessel about one cell wide). */
    bool known;
    /* largest velocity in cells without solid part and away from openings; depends on the spacing at sharp edges */
    double velocity_m_s;
    int64_t cell;                   /* cell with this velocity */
    double place_mm[3];             /* LPS, centre of this cell */
    potential_flow_section fastest; /* section of the largest mean velocity: time step and spacing are chosen for it */
    /* section of the smallest diameter, among sections with >= half of the smallest given flow */
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
