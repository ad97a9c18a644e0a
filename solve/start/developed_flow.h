/* SPDX-License-Identifier: Apache-2.0 */
/* Guess of a steady flow: fully developed everywhere (lubrication theory, no inertia).
 *   laplace w = -1, w = 0 on the wall, zero slope at openings         (m2; in a tube (R^2 - r^2) / 4)
 *   div (w grad p) = 0 with the prescribed flows and pressures        u = -w / mu grad p
 * In porous cells of permeability K the first equation is laplace w - w / K = -1 (Darcy-Brinkman).
 * Exact in a straight vessel of any cross-section. Finite volumes on the cells with the centre in the fluid; wall
 * conductances use the wall distance (Gibou, Fedkiw, Cheng, Kang 2002). */
#ifndef PORTAFLOW_DEVELOPED_FLOW_H
#define PORTAFLOW_DEVELOPED_FLOW_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"

typedef struct {
    double viscosity_pa_s;
    const double *flow_m3_s;       /* [n_opening] prescribed flow into the fluid; NaN: a pressure opening */
    const double *pressure_pa;     /* [n_opening] prescribed pressure of each pressure opening */
    int n_porous;                  /* number of porous regions; lattice.region k + 1 is region k */
    const double *permeability_m2; /* [n_porous] */
} developed_input;

/* Computes the guess. f: pressure, velocity and viscous stress at the cells of l; caller frees. In cells with the
 * centre in the wall, or not connected to a pressure opening, the pressure is NaN and all other values are 0. *known is
 * false, and f empty, in three cases: moving walls, no pressure opening, or a prescribed flow that no pressure opening
 * is connected with. Errors: ERR_RESOURCE. Test: tests/unit/solve/test_developed_flow.c */
MUST_CHECK int developed_flow(const lattice *l, const developed_input *in, fields *f, bool *known);
#endif
