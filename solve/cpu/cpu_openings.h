/* SPDX-License-Identifier: Apache-2.0 */
/* Links of a group through openings and to moving walls. Included by cpu_step.c, which defines `real`. */
#ifndef PORTAFLOW_CPU_OPENINGS_H
#define PORTAFLOW_CPU_OPENINGS_H
#include "solve/cpu/cpu_buffer.h"

static bool half_way(const domain *d, const domain_link *k) {
    return domain_through(d, k) && !domain_on_site(d, k);
}

/* Writes the slots of links through openings, after an odd step. */
static void opening_slots_write(const cpu_state *s, const cpu_group *g, const run_buffer *b) {
    for (const domain_link *k = s->d->link + run_begin(s, g)->link; k < s->d->link + run_end(s, g)->link; k++)
        if (domain_through(s->d, k))
            slots(s, velocity_set_opposite(k->dir))[k->cell] = b->f[k->dir][k->cell - g->first];
}

/* Completes the populations that enter through half-way openings: f_a = slot + D. At a pressure opening D is 0. */
static void openings_arrive(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    const domain *d = s->d;
    for (const domain_link *k = d->link + run_begin(s, g)->link; k < d->link + run_end(s, g)->link; k++) {
        const int back = velocity_set_opposite(k->dir);
        if (half_way(d, k))
            b->f[back][k->cell - g->first] =
                slots(s, back)[k->cell] +
                (d->opening[k->opening - 1].kind == DOMAIN_FLOW ? (real)domain_inflow(d, k, s->given) : (real)0);
    }
}

static void moving_walls_arrive(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    const domain *d = s->d;
    for (const domain_link *k = d->link + run_begin(s, g)->link; k < d->link + run_end(s, g)->link; k++)
        if (k->opening && !domain_through(d, k))
            b->f[velocity_set_opposite(k->dir)][k->cell - g->first] +=
                (real)(k->weight * s->given[k->opening - 1].wall_speed) - (real)s->mass_correction;
}

/* Completes the populations that enter one cell through on-site openings. k .. end - 1: all links of this cell. Adds
 * the entering mass to *in_all. */
static void cell_on_site(const cpu_state *s, const cpu_group *g, run_buffer *b, const domain_link *k,
                         const domain_link *end, exact_sum *in_all) {
    const domain *d = s->d;
    const domain_opening *o = NULL;
    const int lane = k->cell - g->first;
    const real force[3] = {(real)s->force[0], (real)s->force[1], (real)s->force[2]};
    real f[LATTICE_Q], pressure = 0;
    double entered = 0;
    uint32_t in = 0;
    for (const domain_link *l = k; l < end; l++)
        if (domain_on_site(d, l)) {
            in |= 1u << velocity_set_opposite(l->dir);
            o = &d->opening[l->opening - 1];
            pressure = (real)s->given[l->opening - 1].pressure;
        }
    if (!o)
        return;
    const real inward[3] = {(real)-o->normal[0], (real)-o->normal[1], (real)-o->normal[2]};
    lane_copy(b, lane, f);
    const link_site site = link_site_of(f[0], f + 1, 1, in, inward, force, o->kind == DOMAIN_PRESSURE, pressure);
    for (; k < end; k++) {
        const int a = velocity_set_opposite(k->dir);
        if (!domain_on_site(d, k))
            continue;
        const double inflow = o->kind == DOMAIN_FLOW ? domain_inflow(d, k, s->given) : 0;
        b->f[a][lane] = link_site_arrive(a, f[k->dir], (real)inflow, &site, inward);
        entered += (double)b->f[a][lane] - (double)slots(s, a)[k->cell];
    }
    exact_sum_add(in_all, entered);
}

/* Completes the populations that enter through on-site openings. Call it after all other populations have arrived. */
static void on_site_arrive(const cpu_state *s, const cpu_group *g, run_buffer *b, exact_sum *entered) {
    const domain_link *k = s->d->link + run_begin(s, g)->link, *end = s->d->link + run_end(s, g)->link;
    while (k < end) {
        const domain_link *next = k;
        while (next < end && next->cell == k->cell)
            next++;
        cell_on_site(s, g, b, k, next, entered);
        k = next;
    }
}

/* Cached result of link_slope for a cell at one of its openings, computed at the first use. */
typedef struct {
    int opening; /* as domain_link.opening; 0: not computed yet */
    real slope[3];
} cpu_slope;

/* Mask of the directions that a cell with these links receives through `opening`. */
static uint32_t through_opening(const domain_link *k, const domain_link *end, int opening) {
    uint32_t in = 0;
    for (; k < end; k++)
        in |= k->opening == opening ? 1u << velocity_set_opposite(k->dir) : 0;
    return in;
}

/* Returns the part of an opening's slot that is known before the collision. For pressure openings and outflow (`out`
 * true) it is the whole slot; for inflow it is link_flow_before. f: populations before the collision; m: their moments;
 * rates: of the cell; `known`: cached link_slope of this cell. */
