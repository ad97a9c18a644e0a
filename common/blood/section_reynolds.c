/* SPDX-License-Identifier: Apache-2.0 */
#include "common/blood/section_reynolds.h"

void section_reynolds_at_wall(const viscosity_law *l, double nominal_pa_s, potential_flow_section *s) {
    if (l->model == VISCOSITY_NEWTONIAN || !(s->diameter_mm > 0))
        return;
    const double factor = nominal_pa_s / viscosity_law_wall_pa_s(l, s->velocity_m_s, 1e-3 * s->diameter_mm);
    s->reynolds *= factor;
    s->peak_cell_reynolds *= factor;
}
