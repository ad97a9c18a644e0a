/* SPDX-License-Identifier: Apache-2.0 */
/* See domain_openings.h. */
#include "solve/core/domain_openings.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/case/case.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Upper limit of slip_of and beside_middle, as a fraction of the mean velocity. Openings with fewer than 5 cells per
 * diameter reach the limit. */
static const double MOST_SLIP = 0.2;
static const double LEVEL = 1e-3; /* Links with a smaller component along the vessel, in cells, do not determine the
                                   * velocity. */

const double *domain_openings_along(const lattice_opening *o) {
    return vec_dot(o->along, o->along) > 0 ? o->along : o->normal;
}

/* Lattice weight w_i of direction i. */
static double weight_of(int directions, int i) {
    if (directions == LATTICE_D3Q27)
        return i < 7 ? 2.0 / 27.0 : i < 19 ? 1.0 / 54.0 : 1.0 / 216.0;
    return i < 7 ? 1.0 / 18.0 : 1.0 / 36.0;
}

double domain_openings_ladd(int directions, int i, const double v[3]) {
    const int8_t *e = lattice_e[lattice_opposite(i)];
    return 6.0 * weight_of(directions, i) * (e[0] * v[0] + e[1] * v[1] + e[2] * v[2]);
}

/* 6 w_a e_a.n of the direction a that enters the vessel over link `dir`; n points into the vessel. */
static double ladd_inward(const lattice_opening *o, int directions, int dir) {
    return -domain_openings_ladd(directions, dir, domain_openings_along(o));
}

/* Second derivative -d_a^2 u of a developed velocity u with mean 1, for a link across the vessel, per cell^2. It is
 * half of the negative Laplacian: 16 over the squared hydraulic diameter. It is exact in a circle, and one eighth too
 * low in an ellipse with axes 4 to 1. */
static double bend_of(const lattice *l, const lattice_opening *o) {
    const double across = o->perimeter_mm > 0 ? 4 * o->area_mm2 / o->perimeter_mm / l->spacing_mm : INFINITY;
    return 16 / (across * across);
}

/* Velocity that the lattice lacks in a developed flow of mean velocity 1 (scale_slip). */
static double slip_of(const lattice *l, const lattice_opening *o, const domain_condition *c) {
    return c->profile == PROFILE_DEVELOPED ? fmin(2 * bend_of(l, o) * c->slip, MOST_SLIP) : 0;
}

/* Squared length, in cells, of the component of the link across the vessel. */
static double across_of(const lattice_opening *o, int dir) {
    const double e[3] = {lattice_e[dir][0], lattice_e[dir][1], lattice_e[dir][2]};
    return vec_dot(e, e) - pow(vec_dot(e, domain_openings_along(o)), 2);
}

/* Correction -1/8 d_a^2 u of the velocity in D, for a flow with mean velocity 1 (solve/BOUNDARY_LINKS.md, eq. 7). */
static double beside_middle(const lattice *l, const lattice_opening *o, const domain_condition *c, int dir) {
    return c->profile == PROFILE_PLUG || c->on_site ? 0 : fmin(bend_of(l, o) * across_of(o, dir) / 8, MOST_SLIP);
}

/* Prescribed velocity at link k of an opening, for a flow with mean velocity 1. */
static double velocity_given(const lattice *l, const lattice_opening *o, const domain_condition *c, int dir,
                             int64_t k) {
    const float *table = c->profile == PROFILE_DEVELOPED   ? o->profile_developed
                         : c->profile == PROFILE_PARABOLIC ? o->profile_parabolic
                                                           : NULL;
    if (!table)
        return 1.0;
    return table[k] != 0 ? table[k] - slip_of(l, o, c) + beside_middle(l, o, c, dir) : 0;
}

float domain_openings_weight(const lattice *l, int directions, const domain_condition *condition, int k, int i, float q,
                             int64_t nth) {
    const lattice_opening *o = &l->opening[k];
    if (condition[k].kind == DOMAIN_PRESSURE)
        return condition[k].on_site ? 0.0f : 1.0f;
    if (condition[k].kind == DOMAIN_MOVING_WALL)
        return (float)(domain_openings_ladd(directions, i, condition[k].velocity) * (q < 0.5f ? 1.0 : 0.5 / q));
    return (float)(ladd_inward(o, directions, i) * velocity_given(l, o, &condition[k], i, nth));
}

