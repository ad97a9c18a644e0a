/* SPDX-License-Identifier: Apache-2.0 */
/* Reynolds numbers of a section of the potential flow with the viscosity at its wall. */
#ifndef PORTAFLOW_SECTION_REYNOLDS_H
#define PORTAFLOW_SECTION_REYNOLDS_H
#include "common/case/case.h"
#include "common/lattice/potential_flow.h"

/* Converts reynolds and peak_cell_reynolds from the viscosity of the case (blood.viscosity_pa_s) to the viscosity of
 * viscosity_law_wall_pa_s. Constant viscosity leaves them unchanged. */
static inline void section_reynolds_at_wall(const case_file *c, potential_flow_section *s) {
    const viscosity_law law = case_viscosity_law(c);
    if (!case_is_shear_thinning(c) || !(s->diameter_mm > 0))
        return;
    const double factor =
        c->blood.viscosity_pa_s / viscosity_law_wall_pa_s(&law, s->velocity_m_s, 1e-3 * s->diameter_mm);
    s->reynolds *= factor;
    s->peak_cell_reynolds *= factor;
}
#endif
