/* SPDX-License-Identifier: Apache-2.0 */
/* The temperature populations of a group of cells, and the step with both distributions. Included last by
 * cpu_step.c. */
#ifndef PORTAFLOW_CPU_HEAT_H
#define PORTAFLOW_CPU_HEAT_H
#include "solve/cpu/cpu_buffer.h"
#include "solve/kernels/heat_cell.h"

typedef struct {
    _Alignas(64) real g[7][LANES];
} heat_buffer;

/* A cut link in the form that a heat_buffer uses. Links of a group through openings come first, because a wall may need
 * the value that entered through an opening; wall links follow. Openings and walls are each sorted by direction, so
 * that successive links use different lanes. */
typedef struct {
    int32_t cell;
    uint8_t lane, dir;
    int16_t side;
    heat_coefficients w;
} cpu_heat_link;

static void heat_links_fill(const heat_settings *h, const cpu_group *group, int64_t n_group, const heat_link *link,
                            int64_t n_link, void *to, int64_t *first) {
    cpu_heat_link *at = to;
    int64_t begin = 0, end = 0;
    for (int64_t n = 0; n < n_group; n++, begin = end) {
        first[n] = begin;
        while (end < n_link && link[end].cell < group[n + 1].first)
            end++;
        for (int dir = 1; dir < 13; dir++)
            for (int64_t k = begin; k < end; k++) {
                const heat_side *side = &h->side[link[k].side];
                if (link[k].dir + (link[k].side < h->n_wall ? 6 : 0) != dir)
                    continue;
                *at++ =
                    (cpu_heat_link){link[k].cell, (uint8_t)(link[k].cell - group[n].first), link[k].dir, link[k].side,
                                    side->kind == HEAT_GIVEN  ? heat_wall((real)link[k].q, (real)side->temperature)
                                    : side->kind == HEAT_FREE ? heat_free()
                                                              : heat_no_flux()};
            }
    }
    first[n_group] = end;
}

static inline real *heat_slots(const cpu_state *s, int a) {
    return (real *)s->heat.pop + (int64_t)a * s->stride;
}
static inline const cpu_heat_link *heat_link_begin(const cpu_state *s, const cpu_group *g) {
    return (const cpu_heat_link *)s->heat.link + s->heat.first[g - s->group];
}
static inline const cpu_heat_link *heat_link_end(const cpu_state *s, const cpu_group *g) {
    return (const cpu_heat_link *)s->heat.link + s->heat.first[g - s->group + 1];
}

static heat_rates heat_rates_of(const cpu_state *s) {
    const heat_settings *h = s->heat.settings;
    return (heat_rates){
        (real)h->omega_plus, (real)h->omega_minus, {(real)h->buoyancy[0], (real)h->buoyancy[1], (real)h->buoyancy[2]}};
}

/* Work space of a loop over groups: flow and temperature populations of a group, with zeros beyond its last cell, and
 * the rates. */
typedef struct {
    run_buffer f;
    heat_buffer g;
    collide_rates rates;
    heat_rates heat;
} heat_work;

static void heat_work_start(const cpu_state *s, heat_work *w) {
    memset(w, 0, sizeof *w);
    w->rates = rates_of(s);
    w->heat = heat_rates_of(s);
}

static inline void heat_read_even(const cpu_state *s, const cpu_group *g, heat_buffer *b) {
    for (int a = 0; a < 7; a++)
        lanes_read(b->g[a], heat_slots(s, a) + g->first, g->count);
}

static inline void heat_read_odd(const cpu_state *s, const cpu_group *g, heat_buffer *b) {
    lanes_read(b->g[0], heat_slots(s, 0) + g->first, g->count);
    for (const domain_run *r = run_begin(s, g), *end = run_end(s, g); r < end; r++)
        for (int a = 1; a < 7; a++)
            lanes_read(b->g[a] + r->first - g->first, heat_slots(s, velocity_set_opposite(a)) + r->source[a], r->count);
}

static inline void heat_write_even(const cpu_state *s, const cpu_group *g, const heat_buffer *b) {
    lanes_write(heat_slots(s, 0) + g->first, b->g[0], g->count);
    for (int a = 1; a < 7; a++)
        lanes_write(heat_slots(s, velocity_set_opposite(a)) + g->first, b->g[a], g->count);
}