void domain_openings_join(const lattice *l, int directions, const domain_condition *condition, const domain_link *other,
                          domain_link *link) {
    const double q = link->q;
    link->q = 0.5f;
    if (!other || !other->opening || other->weight == 0)
        return;
    const lattice_opening *o = &l->opening[other->opening - 1];
    const domain_condition *c = &condition[other->opening - 1];
    const double per_velocity = ladd_inward(o, directions, other->dir);
    if (c->kind != DOMAIN_FLOW || c->profile == PROFILE_PLUG || (c->heat && link->dir < 7) ||
        fabs(per_velocity) < LEVEL)
        return;
    const double slip = slip_of(l, o, c), beside = beside_middle(l, o, c, link->dir);
    const double there = other->weight / per_velocity + slip - beside;
    const double here = there * (q - 0.5) / (q + 0.5) + 0.5 * bend_of(l, o) * across_of(o, link->dir) * (q - 0.5);
    link->opening = other->opening;
    link->weight = (float)(ladd_inward(o, directions, link->dir) * (here - slip + beside));
}

bool domain_openings_velocity(const lattice *l, int directions, const domain_condition *condition,
                              const domain_link *link, double flux, double *u, double *e_u) {
    const lattice_opening *o = &l->opening[link->opening - 1];
    const double per_velocity = ladd_inward(o, directions, link->dir);
    const double beside = beside_middle(l, o, &condition[link->opening - 1], link->dir) / flux;
    if (!(fabs(per_velocity) > LEVEL))
        return false;
    *u = link->weight / per_velocity - beside;
    *e_u = *u * per_velocity / (6.0 * weight_of(directions, link->dir));
    return true;
}

double domain_openings_setback(const lattice *l, const domain *d, const domain_link *link) {
    const lattice_opening *o = &l->opening[link->opening - 1];
    const double *along = domain_openings_along(o), h = l->spacing_mm;
    double p[3], outward[3], e[3], across[3];
    lattice_centre_mm(l, d->stored[link->cell], p);
    vec_add(o->centre_mm, -1, p, outward);
    for (int a = 0; a < 3; a++)
        e[a] = lattice_e[link->dir][a];
    const double forward = vec_dot(e, along);
    vec_add(e, -forward, along, across);
    const double centre = vec_dot(outward, o->normal) / h / fmax(vec_dot(along, o->normal), 0.1);
    const double square = vec_dot(across, across);
    if (d->opening[link->opening - 1].kind == DOMAIN_PRESSURE)
        return centre - 0.5 * forward * (1 - 1.5 * square);
    return centre - 0.5 * forward + 1.5 * forward * (0.5 * square - vec_dot(outward, across) / h);
}

/* --- pulse profiles --------------------------------------------------------------------------------------------- */

void opening_pulse_coordinates(const opening_pulse *p, const double lps_mm[3], double *i, double *j) {
    double from[3];
    vec_add(lps_mm, -1, p->centre_mm, from);
    *i = vec_dot(from, p->axis[0]) / p->step_mm + p->n / 2;
    *j = vec_dot(from, p->axis[1]) / p->step_mm + p->n / 2;
}

static double between_nodes(const double *value, int n, int column, int row, double right, double up) {
    const double *at = value + (size_t)row * (size_t)n + column;
    return (1 - up) * ((1 - right) * at[0] + right * at[1]) + up * ((1 - right) * at[n] + right * at[n + 1]);
}

void opening_pulse_at(const opening_pulse *p, int profile, const double lps_mm[3], double *ratio, double *curvature) {
    const size_t first = (size_t)profile * (size_t)p->n * (size_t)p->n;
    double i, j;
    opening_pulse_coordinates(p, lps_mm, &i, &j);
    i = fmin(fmax(i, 0), p->n - 1.001);
    j = fmin(fmax(j, 0), p->n - 1.001);
    *ratio = between_nodes(p->ratio + first, p->n, (int)i, (int)j, i - floor(i), j - floor(j));
    *curvature = between_nodes(p->curvature + first, p->n, (int)i, (int)j, i - floor(i), j - floor(j));
}

void opening_pulse_free(opening_pulse *p) {
    free(p->ratio);
    free(p->curvature);
    memset(p, 0, sizeof *p);
}

