/* See post.h: whether the lumens with a moved wall say what the image leaves open, or what their lattice does. */
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/record/json.h"
#include "post/post.h"
#include <math.h>
#include <stdio.h>

/* Of a drop, that the lattices of the two lumens make of their own; cells across the narrower one at least (as levels,
 * mesh/ladder.h). */
static const double NOTICED = 0.1, LEAST_ACROSS = 8;

typedef struct {
    double spacing_mm, across, friction; /* cells across the narrowest place; friction of the lattice; NaN: not known */
} lumen_run;

/* The run with the wall moved that way: -1, 0 (not; on the spacing of those that are) or 1. */
static lumen_run find(const cJSON *list, int sign, double spacing_mm) {
    lumen_run found = {NAN, NAN, NAN};
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list) {
        const double shift_mm = json_get(entry, "wall_shift_mm"), own_mm = json_get(entry, "spacing_mm");
        const bool other = cJSON_GetObjectItemCaseSensitive(entry, "flow_of") || (sign == 0 && own_mm != spacing_mm);
        if ((shift_mm > 0) - (shift_mm < 0) == sign && !other)
            found = cJSON_IsFalse(json_find(entry, "result/converged"))
                        ? (lumen_run){NAN, NAN, NAN} /* another note says so */
                        : (lumen_run){own_mm, json_get(entry, "cells_across"),
                                      json_get(json_find(entry, "result"), "lattice_friction")};
    }
    return found;
}

int post_moved_note(post_work *p) {
    const cJSON *list = json_find(p->stage[REPORT_SOLVE], "result/ladder");
    const lumen_run narrower = find(list, -1, NAN), wider = find(list, 1, NAN),
                    same = find(list, 0, narrower.spacing_mm);
    const double own = 0.5 * (narrower.friction - wider.friction) / (1 + same.friction);
    const bool few = narrower.across<LEAST_ACROSS, fast = own> NOTICED;
    char across[80] = "", part[120] = "";
    if (!few && !fast)
        return OK;
    const double finer = fmin(few ? narrower.across / LEAST_ACROSS : 1, fast ? cbrt(NOTICED / own) : 1);
    if (isfinite(narrower.across))
        snprintf(across, sizeof across, ", %.1f cells across its narrowest place (%.0f at least)", narrower.across,
                 LEAST_ACROSS);
    if (fast)
        snprintf(part, sizeof part, ", for pressure drops by about %.0f %% of the drop", 100 * own);
    return notes_add(&p->r.notes,
                     "the image's part of the intervals comes out too wide%s: the lumen with the wall moved inwards is "
                     "solved on a lattice of %.3g mm%s, which is too coarse for it; a spacing of %.2g mm or less "
                     "(mesh.spacing, mesh.cells_across) makes it narrower",
                     part, narrower.spacing_mm, across, units_round_down(0.99 * finer * p->l.spacing_mm));
}