static inline void heat_write_odd(const cpu_state *s, const cpu_group *g, const heat_buffer *b) {
    lanes_write(heat_slots(s, 0) + g->first, b->g[0], g->count);
    for (const domain_run *r = run_begin(s, g), *end = run_end(s, g); r < end; r++)
        for (int a = 1; a < 7; a++) {
            const int back = velocity_set_opposite(a), low = r->low[back];
            lanes_write(heat_slots(s, a) + r->source[back] + low, b->g[a] + r->first - g->first + low,
                        r->high[back] - low);
        }
    for (const cpu_heat_link *k = heat_link_begin(s, g), *end = heat_link_end(s, g); k < end; k++)
        heat_slots(s, velocity_set_opposite(k->dir))[k->cell] = b->g[k->dir][k->lane];
}

static inline void heat_links_arrive(const cpu_state *s, const cpu_group *g, heat_buffer *b) {
    for (const cpu_heat_link *k = heat_link_begin(s, g), *end = heat_link_end(s, g); k < end; k++) {
        const int back = velocity_set_opposite(k->dir);
        b->g[back][k->lane] = heat_arrive(k->w, heat_slots(s, back)[k->cell], b->g[k->dir][k->lane]);
    }
}

/* Reads the temperature populations g of a group after an even step, as the next step would read them.
 * populations_arrived() does the same for f. */
static inline void heat_arrived(const cpu_state *s, const cpu_group *g, heat_buffer *b) {
    heat_read_even(s, g, b);
    heat_links_arrive(s, g, b);
}

static inline void lane_copy_heat(const heat_buffer *b, int lane, real g[7]) {
    for (int a = 0; a < 7; a++)
        g[a] = b->g[a][lane];
}

/* Sets the temperature slots of cut links, after the collision. The temperature theta of every link's cell is computed
 * first, because a slot replaces an outgoing population of its cell. */
static inline void heat_links_leave(const cpu_state *s, const cpu_group *g, heat_buffer *b) {
    real theta[LANES];
    const cpu_heat_link *begin = heat_link_begin(s, g), *end = heat_link_end(s, g);
    for (const cpu_heat_link *k = begin; k < end; k++) {
        real own[7];
        lane_copy_heat(b, k->lane, own);
        theta[k->lane] = heat_theta(own);
    }
    for (const cpu_heat_link *k = begin; k < end; k++) {
        const real own = b->g[k->dir][k->lane], back = b->g[velocity_set_opposite(k->dir)][k->lane];
        b->g[k->dir][k->lane] = heat_leave(k->w, own, back, theta[k->lane]);
    }
}

static inline __attribute__((always_inline)) void heat_collide_lanes(run_buffer *b, heat_buffer *h, int count,
                                                                     const collide_rates rates, const heat_rates heat,
                                                                     bool regularized) {
    const int whole = (count + VECTOR - 1) / VECTOR * VECTOR;
    LANES_INDEPENDENT
    for (int l = 0; l < whole; l++) {
        real f[19], g[7];
#define TAKE(a) f[a] = b->f[a][l];
#define GIVE(a) b->f[a][l] = f[a];
        EACH_POPULATION(TAKE)
        for (int a = 0; a < 7; a++)
            g[a] = h->g[a][l];
        heat_collide_cell(f, g, &rates, &heat, regularized);
        EACH_POPULATION(GIVE)
        for (int a = 0; a < 7; a++)
            h->g[a][l] = g[a];
#undef TAKE
#undef GIVE
    }
}

/* Stores the temperatures of a group for functions that need the force of its cells (rates_at). */
static inline void heat_theta_note(const cpu_state *s, const cpu_group *g, const heat_buffer *b) {
    for (int l = 0; l < g->count; l++) {
        real own[7];
        lane_copy_heat(b, l, own);
        s->heat.theta[g->first + l] = (double)heat_theta(own);
    }
}