static real opening_beside(const cpu_state *s, const domain_link *k, int out, const real f[LATTICE_Q], const moments *m,
                           const collide_rates *rates, cpu_slope *known) {
    const domain_opening *o = &s->d->opening[k->opening - 1];
    const prescribed_value given = s->given[k->opening - 1];
    const int back = velocity_set_opposite(k->dir);
    const real normal[3] = {(real)o->normal[0], (real)o->normal[1], (real)o->normal[2]};
    if (out)
        return link_outflow_slot(k->dir, f[back], f[k->dir], m->density, m->u, rates->omega_plus,
                                 (real)domain_inflow(s->d, k, s->given));
    if (o->kind == DOMAIN_FLOW)
        return link_flow_before(back, f[back], f[k->dir], m->u);
    if (known->opening != k->opening && s->pressure_rate < 1)
        link_slope(f + 1, 1, m->u, normal, (real)1, rates->omega_plus, known->slope);
    known->opening = k->opening;
    return link_pressure_slot(k->dir, (real)given.pressure, f[back], f[k->dir], m->density, m->u, normal, known->slope,
                              rates, s->regularized, (real)s->pressure_rate);
}

/* A cell with links through half-way openings. Bit a of each mask refers to population a, which enters the cell. */
typedef struct {
    int lane;
    uint32_t through, in;   /* through: through any opening; in: through an opening with inflow */
    uint32_t pair;          /* links of outflow openings that use bounce-back (link_pairs) */
    real beside[LATTICE_Q]; /* opening_beside by direction a */
} cpu_opened;

/* Lists in `opened` the cells with links through half-way openings, one entry for each cell. Computes opening_beside of
 * each link from the populations before the collision. Returns the number of entries. */
static int openings_prepare(const cpu_state *s, const cpu_group *g, const run_buffer *b, cpu_opened *opened) {
    const domain *d = s->d;
    const domain_link *k = d->link + run_begin(s, g)->link, *end = d->link + run_end(s, g)->link;
    const collide_rates rates = rates_of(s);
    int n = 0;
    while (k < end) {
        cpu_opened *o = &opened[n];
        const domain_link *next = k;
        real f[LATTICE_Q];
        moments m = {0};
        collide_rates own = rates;
        cpu_slope slope = {0};
        *o = (cpu_opened){.lane = k->cell - g->first};
        bool rates_needed = !s->viscosity; /* inflow needs no relaxation rates (opening_beside) */
        for (; next < end && next->cell == k->cell; next++)
            if (half_way(d, next)) {
                o->through |= 1u << velocity_set_opposite(next->dir);
                rates_needed |= d->opening[next->opening - 1].kind != DOMAIN_FLOW ||
                                link_flow_leaves(s->given[next->opening - 1].flow);
            }
        if (o->through) {
            lane_copy(b, o->lane, f);
            if (rates_needed)
                own = rates_with(s, &rates, k->cell, f);
            moments_velocity(f, &own, &m);
            n++;
        }
        for (const domain_link *first = k; o->through && k < next; k++) {
            const int back = velocity_set_opposite(k->dir);
            if (!half_way(d, k))
                continue;
            const int flow = d->opening[k->opening - 1].kind == DOMAIN_FLOW;
            const int leaves = flow && link_flow_leaves(s->given[k->opening - 1].flow);
            /* dir is 1..26: NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult) */
            const uint32_t bit = 1u << back;
            const uint32_t pair = leaves ? bit & link_pairs(through_opening(first, next, k->opening)) : 0;
            o->beside[back] = pair ? 0 : opening_beside(s, k, leaves, f, &m, &own, &slope);
            o->pair |= pair;
            o->in |= flow && !leaves ? bit : 0;
        }
        k = next;
    }
    return n;
}

/* Completes `beside` of the inflow links with the populations after the collision (solve/BOUNDARY_LINKS.md, eq. 6). */
static void inflows_finish(cpu_opened *opened, int n, const run_buffer *b) {
    for (cpu_opened *o = opened; o < opened + n; o++)
        link_flow_finish(o->in, o->in, &b->f[1][o->lane], LANES, o->beside);
}

/* Sets the slots of half-way openings. Adds the entering mass to *in_all, without the term D of
 * solve/BOUNDARY_LINKS.md, eq. 1. */
static void openings_leave(const cpu_state *s, const cpu_group *g, const cpu_opened *opened, int n, run_buffer *b,
                           exact_sum *in_all) {
    for (const cpu_opened *o = opened; o < opened + n; o++) {
        const double fluid = s->d->fluid ? (double)s->d->fluid[g->first + o->lane] : 1.0;
        double entered = 0;
        for (uint32_t rest = o->through; rest; rest &= rest - 1) {
            const int a = KERNEL_LOWEST(rest), in = (int)((o->in | o->pair) >> a & 1u);
            real *slot = &b->f[velocity_set_opposite(a)][o->lane];
            const double left = (double)*slot;
            *slot = link_opening_leave(o->beside[a], *slot, in);
            entered += in ? 0.0 : fluid * ((double)*slot - left);
        }
        exact_sum_add(in_all, entered);
    }
}
#endif
