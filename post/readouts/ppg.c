/* SPDX-License-Identifier: Apache-2.0 */
#include "post/readouts/ppg.h"
#include "common/lattice/lattice.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* the flow through a section counts as the whole inflow of its piece of lumen if they differ by less than this fraction
 * of the inflow */
static const double SAME_FLOW = 0.005;

/* Openings of one role in one piece of lumen, except collaterals and the places not_a and not_b: their number, total
 * flow, and mean pressure weighted by flow. */
typedef struct {
    int n;
    double flow_ml_s, pressure_pa;
} group;
static group group_of(int n, const place *p, int role, int piece, const place *not_a, const place *not_b) {
    group g = {0};
    double weighted = 0, plain = 0;
    for (int k = 0; k < n; k++) {
        if (p[k].role != role || p[k].piece != piece || &p[k] == not_a || &p[k] == not_b || p[k].collateral)
            continue;
        g.n++;
        g.flow_ml_s += p[k].flow_ml_s;
        weighted += p[k].flow_ml_s * p[k].pressure_pa;
        plain += p[k].pressure_pa;
    }
    g.pressure_pa = g.n == 0 ? NAN : (g.flow_ml_s > 0 ? weighted / g.flow_ml_s : plain / g.n);
    if (g.n == 0)
        g.flow_ml_s = NAN;
    return g;
}

/* Half-width of the 95 % interval of the total flow of group_of(), mL/s. If all flows of the group are prescribed, it
 * follows from the errors of these flows. Otherwise it follows from the errors of the other flows of the piece, because
 * the flows of both groups balance. NaN if one of the other flows is not prescribed. */
static double flow_error_of(int n, const place *p, int role, int piece, const place *not_a, const place *not_b) {
    bool given[2] = {true, true};
    double square[2] = {0, 0};
    for (int k = 0; k < n; k++) {
        const bool own = p[k].role == role && &p[k] != not_a && &p[k] != not_b && !p[k].collateral;
        if (p[k].piece != piece || (p[k].role != LATTICE_INLET && p[k].role != LATTICE_OUTLET))
            continue;
        given[own] &= p[k].flow_given;
        square[own] += p[k].flow_error_ml_s * p[k].flow_error_ml_s;
    }
    return given[true] ? sqrt(square[true]) : given[false] ? sqrt(square[false]) : NAN;
}

double ppg_inputs_pa(const ppg_term *t) {
    const double flow = t->resistance_pa_s_m3 * t->flow_error_ml_s;
    if (t->kind != PPG_MODELLED || !isfinite(t->value_pa))
        return 0;
    return 1e-6 * hypot(t->resistance_error_pa_s_m3 * t->flow_ml_s, isfinite(flow) ? flow : 0);
}

static void add_term(ppg *out, enum ppg_kind kind, const char *name, double value_pa) {
    ppg_term *t = &out->term[out->n_term++];
    *t = (ppg_term){.kind = kind, .value_pa = value_pa, .resistance_pa_s_m3 = NAN, .flow_ml_s = NAN};
    snprintf(t->name, sizeof t->name, "%s", name);
}

static int add_liver(ppg *out, const case_readout *given, double flow_ml_s, double flow_error_ml_s, notes *why) {
    const double resistance = given->liver_resistance;
    int rc = OK;
    add_term(out, PPG_MODELLED, "liver", NAN);
    ppg_term *t = &out->term[out->n_term - 1];
    t->liver = given;
    t->resistance_pa_s_m3 = resistance;
    t->resistance_error_pa_s_m3 = given->liver_error;
    t->flow_ml_s = flow_ml_s;
    t->flow_error_ml_s = flow_error_ml_s;
    if (given->compartments && !isfinite(resistance))
        TRY(notes_add(why, "ppg of '%s': the term of the liver has no value, because %s", out->portal,
                      given->compartments->no_value));
    else if (!isfinite(resistance))
        TRY(notes_add(why,
                      "ppg of '%s': the case has no liver model, so there is no portal pressure gradient; set ppg: "
                      "liver: {model: resistance, value: ...}",
                      out->portal));
    else if (!isfinite(flow_ml_s) || flow_ml_s <= 0)
        TRY(notes_add(why, "ppg of '%s': the flow through the liver is %s, so the term of the liver has no value",
                      out->portal, isfinite(flow_ml_s) ? "not positive" : "not known"));
    else
        t->value_pa = resistance * flow_ml_s * 1e-6;
cleanup:
    return rc;
}

