/* SPDX-License-Identifier: Apache-2.0 */
/* Openings and readouts of a case after a treatment.
 *
 * The opening of a closed branch is removed. A stent to a new opening (TIPS) adds an outlet with the pressure of the
 * hepatic vein, or a resistance against it. If the outlets have no resistances, the liver becomes a resistance R_k at
 * each outlet k that is no collateral:
 *
 *   R_k = (p_k - p_reference) / Q_k     p_k, Q_k: pressure and flow before the treatment
 *   p_reference = sum(Q_k p_k) / Q - R Q     Q: sum of Q_k; R: resistance of the liver (readout ppg)
 *
 * so that the flows and the pressure differences without the stent stay as they were. With outlets that have
 * resistances, p_reference is the mean pressure behind them, weighted with the flows. A collateral gets no
 * new resistance. The pressure at its end, or behind its resistance, keeps its difference to p_reference:
 *
 *   p = p_vein + p_before - p_reference
 *
 * Without such a stent the liver loses the part that a closed branch supplied (case_lose_liver). Its share equals its
 * share of the flow through the liver before the treatment, because all parts have about the same pressure drop. This
 * is the time right after the closure, without collaterals between the parts of the liver. If the share is unknown, or
 * the liver has compartments, which do have such collaterals, a serious warning says so.
 *
 * Key `inflow` of the treatment file: with the value constant, an inlet without a given flow gets the flow that it had
 * before the treatment. With the value constant-pressure, an inlet keeps its pressure like a collateral. With the value
 * source, an inlet keeps its resistance, and its source pressure like a collateral: the inflow is between both. */
#ifndef PORTAFLOW_TREAT_CONDITIONS_H
#define PORTAFLOW_TREAT_CONDITIONS_H
#include "common/base/must_check.h"
#include "pipeline/run/patient.h"
#include <stdbool.h>

typedef struct {
    bool removed;
    double resistance_pa_s_m3; /* new resistance of an outlet; NaN: the opening keeps its condition */
    double resistance_error;   /* half-width of its 95 % interval, relative; 0: exact */
    /* new pressure of an inlet, of the source of an inlet with a resistance, at or behind a collateral; NaN: none */
    double pressure_pa;
    bool keeps_resistance; /* true: an inlet keeps its resistance in front of this source pressure */
    double flow_ml_s;      /* new flow of an inlet; NaN: none */
} treated_opening;

typedef struct {
    const case_treatment *tips; /* first stent to a new opening; NULL: none */
    treated_opening *opening;   /* [n_opening] one for each opening of the case before the treatment; owned */
    /* [n_readout] share of the liver without portal blood after the treatment, 0 to below 1; 0: the treatment changes
     * no share; owned */
    lobule_quantity *lost_share;
} treated_conditions;

/* plan: the treatment (case_read_treatment). Errors: ERR_RESOURCE; ERR_INPUT for
 *   a closed branch in a case with shares, territories or split.mean_pressure
 *   an inflow other than constant without a stent to a new opening
 *   such a stent without valid results or a liver before the treatment, with both a liver and resistances at the
 *   outlets, with a prescribed flow at an outlet, with split.mean_pressure, with a flow against the role of an opening,
 *   or with an inlet that has no condition for `inflow` to keep */
MUST_CHECK int treat_conditions_find(const patient *before, const case_file *plan, int inflow, treated_conditions *t);
void treat_conditions_free(treated_conditions *t);
#endif
