/* SPDX-License-Identifier: Apache-2.0 */
/* Reynolds numbers of a section of the potential flow with the viscosity at its wall. */
#ifndef PORTAFLOW_SECTION_REYNOLDS_H
#define PORTAFLOW_SECTION_REYNOLDS_H
#include "common/blood/viscosity_law.h"
#include "common/lattice/potential_flow.h"

/* Converts reynolds and peak_cell_reynolds of s from the viscosity nominal_pa_s to the viscosity that the law gives at
 * the wall (viscosity_law_wall_pa_s). Constant viscosity leaves them unchanged. */
static inline void section_reynolds_at_wall(const viscosity_law *law, double nominal_pa_s, potential_flow_section *s) {
    if (law->model == VISCOSITY_NEWTONIAN || !(s->diameter_mm > 0))
        return;
    const double factor = nominal_pa_s / viscosity_law_wall_pa_s(law, s->velocity_m_s, 1e-3 * s->diameter_mm);
    s->reynolds *= factor;
    s->peak_cell_reynolds *= factor;
}
#endif