static int form_apart(int n, const place *p, const place *portal, const place *cava, const case_readout *given,
                      ppg *out, notes *why) {
    int rc = OK;
    if (given->liver_outlets)
        return notes_add(
            why,
            "ppg of '%s': with liver: {model: outlets} the key cava must name an opening or section of the same "
            "piece of lumen, such as the end of a stent; without it there is no gradient",
            out->portal);
    const place *inside = portal->role == LATTICE_OUTLET ? NULL : portal; /* an outlet: its flow reaches the liver */
    group outlets = group_of(n, p, LATTICE_OUTLET, portal->piece, inside, cava);
    add_term(out, PPG_RESOLVED, "portal tree", portal->pressure_pa - outlets.pressure_pa);
    if (outlets.n == 0)
        TRY(notes_add(
            why,
            "ppg of '%s': no outlet is connected with it, so the flow into the liver is unknown; check the outlets",
            out->portal));
    TRY(add_liver(out, given, outlets.flow_ml_s, flow_error_of(n, p, LATTICE_OUTLET, portal->piece, inside, cava),
                  why));
    if (!cava) {
        TRY(notes_add(why,
                      "ppg of '%s': the model does not include the hepatic veins and the cava; the pressure behind the "
                      "liver is assumed to equal the pressure in the cava",
                      out->portal));
    } else {
        group veins = group_of(n, p, LATTICE_INLET, cava->piece, portal, cava);
        add_term(out, PPG_RESOLVED, "hepatic veins to cava", veins.pressure_pa - cava->pressure_pa);
        if (veins.n == 0)
            TRY(notes_add(why,
                          "ppg of '%s': no inlet is connected with the cava '%s', so the pressure of the hepatic veins "
                          "is unknown",
                          out->portal, out->cava));
    }
cleanup:
    return rc;
}

static int form_together(int n, const place *p, const place *portal, const place *cava, const case_readout *given,
                         ppg *out, notes *why) {
    int rc = OK;
    const bool behind = given->liver_outlets && cava->behind_given;
    add_term(out, PPG_RESOLVED,
             behind                 ? "portal vein to the pressure behind the resistance of the cava's opening"
             : given->liver_outlets ? "portal vein to hepatic vein, the liver at the outlets"
                                    : "portal vein to cava through the lumen",
             portal->pressure_pa - (behind ? cava->behind_pa : cava->pressure_pa));
    double flow_ml_s =
        /* the sign of the flow through a section depends on its normal, which may point either way */
        portal->role < 0 ? fabs(portal->flow_ml_s) : portal->flow_ml_s;
    const group inflow = group_of(n, p, LATTICE_INLET, portal->piece, NULL, NULL);
    if (given->liver_outlets)
        return notes_add(
            why,
            "ppg of '%s': the liver is the resistances at the outlets, so the computed pressure difference "
            "to %s'%s' is the whole gradient",
            out->portal, behind ? "the pressure behind the resistance of " : "", out->cava);
    double error_ml_s = portal->flow_given ? portal->flow_error_ml_s : NAN;
    if (portal->role < 0 && fabs(flow_ml_s - inflow.flow_ml_s) <= SAME_FLOW * inflow.flow_ml_s)
        error_ml_s = flow_error_of(n, p, LATTICE_INLET, portal->piece, NULL, NULL);
    TRY(add_liver(out, given, flow_ml_s, error_ml_s, why));
    TRY(notes_add(why,
                  "ppg of '%s': portal vein and cava are in one piece of lumen; the pressure drop of the liver "
                  "(resistance of the liver times the flow at '%s') is added to the computed pressure difference",
                  out->portal, out->portal));
cleanup:
    return rc;
}

int ppg_form(int n, const place *p, const case_readout *readout, ppg *out, notes *why) {
    const place *portal = readout_place_find(n, p, readout->portal), *cava = readout_place_find(n, p, readout->cava);
    int rc = OK;
    *out = (ppg){.portal = readout->portal,
                 .cava = readout->cava,
                 .liver_outlets = readout->liver_outlets,
                 .value_pa = NAN,
                 .measured_pa = readout->measured_pa,
                 .measured_error_pa = readout->measured_error_pa};
    if (!portal || (readout->cava && !cava)) {
        TRY(notes_add(why, "ppg of '%s': '%s' is neither an opening nor a section; correct the name in the case",
                      readout->portal, portal ? readout->cava : readout->portal));
        goto cleanup;
    }
    if (cava && cava->piece == portal->piece)
        TRY(form_together(n, p, portal, cava, readout, out, why));
    else
        TRY(form_apart(n, p, portal, cava, readout, out, why));
    out->value_pa = 0;
    if (out->n_term == 0)
        out->value_pa = NAN;
    for (int k = 0; k < out->n_term; k++)
        out->value_pa += out->term[k].value_pa; /* NaN if a term is NaN */
cleanup:
    return rc;
}

const char *ppg_kind_name(const ppg *g, const ppg_term *t) {
    return t->kind == PPG_MODELLED ? "modelled" : g->liver_outlets ? "from assumptions" : "resolved";
}

const char *ppg_basis(const ppg *g, const ppg_term *t) {
    if (t->kind == PPG_RESOLVED)
        return g->liver_outlets ? "resistance of the outlets, pressure of the hepatic vein, inflow" : NULL;
    const bool rest = t->liver && t->liver->lost_share.value > 0;
    if (t->liver && t->liver->liver_lobules)
        return t->liver->compartments ? "compartments and lobule law"
               : rest                 ? "lobule law without the lost share"
                                      : "lobule law";
    return !isfinite(t->resistance_pa_s_m3) ? NULL
           : rest                           ? "given resistance without the lost share"
                                            : "given resistance";
}
