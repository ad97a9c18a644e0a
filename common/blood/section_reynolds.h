/* SPDX-License-Identifier: Apache-2.0 */
/* Reynolds numbers of a section of the potential flow with the viscosity at its wall. */
#ifndef PORTAFLOW_SECTION_REYNOLDS_H
#define PORTAFLOW_SECTION_REYNOLDS_H
#include "common/blood/viscosity_law.h"
#include "common/lattice/potential_flow.h"

/* Converts reynolds and peak_cell_reynolds, computed with nominal_pa_s, to the viscosity of viscosity_law_wall_pa_s.
 * Constant viscosity leaves them unchanged. */
void section_reynolds_at_wall(const viscosity_law *l, double nominal_pa_s, potential_flow_section *s);
#endif
