/* SPDX-License-Identifier: Apache-2.0 */
/* Developed profiles of shear-thinning blood at openings with a prescribed flow. */
#ifndef PORTAFLOW_SHEAR_INLETS_H
#define PORTAFLOW_SHEAR_INLETS_H
#include "common/blood/viscosity_law.h"
#include "solve/boundary/boundary_values.h"

/* Replaces profile_developed of the openings of l that prescribe a flow: the profile of constant viscosity, which mesh
 * stores, becomes the profile of the law at the mean flow (common/blood/shear_profile.h). Openings without a mean flow,
 * and openings with hardly any wall (SHEAR_PROFILE_PEAK), keep the stored profile. Test:
 * tests/unit/solve/test_blood_stage.c */
void shear_inlets_set(const viscosity_law *law, const boundary_values *g, lattice *l);
#endif
