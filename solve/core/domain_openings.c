/* SPDX-License-Identifier: Apache-2.0 */
/* See domain_openings.h. */
#include "solve/core/domain_openings.h"
#include "common/base/vec.h"
#include "common/case/case.h"
#include <math.h>

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
 * half of the negative Laplacian, which is 16 over the squared hydraulic diameter. The value is exact in a circle, and
 * one sixth too low in an ellipse with axes 4 to 1. */
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

void domain_openings_pulse(const lattice *l, const domain *d, const domain_condition *condition,
                           const domain_link *link, double *weight) {
    const lattice_opening *o = &l->opening[link->opening - 1];
    const domain_condition *c = &condition[link->opening - 1];
    const double per_velocity = ladd_inward(o, d->directions, link->dir), across = across_of(o, link->dir);
    double middle[3], beside;
    lattice_centre_mm(l, d->stored[link->cell], middle);
    for (int a = 0; a < 3; a++)
        middle[a] += 0.5 * l->spacing_mm * lattice_e[link->dir][a];
    const double flux = d->opening[link->opening - 1].link_flux;
    const double steady = link->weight != 0 ? steady_at_middle(l, o, c, link, per_velocity, flux) : 0;
    for (int j = 0; j < c->pulse->n_profile; j++) {
        const double value = pulse_at(l, c->pulse, j, middle, steady, across, &beside);
        weight[j] = link->weight != 0 ? per_velocity * (value + beside) : 0;
    }
}

bool domain_openings_velocities(const lattice *l, const domain *d, const domain_condition *condition,
                                const domain_link *link, double *u, double *e_u) {
    const lattice_opening *o = &l->opening[link->opening - 1];
    const domain_condition *c = &condition[link->opening - 1];
    const double flux = d->opening[link->opening - 1].link_flux,
                 per_velocity = ladd_inward(o, d->directions, link->dir), across = across_of(o, link->dir);
    double middle[3], beside;
    if (!domain_openings_velocity(l, d->directions, condition, link, flux, &u[0], &e_u[0]))
        return false;
    lattice_centre_mm(l, d->stored[link->cell], middle);
    for (int a = 0; a < 3; a++)
        middle[a] += 0.5 * l->spacing_mm * lattice_e[link->dir][a];
    for (int j = 0; j < d->n_pulse; j++) {
        beside = 0;
        if (j < c->pulse->n_profile)
            pulse_at(l, c->pulse, j, middle, 0, across, &beside);
        u[j + 1] = d->pulse_weight[link->pulse + j] / per_velocity - beside / flux;
        e_u[j + 1] = u[j + 1] * per_velocity / (6.0 * weight_of(d->directions, link->dir));
    }
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
