/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of uncertainty.h. */
#include "common/base/order.h"
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    int known, inside, without;
    double width[UNCERTAINTY_MOST]; /* [known] half-widths of the intervals, in percent of the truth */
} tally;

static void row(const reading *r, results *out, tally *t) {
    const double off = r->value - r->truth, size = fabs(r->truth);
    if (!isfinite(r->half)) {
        t->without++;
        results_row(out, "%s|%s|%.5g|%.5g|||no interval|%.2f|", r->of, r->what, r->truth, r->value, 100 * off / size);
        return;
    }
    const bool in = fabs(off) <= r->half;
    t->inside += in;
    t->width[t->known++] = 100 * r->half / size;
    results_row(out, "%s|%s|%.5g|%.5g|%.2f|%.2f|%s|%.2f|%.2f", r->of, r->what, r->truth, r->value, 100 * r->half / size,
                100 * off / size, in ? "yes" : "no", 100 * (r->finest - r->truth) / size, r->order);
}

static double median(tally *t) {
    qsort(t->width, (size_t)t->known, sizeof *t->width, order_double);
    return t->known ? t->width[t->known / 2] : NAN;
}

static void say(results *out, const char *which, tally *t) {
    if (t->known + t->without > 0)
        results_text(out,
                     "%s: %d readouts with an interval, %d without one. %d of the intervals contain the truth (%.1f "
                     "%%); their median half-width is %.2f %%.",
                     which, t->known, t->without, t->inside, t->known ? 100.0 * t->inside / t->known : 0, median(t));
}

void uncertainty_show(const readings *all, bool whole, results *out) {
    tally of[2] = {{0}};
    results_table(out, "readouts",
                  "case|readout|truth|value|half-width (%)|off by (%)|inside|finest lattice off by (%)|order");
    for (int k = 0; k < all->n; k++)
        if (isfinite(all->r[k].truth))
            row(&all->r[k], out, &of[all->r[k].drawn]);
    say(out, "The first cases", &of[0]);
    say(out, "Drawn afterwards", &of[1]);
    tally *t = &of[whole];
    results_at_least(out, "readouts with an interval", t->known, whole ? 100 : 3);
    /* With `whole` false there are few exact flows, on coarse lattices. Such a run only tests that the study works, so
     * its limits are wide. */
    results_at_least(out, "part of the intervals that contain the truth (%)",
                     t->known ? 100.0 * t->inside / t->known : 0, whole ? 90 : 50);
    results_at_most(out, "median half-width (%)", t->known ? median(t) : INFINITY, whole ? 3 : 10);
}
