/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/core/domain_pulse.h"
#include "common/base/status.h"
#include "solve/core/domain_openings.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = OPENING_PULSES + 1 }; /* the steady profile and the pulse profiles */

static bool has_pulse(const domain_condition *c) {
    return c->kind == DOMAIN_FLOW && c->pulse;
}

static bool is_flow(const domain *d, const domain_link *k) {
    return k->opening && d->opening[k->opening - 1].kind == DOMAIN_FLOW;
}

/* Sets link.pulse, and allocates the weights. */
static int weights_allocate(domain *d) {
    int64_t n = 0;
    for (int64_t k = 0; k < d->n_link; k++)
        if (is_flow(d, &d->link[k]))
            d->link[k].pulse = (int32_t)(d->n_pulse * n++);
    const size_t squares = (size_t)((d->n_pulse + 1) * (d->n_pulse + 1));
    d->n_pulse_weight = d->n_pulse * n;
    d->pulse_weight = calloc((size_t)d->n_pulse_weight + 1, sizeof *d->pulse_weight);
    d->pulse_carried = calloc((size_t)d->n_opening * squares, sizeof *d->pulse_carried);
    if (!d->pulse_weight || !d->pulse_carried)
        return fail_memory("the pulse profiles", 4.0 * (double)d->n_pulse_weight);
    return OK;
}

/* Divides the weights by the flux of the steady profile, and subtracts the flow of each pulse profile. sum [n_opening]
 * [OPENING_PULSES]: flow of the pulse profiles over the links. */
static void weights_balance(const exact_sum *sum, domain *d) {
    for (int64_t n = 0; n < d->n_link; n++) {
        const domain_link *k = &d->link[n];
        if (!is_flow(d, k))
            continue;
        for (int j = 0; j < d->n_pulse; j++) {
            const double flow = exact_sum_value(&sum[(k->opening - 1) * OPENING_PULSES + j]);
            float *to = &d->pulse_weight[k->pulse + j];
            *to = (float)((*to - flow * k->weight) / d->opening[k->opening - 1].link_flux);
        }
    }
}

static int weights_create(const lattice *l, const domain_share *parts, const domain_condition *condition, domain *d) {
    exact_sum *sum = calloc((size_t)d->n_opening * OPENING_PULSES, sizeof *sum);
    int rc = sum ? OK : fail_memory("the pulse profiles", 1e4);
    for (int64_t n = 0; n < d->n_link && rc == OK; n++) {
        const domain_link *k = &d->link[n];
        const double fluid = d->fluid ? (double)d->fluid[k->cell] : 1.0;
        double weight[OPENING_PULSES];
        if (!is_flow(d, k) || !has_pulse(&condition[k->opening - 1]))
            continue;
        domain_openings_pulse(l, d, condition, k, weight);
        for (int j = 0; j < condition[k->opening - 1].pulse->n_profile; j++) {
            d->pulse_weight[k->pulse + j] = (float)weight[j];
            exact_sum_add(&sum[(k->opening - 1) * OPENING_PULSES + j], fluid * d->pulse_weight[k->pulse + j]);
        }
    }
    if (rc == OK && parts)
        rc = parts->sum(sum, d->n_opening * OPENING_PULSES);
    if (rc == OK)
        weights_balance(sum, d);
    free(sum);
    return rc;
}

/* Sums over the links of one opening, for each pair of profiles: links with a velocity of their own as in
 * domain_openings_velocity. */
typedef struct {
    exact_sum along[TERMS * TERMS], square[TERMS * TERMS], known;
} carried_sums;

static void carried_add(const lattice *l, const domain_condition *condition, const domain *d, const domain_link *k,
                        carried_sums *to) {
    const domain_opening *o = &d->opening[k->opening - 1];
    double u[TERMS], e_u[TERMS];
    if (!domain_openings_velocities(l, d, condition, k, u, e_u))
        return;
    const double share = fabs(domain_openings_ladd(d->directions, k->dir, o->normal)) / 3 / o->share;
    for (int a = 0; a <= d->n_pulse; a++)
        for (int b = 0; b <= d->n_pulse; b++) {
            exact_sum_add(&to->along[a * TERMS + b], share * e_u[a] * e_u[b]);
            exact_sum_add(&to->square[a * TERMS + b], share * u[a] * u[b]);
        }
    exact_sum_add(&to->known, share);
}

static int carried_create(const lattice *l, const domain_share *parts, const domain_condition *condition, domain *d) {
    const int n = d->n_pulse + 1;
    carried_sums *sums = calloc((size_t)d->n_opening, sizeof *sums);
    int rc = sums ? OK : fail_memory("the pulse profiles", (double)d->n_opening * sizeof *sums);
    for (int64_t k = 0; k < d->n_link && rc == OK; k++)
        if (is_flow(d, &d->link[k]) && has_pulse(&condition[d->link[k].opening - 1]))
            carried_add(l, condition, d, &d->link[k], &sums[d->link[k].opening - 1]);
    if (rc == OK && parts)
        rc = parts->sum((exact_sum *)sums, d->n_opening * (int)(sizeof *sums / sizeof(exact_sum)));
    for (int k = 0; k < d->n_opening && rc == OK; k++) {
        const carried_sums *of = &sums[k];
        const double known = exact_sum_value(&of->known);
        for (int a = 0; a < n && known > 0; a++)
            for (int b = a > 0 ? 0 : 1; b < n; b++)
                d->pulse_carried[(k * n + a) * n + b] = 4.5 * exact_sum_value(&of->along[a * TERMS + b]) -
                                                        1.5 * exact_sum_value(&of->square[a * TERMS + b]) / known;
    }
    free(sums);
    return rc;
}

int domain_pulse_create(const lattice *l, const domain_share *parts, const domain_condition *condition, domain *d) {
    int rc = OK;
    for (int k = 0; k < d->n_opening; k++)
        if (has_pulse(&condition[k]) && condition[k].pulse->n_profile > d->n_pulse)
            d->n_pulse = condition[k].pulse->n_profile;
    if (d->n_pulse == 0)
        return OK;
    TRY(weights_allocate(d));
    TRY(weights_create(l, parts, condition, d));
    TRY(carried_create(l, parts, condition, d));
cleanup:
    return rc;
}

int domain_pulse_copy(const domain *from, domain *d) {
    const size_t weights = (size_t)from->n_pulse_weight * sizeof *d->pulse_weight,
                 squares =
                     (size_t)(from->n_opening * (from->n_pulse + 1) * (from->n_pulse + 1)) * sizeof *d->pulse_carried;
    d->n_pulse = from->n_pulse;
    d->n_pulse_weight = from->n_pulse_weight;
    if (d->n_pulse == 0)
        return OK;
    d->pulse_weight = malloc(weights + 1);
    d->pulse_carried = malloc(squares + 1);
    if (!d->pulse_weight || !d->pulse_carried)
        return fail_memory("the pulse profiles", (double)weights);
    memcpy(d->pulse_weight, from->pulse_weight, weights);
    memcpy(d->pulse_carried, from->pulse_carried, squares);
    return OK;
}

double domain_pulse_carried(const domain *d, int k, double flow, const prescribed_value *given) {
    const prescribed_value *pulse = domain_pulses(d, given, k);
    const int n = d->n_pulse + 1;
    double sum = 0;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            sum +=
                d->pulse_carried[(k * n + a) * n + b] * (a ? pulse[a - 1].flow : flow) * (b ? pulse[b - 1].flow : flow);
    return sum;
}
