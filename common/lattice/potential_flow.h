/* Potential flow through a lattice with given flows through its openings: how fast the blood will be, and where the
 * vessel is narrowest, before anything is solved.
 *
 *   u = -grad phi, laplace phi = 0 in the fluid, no flux through walls; finite volumes with the open part of each face
 *   of a cell (linear distance), second order (Ng, Min, Gibou 2009)
 *
 * A section is a surface of constant phi, across the whole vessel at that place. Its mean velocity is the mean of |u|
 * over it; it is found from the cells within two spacings, A = sum |u| dV w(phi), Q = sum |u|^2 dV w(phi) (coarea
 * formula, w a hat of integral 1). In a vessel that changes slowly it is Q over the area; at a sudden step it is the
 * smooth contraction of a jet. Potential flow has no boundary layer: the peak of a developed profile is 2 times the
 * mean. */
#ifndef PORTAFLOW_POTENTIAL_FLOW_H
#define PORTAFLOW_POTENTIAL_FLOW_H
#include "common/base/must_check.h"
#include "common/lattice/laplace.h"
#include "common/lattice/lattice.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double tolerance;   /* 0: 1e-4, of the residual (laplace.h) */
    double nu_m2_s;     /* kinematic viscosity */
    double peak_factor; /* 0: 2; peak over mean velocity in peak_cell_reynolds */
    /* [n_opening] into the fluid, of largest size in time; NaN: an opening of given pressure, which lets through what
     * comes (all of these share one pressure). A moving wall: 0. */
    const double *flow_m3_s;
    float *velocity_m_s; /* NULL, or [n_cell][3] out; 0 in cells that no flow reaches */
} potential_flow_input;

/* One section of the vessel, or an opening. */
typedef struct {
    int opening;         /* index of the opening that it is, -1: a section within */
    double place_mm[3];  /* LPS, its middle */
    double flow_m3_s;    /* through it, >= 0 */
    double velocity_m_s; /* mean */
    double area_mm2;     /* flow / velocity */
    double diameter_mm;  /* of the circle of that area; of a flat section the hydraulic one, about 1.5 of its gap */
    double cells_across; /* diameter / spacing */
    double reynolds;     /* velocity diameter / nu */
    double peak_cell_reynolds; /* peak_factor velocity spacing / nu */
} potential_flow_section;

typedef struct {
    /* false: nothing below was found, since no flow was given, no opening lets it out, or faces of cells do not connect
     * them (a vessel about one cell wide) */
    bool known;
    double velocity_m_s; /* largest of any cell without solid, away from openings; at sharp edges the resolution's */
    int64_t cell;        /* where */
    double place_mm[3];  /* LPS */
    potential_flow_section fastest; /* of the largest mean velocity: the one that step and resolution are chosen for */
    potential_flow_section narrowest; /* of the smallest diameter with at least half of the smallest given flow */
    laplace_report report;            /* of the iteration */
} potential_flow_result;

/* Errors: ERR_RESOURCE. That the iteration ends above the tolerance is no error. The same to the bit for any number of
 * threads. Test: tests/unit/mesh/test_potential_flow.c */
MUST_CHECK int potential_flow(const lattice *l, const potential_flow_input *in, potential_flow_result *out);

#ifdef __cplusplus
}
#endif
#endif
