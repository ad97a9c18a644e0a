/* See case.h. */
#include "common/case/case.h"
#include "common/base/message.h"
#include <stddef.h>

static const double NOTICED = 1e-3; /* of what the inlets bring */

bool case_warn_supply(const case_file *c, const char *place, double in_ml_s, double out_ml_s) {
    const char *first = NULL;
    bool outlet_gives = false; /* an outlet has a flow; if none, an inlet's waveform runs backwards on the mean */
    int n_free = 0;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        outlet_gives |=
            o->role == ROLE_OUTLET && (o->condition == CONDITION_FLOW || o->condition == CONDITION_WAVEFORM);
        if (o->condition != CONDITION_PRESSURE && o->condition != CONDITION_DEVELOPED)
            continue;
        if (o->role == ROLE_INLET)
            return false; /* the rest comes in there, as it should */
        first = first ? first : o->name;
        n_free++;
    }
    if (!first || !(out_ml_s > (1 + NOTICED) * in_ml_s))
        return false;
    const char *others = n_free > 1 ? " or another outlet with a pressure" : "";
    if (outlet_gives) /* else case_warn_plausible has named the inlets that take */
        message_warn_serious("%sthe outlets with a given flow take %.4g mL/s, the inlets bring %.4g mL/s: the "
                             "difference enters the vessel through '%s'%s, where blood should leave; correct the flows",
                             place, out_ml_s, in_ml_s, first, others);
    return true;
}
