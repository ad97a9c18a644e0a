/* SPDX-License-Identifier: Apache-2.0 */
/* See backend.h. */
#include "solve/core/backend.h"
#include <math.h>
#include <string.h>

void backend_sums_join(backend_sums *s, const backend_sums *more) {
    exact_sum_join(&s->change, &more->change);
    exact_sum_join(&s->square, &more->square);
    exact_sum_join(&s->mass, &more->mass);
    exact_sum_join(&s->entered, &more->entered);
    s->fastest = fmax(s->fastest, more->fastest);
    if (more->bad_cell >= 0 && (s->bad_cell < 0 || more->bad_cell < s->bad_cell))
        s->bad_cell = more->bad_cell;
}

void backend_monitor_make(const domain *d, const backend_sums *s, const backend_opening_sums *opening, bool compared,
                          backend_monitor *m) {
    const double change = exact_sum_value(&s->change), square = exact_sum_value(&s->square);
    m->change = !compared ? NAN : square > 0 ? sqrt(change / square) : 1.0;
    m->velocity_max = sqrt(s->fastest);
    m->velocity_square = square;
    m->mass = exact_sum_value(&s->mass);
    m->entered = exact_sum_value(&s->entered);
    m->bad_cell = s->bad_cell;
    for (int k = 0; k < d->n_opening; k++) {
        m->flow[k] = exact_sum_value(&opening[k].flow);
        m->density[k] = exact_sum_value(&opening[k].density) / d->opening[k].share -
                        d->opening[k].carried * m->flow[k] * m->flow[k];
    }
}

void backend_sums_value(int n, const exact_sum *sums, double *value) {
    for (int k = 0; k < n; k++)
        value[k] = exact_sum_value(&sums[k]);
}

void backend_heat_make(const heat_settings *h, const double *sums, bool compared, backend_monitor *m) {
    m->theta_change = !compared ? 1.0 : sums[1] > 0 ? sqrt(sums[0] / sums[1]) : 0.0;
    m->heat = sums[2];
    if (m->heat_flux)
        memcpy(m->heat_flux, sums + BACKEND_HEAT, (size_t)h->n_side * sizeof *sums);
}
