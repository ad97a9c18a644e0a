/* SPDX-License-Identifier: Apache-2.0 */
/* Openings and readouts of a case after a treatment.
 *
 * A closed branch takes its opening with it. A stent to a new opening (TIPS) adds an outlet with the pressure of the
 * hepatic vein, and the liver becomes a resistance R_k at each outlet k that has no resistance yet:
 *
 *   R_k = R Q / Q_k            R: resistance of the liver (readout ppg), Q_k: flow before the treatment, Q: their sum
 *
 * so that the flows and the pressures without the stent stay as they were. With constant-pressure an inlet keeps its
 * pressure above the hepatic vein:
 *
 *   p = p_vein + p_before - p_reference      reference: behind the resistances; without them, p_outlet - R Q */
#ifndef PORTAFLOW_TREAT_CONDITIONS_H
#define PORTAFLOW_TREAT_CONDITIONS_H
#include "common/base/must_check.h"
#include "pipeline/run/patient.h"
#include <stdbool.h>

typedef struct {
    bool removed;
    double resistance_pa_s_m3; /* new resistance of an outlet; NaN: the opening keeps its condition */
    double resistance_error;   /* half-width of its 95 % interval, relative; 0: exact */
    double pressure_pa;        /* new pressure of an inlet; NaN: the opening keeps its condition */
} treated_opening;

typedef struct {
    const case_treatment *tips; /* first stent to a new opening; NULL: none */
    treated_opening *opening;   /* [n_opening] of the case before; owned */
} treated_conditions;

/* plan: the treatment (case_read_treatment). Errors: ERR_INPUT (no results or liver before the treatment, a prescribed
 * flow at an outlet, a flow split that names a removed opening), ERR_RESOURCE. */
MUST_CHECK int treat_conditions_find(const patient *before, const case_file *plan, int inflow, treated_conditions *t);
void treat_conditions_free(treated_conditions *t);
#endif
