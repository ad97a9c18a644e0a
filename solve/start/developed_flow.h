/* A guess of a steady flow: developed everywhere.
 *
 *   laplace w = -1, w = 0 on the wall, its slope 0 at openings        (m2; in a tube (R^2 - r^2) / 4)
 *   div (w grad p) = 0 with the given flows and pressures             u = -w / mu grad p
 *
 * In a straight vessel of any cross-section that is the developed flow itself; in one that changes slowly the local
 * one (lubrication); the blood's inertia is left out. Finite volumes on the cells whose centre is in the fluid,
 * conductances of walls over the distance of the wall (Gibou, Fedkiw, Cheng, Kang 2002). */
#ifndef PORTAFLOW_DEVELOPED_FLOW_H
#define PORTAFLOW_DEVELOPED_FLOW_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"

typedef struct {
    double viscosity_pa_s;
    const double *flow_m3_s;   /* [n_opening] into the fluid; NaN: an opening of given pressure */
    const double *pressure_pa; /* [n_opening] of those */
} developed_input;

/* f: pressure, velocity and viscous stress of the cells of l, owned by the caller; of a cell whose centre is in the
 * wall, and of one from which no opening of given pressure is reached, pressure NaN and the rest 0.
 * known: a flow was found, f is empty otherwise (walls that move, no opening of given pressure).
 * Errors: ERR_RESOURCE. Test: tests/unit/solve/test_developed_flow.c */
MUST_CHECK int developed_flow(const lattice *l, const developed_input *in, fields *f, bool *known);
#endif
