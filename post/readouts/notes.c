/* SPDX-License-Identifier: Apache-2.0 */
#include "post/readouts/notes.h"
#include "common/base/status.h"
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

int notes_exact(const case_file *c, notes *to) {
    char list[600] = "";
    size_t n = 0;
    for (int k = 0; k < c->n_opening && n < 500; k++) {
        const case_opening *o = &c->opening[k];
        const bool split = o->condition == CONDITION_SPLIT || isfinite(o->split_share);
        const bool model = case_opening_is_model(o) && !split;
        const bool stated = split && c->split.law != SPLIT_SHARES ? c->split.error > 0 : o->value_error > 0;
        const bool open = split ? o->split_rest : case_opening_is_free(o) && !model;
        if (!open && o->value != 0 && !stated)
            n += (size_t)snprintf(list + n, sizeof list - n, "%sthe %s of %s", n ? ", " : "",
                                  model   ? "resistance"
                                  : split ? "share"
                                          : "flow",
                                  o->name);
    }
    for (int k = 0; k < c->n_porous && n < 500; k++)
        if (!(c->porous[k].permeability_error > 0))
            n += (size_t)snprintf(list + n, sizeof list - n, "%sthe permeability of %s", n ? ", " : "",
                                  c->porous[k].name);
    for (int k = 0; k < c->n_readout && n < 500; k++)
        if (c->readout[k].kind == READOUT_PPG && isfinite(c->readout[k].liver_resistance) &&
            !(c->readout[k].liver_error > 0))
            n += (size_t)snprintf(list + n, sizeof list - n, "%sthe resistance of the liver", n ? ", " : "");
    if (n == 0)
        return OK;
    return notes_add(to,
                     "these values are taken as exact, so no interval includes their uncertainty: %s; append +- 10 %% "
                     "to a value to state its uncertainty (not possible for a waveform)",
                     list);
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

void notes_free(notes *n) {
    for (int k = 0; k < n->n; k++)
        free(n->text[k]);
    free(n->text);
    *n = (notes){0};
}
