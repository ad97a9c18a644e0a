/* SPDX-License-Identifier: Apache-2.0 */
#include "post/readouts/notes.h"
#include "common/base/status.h"
#include "common/waveform/waveform.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int notes_add(notes *n, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (int k = 0; k < n->n; k++)
        if (strcmp(n->text[k], text) == 0)
            return OK;
    char **larger = realloc(n->text, ((size_t)n->n + 1) * sizeof *larger);
    if (!larger)
        return fail_memory("a note", sizeof text);
    n->text = larger;
    n->text[n->n] = strdup(text);
    if (!n->text[n->n])
        return fail_memory("a note", sizeof text);
    n->n++;
    return OK;
}

int notes_porous(const case_file *c, notes *to) {
    int rc = OK;
    for (int k = 0; k < c->n_porous; k++)
        TRY(notes_add(to,
                      "the region '%s' is modelled, not measured: porous tissue with a permeability of %.3g m2; the "
                      "pressure drop across it follows from this value",
                      c->porous[k].name, c->porous[k].permeability_m2));
cleanup:
    return rc;
}

/* Adds the openings whose flow, resistance or share is given without an uncertainty. */
static int list_exact_openings(const case_file *c, notes *to) {
    int rc = OK;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        const bool split = o->condition == CONDITION_SPLIT || isfinite(o->split_share);
        const bool model = case_opening_is_model(o) && !split;
        const bool stated = split && c->split.law != SPLIT_SHARES ? c->split.error > 0 : o->value_error > 0;
        const bool open = split ? o->split_rest : case_opening_is_free(o) && !model;
        if (!open && (o->value != 0 || o->condition == CONDITION_WAVEFORM) && !stated)
            TRY(notes_add(to, "the %s of %s", model ? "resistance" : split ? "share" : "flow", o->name));
    }
cleanup:
    return rc;
}

int notes_list_exact(const case_file *c, notes *to) {
    const bool pressures = c->split.law != SPLIT_NONE && isfinite(c->split.mean_pressure_pa);
    int rc = OK;
    for (int k = 0; k < SPLIT_PRESSURES && pressures; k++)
        if (!(c->split.pressure_error[k] > 0))
            TRY(notes_add(to, "split.%s", case_split_pressures[k]));
    TRY(list_exact_openings(c, to));
    for (int k = 0; k < c->n_porous; k++)
        if (!(c->porous[k].permeability_error > 0))
            TRY(notes_add(to, "the permeability of %s", c->porous[k].name));
    for (int k = 0; k < c->n_readout; k++) {
        const case_readout *o = &c->readout[k];
        if (o->kind == READOUT_PPG && isfinite(o->liver_resistance) && !(o->liver_error > 0))
            TRY(notes_add(to, "%s", NOTES_EXACT_LIVER));
        if (o->kind == READOUT_PPG && o->lost_share.value > 0 && !(o->lost_share.error > 0))
            TRY(notes_add(to, "the lost share of the liver"));
    }
cleanup:
    return rc;
}

int notes_exact(const notes *exact, notes *to) {
    char list[600] = "";
    size_t n = 0;
    for (int k = 0; k < exact->n && n < 500; k++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", exact->text[k]);
    if (n == 0)
        return OK;
    return notes_add(to,
                     "these values are taken as exact, so no interval includes their uncertainty: %s; append +- 10 %% "
                     "to a value to state its uncertainty (not possible for a waveform)",
                     list);
}

/* Half-width of the 95 % interval of the share of outlet o, as a part of the inflow; 0: none. The rest of given shares
 * has the uncertainties of the other shares, which are independent. */
static double share_error(const case_file *c, const case_opening *o) {
    double square = 0;
    if (c->split.law != SPLIT_SHARES)
        return c->split.error * fmin(o->split_share, 1 - o->split_share);
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *other = &c->opening[k];
        if (other == o || (o->split_rest && isfinite(other->split_share)))
            square += pow(other->split_share * other->value_error / other->value, 2);
    }
    return sqrt(square);
}

int notes_shares(const case_file *c, int n, const place *p, notes *to) {
    const double noticed = 0.05; /* smallest noted difference from a share without an interval */
    double inflow = 0;
    int rc = OK;
    /* net flow of all openings outside the split, as in case_take_split */
    for (int k = 0; k < n; k++) {
        const case_opening *o = case_find_opening(c, p[k].name);
        if (o && !isfinite(o->split_share) && isfinite(p[k].flow_ml_s))
            inflow += p[k].role == LATTICE_INLET ? p[k].flow_ml_s : -p[k].flow_ml_s;
    }
    if (c->split.law == SPLIT_NONE || !isfinite(c->split.mean_pressure_pa) || !(inflow > 0))
        return OK;
    for (int k = 0; k < n; k++) {
        const case_opening *o = case_find_opening(c, p[k].name);
        if (!o || !isfinite(o->split_share))
            continue;
        const double share = p[k].flow_ml_s / inflow, error = share_error(c, o);
        char interval[40] = "";
        if (!(fabs(share - o->split_share) > (error > 0 ? error : noticed)))
            continue;
        if (error > 0)
            snprintf(interval, sizeof interval, " +- %.2g", 100 * error);
        TRY(notes_add(to,
                      "outlet '%s': %.3g %% of the inflow leaves here, but its resistance was chosen for %.3g%s %% and "
                      "ignores the pressure drop of the vessel itself; give the outlets other shares or resistances, "
                      "or, to prescribe the shares, remove mean_pressure",
                      o->name, 100 * share, 100 * o->split_share, interval));
    }
cleanup:
    return rc;
}

int notes_capacitances(const case_file *c, notes *to) {
    char list[400] = "";
    size_t n = 0;
    for (int k = 0; k < c->n_opening && n < 300; k++)
        if (c->opening[k].capacitance_error > 0)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s'%s'", n ? ", " : "", c->opening[k].name);
    if (n == 0)
        return OK;
    return notes_add(to,
                     c->solve.mode == MODE_PULSATILE
                         ? "no interval includes the uncertainty of the capacitance at %s, because intervals need a "
                           "steady flow; compare runs with the lowest and the highest capacitance"
                         : "the uncertainty of the capacitance at %s changes no value, because a steady flow does not "
                           "depend on a capacitance",
                     list);
}

int notes_mean_flow(const case_file *c, notes *to) {
    double largest = 0;
    int rc = OK;
    for (int k = 0; k < c->n_opening && c->solve.mode == MODE_STEADY; k++) {
        waveform w = {0};
        if (c->opening[k].condition != CONDITION_WAVEFORM)
            continue;
        rc = case_open_waveform(c, &c->opening[k], &w);
        if (rc == OK && waveform_mean_m3_s(&w) != 0) /* an opening without mean flow is closed in a steady flow */
            largest = fmax(largest, waveform_square_ratio(&w));
        waveform_free(&w);
        TRY(rc);
    }
    if (largest > 0)
        TRY(notes_add(
            to,
            "steady flow with the means of the waveforms (mode steady, or --fast): no value is systolic, and "
            "the oscillatory shear index is not computed. In the pulsatile flow, pressure drops have means up "
            "to about %.2g %% higher, because their part that accelerates blood grows with the square of the "
            "flow; wall shear stress is higher, too. For the cycle: mode pulsatile, without --fast",
            round(1e4 * (largest - 1)) / 100));
cleanup:
    return rc;
}

void notes_free(notes *n) {
    for (int k = 0; k < n->n; k++)
        free(n->text[k]);
    free(n->text);
    *n = (notes){0};
}