/* Value of a pulse profile at the middle of a link, for a steady profile `steady` there. *beside: the correction for
 * its curvature, as beside_middle. The second derivative along the link is half of the Laplacian, as in bend_of. */
static double pulse_at(const lattice *l, const opening_pulse *p, int profile, const double middle_mm[3], double steady,
                       double across, double *beside) {
    double ratio, curvature;
    opening_pulse_at(p, profile, middle_mm, &ratio, &curvature);
    const double change = curvature * l->spacing_mm * l->spacing_mm * across / 16;
    *beside = fmax(-MOST_SLIP, fmin(change, MOST_SLIP));
    return ratio * steady;
}

/* Velocity that the steady profile has at the middle of a link, for a mean velocity of 1. */
static double steady_at_middle(const lattice *l, const lattice_opening *o, const domain_condition *c,
                               const domain_link *link, double per_velocity, double flux) {
    return link->weight * flux / per_velocity + slip_of(l, o, c) - beside_middle(l, o, c, link->dir);
}

static void link_middle(const lattice *l, const domain *d, const domain_link *link, double lps_mm[3]) {
    lattice_centre_mm(l, d->stored[link->cell], lps_mm);
    for (int a = 0; a < 3; a++)
        lps_mm[a] += 0.5 * l->spacing_mm * lattice_e[link->dir][a];
}

/* Weights of the pulse profiles at a link, for a mean velocity of 1 (domain_link.weight before the division by
 * link_flux). weight [condition.pulse->n_profile] out. */
static void pulse_weights(const lattice *l, const domain *d, const domain_condition *condition, const domain_link *link,
                          double *weight) {
    const lattice_opening *o = &l->opening[link->opening - 1];
    const domain_condition *c = &condition[link->opening - 1];
    const double per_velocity = ladd_inward(o, d->directions, link->dir), across = across_of(o, link->dir);
    double middle[3], beside;
    link_middle(l, d, link, middle);
    const double flux = d->opening[link->opening - 1].link_flux;
    const double steady = link->weight != 0 ? steady_at_middle(l, o, c, link, per_velocity, flux) : 0;
    for (int j = 0; j < c->pulse->n_profile; j++) {
        const double value = pulse_at(l, c->pulse, j, middle, steady, across, &beside);
        weight[j] = link->weight != 0 ? per_velocity * (value + beside) : 0;
    }
}

/* As domain_openings_velocity for the steady profile (index 0) and the pulse profiles. u, e_u [1 + d->n_pulse] out. */
static bool profile_velocities(const lattice *l, const domain *d, const domain_condition *condition,
                               const domain_link *link, double *u, double *e_u) {
    const lattice_opening *o = &l->opening[link->opening - 1];
    const domain_condition *c = &condition[link->opening - 1];
    const double flux = d->opening[link->opening - 1].link_flux,
                 per_velocity = ladd_inward(o, d->directions, link->dir), across = across_of(o, link->dir);
    double middle[3], beside;
    if (!domain_openings_velocity(l, d->directions, condition, link, flux, &u[0], &e_u[0]))
        return false;
    link_middle(l, d, link, middle);
    for (int j = 0; j < d->n_pulse; j++) {
        beside = 0;
        if (j < c->pulse->n_profile)
            pulse_at(l, c->pulse, j, middle, 0, across, &beside);
        u[j + 1] = d->pulse_weight[link->pulse + j] / per_velocity - beside / flux;
        e_u[j + 1] = u[j + 1] * per_velocity / (6.0 * weight_of(d->directions, link->dir));
    }
    return true;
}

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
        pulse_weights(l, d, condition, k, weight);
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

/* Sums over the links of one opening, weighted by the share of each link. along, square: for each pair of profiles a,
 * b, sums of (e.u_a) (e.u_b) and of u_a u_b. known: sum of the shares. Links across the vessel have no velocity
 * (domain_openings_velocity) and are left out. */
typedef struct {
    exact_sum along[TERMS * TERMS], square[TERMS * TERMS], known;
} carried_sums;

static void carried_add(const lattice *l, const domain_condition *condition, const domain *d, const domain_link *k,
                        carried_sums *to) {
    const domain_opening *o = &d->opening[k->opening - 1];
    double u[TERMS], e_u[TERMS];
    if (!profile_velocities(l, d, condition, k, u, e_u))
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
