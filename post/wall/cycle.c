/* SPDX-License-Identifier: Apache-2.0 */
#include "post/wall/cycle.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

/* the stress counts as purely oscillating if |mean| / TAWSS is below this value */
static const double PURE_OSCILLATION = 1e-6;

int cycle_create(cycle *c, int64_t n) {
    memset(c, 0, sizeof *c);
    c->vector = calloc(3 * (size_t)n + 1, sizeof *c->vector);
    c->magnitude = calloc((size_t)n + 1, sizeof *c->magnitude);
    if (!c->vector || !c->magnitude) {
        cycle_free(c);
        return fail_memory("the averages over the cycle", 32.0 * (double)n);
    }
    c->n = n;
    return OK;
}

void cycle_free(cycle *c) {
    free(c->vector);
    free(c->magnitude);
    memset(c, 0, sizeof *c);
}

static int within_one_period(int n, const double *time_s, double period_s) {
    for (int k = 1; k < n; k++)
        if (!(time_s[k] > time_s[k - 1]))
            return 0;
    return n > 0 && isfinite(period_s) && time_s[n - 1] - time_s[0] < period_s * (1 - 1e-9);
}

void cycle_weights(int n, const double *time_s, double period_s, double *weight) {
    int known = within_one_period(n, time_s, period_s);
    for (int k = 0; k < n; k++) {
        double before = k > 0 ? time_s[k - 1] : time_s[n - 1] - period_s;
        double after = k + 1 < n ? time_s[k + 1] : time_s[0] + period_s;
        weight[k] = known ? (after - before) / (2 * period_s) : 1.0 / n;
    }
}

void cycle_add(cycle *c, double weight, const double *wss_pa) {
    for (int64_t k = 0; k < c->n; k++) {
        vec_add(c->vector + 3 * k, weight, wss_pa + 3 * k, c->vector + 3 * k);
        c->magnitude[k] += weight * vec_length(wss_pa + 3 * k);
    }
    c->weight += weight;
}

void cycle_finish(const cycle *c, double *mean_pa, double *tawss_pa, double *osi, double *rrt_per_pa) {
    for (int64_t k = 0; k < c->n; k++) {
        for (int a = 0; a < 3; a++)
            mean_pa[3 * k + a] = c->vector[3 * k + a] / c->weight;
        tawss_pa[k] = c->magnitude[k] / c->weight;
        double ratio = fmin(vec_length(mean_pa + 3 * k) / tawss_pa[k], 1); /* NaN where there is no stress */
        if (!(tawss_pa[k] > 0))
            ratio = NAN;
        osi[k] = 0.5 * (1 - ratio);
        rrt_per_pa[k] = ratio > PURE_OSCILLATION ? 1 / (ratio * tawss_pa[k]) : NAN; /* ratio is 1 - 2 OSI */
    }
}
