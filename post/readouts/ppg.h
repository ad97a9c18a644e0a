/* SPDX-License-Identifier: Apache-2.0 */
/* Portal pressure gradient: pressure in the portal vein minus pressure in the inferior vena cava, as a list of terms.
 *
 * Each term is resolved (a pressure difference of the computed flow) or modelled (the liver: a resistance times the
 * flow through it). Without a liver model the value is NaN and a note gives the reason. */
#ifndef PORTAFLOW_POST_READOUTS_PPG_H
#define PORTAFLOW_POST_READOUTS_PPG_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "post/readouts/notes.h"
#include "post/readouts/readout_place.h"

enum { PPG_TERMS = 3, PPG_NAME = 96 };
enum ppg_kind { PPG_RESOLVED, PPG_MODELLED };

typedef struct {
    char name[PPG_NAME];
    enum ppg_kind kind;
    double value_pa;                      /* value of the term; NaN: unknown */
    double resistance_pa_s_m3, flow_ml_s; /* of a modelled term: resistance and flow; NaN: the term is not modelled */
    /* of a modelled term: half-widths of the 95 % intervals of resistance and flow; 0: assumed exact; flow NaN:
     * unknown */
    double resistance_error_pa_s_m3, flow_error_ml_s;
    const case_readout *liver; /* of a modelled term: the readout of the case, borrowed; NULL: resolved */
} ppg_term;

typedef struct {
    const char *portal, *cava; /* names of the two places, borrowed; cava NULL: not in the model */
    bool liver_outlets;        /* true: the resistances of the outlets represent the liver, so the computed flow
                                * depends on them */
    double value_pa;           /* sum of all terms; NaN if a term is unknown */
    /* gradient measured by catheter, from the case, and half-width of its 95 % interval, 0: not given; no term depends
     * on it; NaN: not measured */
    double measured_pa, measured_error_pa;
    int n_term;
    ppg_term term[PPG_TERMS];
} ppg;

/* Forms the terms. They depend on where portal vein and cava are. "outlets" and "inlets" are the outlets and inlets of
 * the flow model:
 *   no cava in the model                portal to the outlets (resolved); liver (modelled)
 *   cava in a separate piece of lumen   portal to the outlets (resolved); liver (modelled); inlets of the cava's piece
 *                                       to the cava (resolved)
 *   portal and cava in one piece        portal to cava (resolved); liver (modelled, added)
 *   in one piece, liver model outlets   portal to cava (resolved), with the liver as resistances of the outlets. If the
 *                                       cava is an outlet with a resistance, the gradient ends behind the resistance
 *
 * The pressure of several outlets or inlets is their mean weighted by flow. Errors: ERR_RESOURCE. */
MUST_CHECK int ppg_form(int n, const place *p, const case_readout *readout, ppg *out, notes *why);
/* Kind of a term in readouts.json and in the report: "resolved", "modelled", or "from assumptions" if the liver is at
 * the outlets. */
const char *ppg_kind_name(const ppg *g, const ppg_term *t);
/* What a term rests on besides the computed flow: the law of the liver, or the assumptions; NULL: resolved, or no model
 * of the liver. */
const char *ppg_basis(const ppg *g, const ppg_term *t);
/* Half-width of the 95 % interval of a modelled term, Pa, due to the uncertainties of the resistance and of the
 * prescribed flows: root sum of squares of both parts. A part of unknown size counts as 0. No grid sequence is needed,
 * because a modelled term is a product of resistance and flow. 0 for a resolved term. */
double ppg_inputs_pa(const ppg_term *t);
#endif
