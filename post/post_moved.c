/* See post.h: whether the lumens with a moved wall say what the image leaves open, or what their lattice does. */
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/record/json.h"
#include "post/post.h"
#include <math.h>
#include <stdio.h>

/* Of a drop, that the lattices of the two lumens make of their own. */
static const double NOTICED = 0.1;

typedef struct {
    double spacing_mm, across, friction; /* cells across the narrowest place; friction of the lattice; NaN: not known */
} lumen_run;

static lumen_run of_entry(const cJSON *entry) {
    if (!entry || cJSON_IsFalse(json_find(entry, "result/converged"))) /* another note says so */
        return (lumen_run){NAN, NAN, NAN};
    return (lumen_run){json_get(entry, "spacing_mm"), json_get(entry, "cells_across"),
                       json_get(json_find(entry, "result"), "lattice_friction")};
}

int post_moved_note(post_work *p, const cJSON *moved_in, const cJSON *moved_out, const cJSON *unmoved) {
    const lumen_run narrower = of_entry(moved_in), wider = of_entry(moved_out), same = of_entry(unmoved);
    const double own = 0.5 * (narrower.friction - wider.friction) / (1 + same.friction);
    const bool few = narrower.across < CASE_LADDER_LEAST_ACROSS;
    const bool fast = own > NOTICED;
    char across[80] = "", part[120] = "";
    if (!few && !fast)
        return OK;
    const double finer = fmin(few ? narrower.across / CASE_LADDER_LEAST_ACROSS : 1, fast ? cbrt(NOTICED / own) : 1);
    if (isfinite(narrower.across))
        snprintf(across, sizeof across, ", %.1f cells across its narrowest place (%d at least)", narrower.across,
                 CASE_LADDER_LEAST_ACROSS);
    if (fast)
        snprintf(part, sizeof part, ", for pressure drops by about %.0f %% of the drop", 100 * own);
    return notes_add(&p->r.notes,
                     "the image's part of the intervals comes out too wide%s: the lumen with the wall moved inwards is "
                     "solved on a lattice of %.3g mm%s, which is too coarse for it; a spacing of %.2g mm or less "
                     "(mesh.spacing, mesh.cells_across) makes it narrower",
                     part, narrower.spacing_mm, across, units_round_down(0.99 * finer * p->l.spacing_mm));
}