static void step_heat(const cpu_state *s, int odd, int64_t begin, int64_t end) {
    heat_work w;
    cpu_opened opened[CPU_GROUP_MAX];
    heat_work_start(s, &w);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        if (odd) {
            read_odd(s, g, &w.f);
            heat_read_odd(s, g, &w.g);
        } else {
            read_even(s, g, &w.f);
            heat_read_even(s, g, &w.g);
        }
        heat_links_arrive(s, g, &w.g);
        heat_theta_note(s, g, &w.g);
        links_arrive(s, g, odd, &w.f, &s->entered[n]);
        const int n_opened = g->through ? openings_prepare(s, g, &w.f, opened) : 0;
        if (s->regularized)
            heat_collide_lanes(&w.f, &w.g, g->count, w.rates, w.heat, true);
        else
            heat_collide_lanes(&w.f, &w.g, g->count, w.rates, w.heat, false);
        inflows_finish(opened, n_opened, &w.f);
        links_leave(s, g, &w.f);
        heat_links_leave(s, g, &w.g);
        if (g->through)
            openings_leave(s, g, opened, n_opened, &w.f, &s->entered[n]);
        if (odd) {
            write_odd(s, g, &w.f);
            heat_write_odd(s, g, &w.g);
        } else {
            write_even(s, g, &w.f);
            heat_write_even(s, g, &w.g);
        }
    }
}

/* Adds the heat that enters through the links of a group in the next step to flux, assuming unchanged outgoing
 * populations g_i. */
static void heat_flux_add(const cpu_state *s, const cpu_group *g, const heat_work *w, double *flux) {
    for (const cpu_heat_link *k = heat_link_begin(s, g), *end = heat_link_end(s, g); k < end; k++) {
        real f[19], before[7], after[7];
        const int back = velocity_set_opposite(k->dir);
        lane_copy(&w->f, k->lane, f);
        lane_copy_heat(&w->g, k->lane, before);
        lane_copy_heat(&w->g, k->lane, after);
        heat_collide_cell(f, after, &w->rates, &w->heat, s->regularized);
        const real slot = heat_leave(k->w, after[k->dir], after[back], heat_theta(after));
        flux[k->side] += (double)heat_arrive(k->w, slot, before[k->dir]) - (double)after[k->dir];
    }
}

static void heat_monitor(const cpu_state *s, int64_t begin, int64_t end, cpu_heat_sums *sums) {
    heat_work w;
    heat_work_start(s, &w);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        heat_arrived(s, g, &w.g);
        for (int l = 0; l < g->count; l++) {
            real own[7];
            lane_copy_heat(&w.g, l, own);
            const double theta = (double)heat_theta(own), change = theta - (double)s->heat.theta_old[g->first + l];
            sums->of[0] += change * change;
            sums->of[1] += theta * theta;
            sums->of[2] += theta;
            s->heat.theta[g->first + l] = theta;
            s->heat.theta_old[g->first + l] = (float)theta;
            if (!isfinite(theta) && sums->bad_cell < 0)
                sums->bad_cell = g->first + l;
        }
        if (heat_link_begin(s, g) == heat_link_end(s, g))
            continue;
        populations_arrived(s, g, &w.f);
        heat_flux_add(s, g, &w, sums->of + BACKEND_HEAT);
    }
}

/* Computes the gradient [n_cell][3] of theta after an even step; also stores theta of all cells. */
static void heat_gradients(const cpu_state *s, int64_t begin, int64_t end, float *gradient) {
    heat_work w;
    heat_work_start(s, &w);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        heat_arrived(s, g, &w.g);
        heat_theta_note(s, g, &w.g);
        if (!gradient)
            continue;
        populations_arrived(s, g, &w.f);
        for (int l = 0; l < g->count; l++) {
            real own[7];
            lane_copy_heat(&w.g, l, own);
            const real theta = heat_theta(own);
            const moments m = lane_moments(s, g, &w.f, l, &w.rates);
            for (int k = 0; k < 3; k++)
                gradient[3 * (int64_t)(g->first + l) + k] =
                    (float)heat_gradient(own[1 + 2 * k], own[2 + 2 * k], theta, m.u[k], &w.heat);
        }
    }
}
#endif
