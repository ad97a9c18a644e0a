/* Compiled once per precision and instruction set: -DCPU_REAL=float -DCPU_NAME=cpu_kernel_float_avx512
 * -DCPU_ISA="avx512".
 *
 * A group of runs is brought into a buffer [19][lanes], mended at its cut links, collided lane by lane (the compiler
 * vectorises this loop), mended again and written back to the slots it came from. */
#include "solve/cpu/cpu_kernel.h"
#include <math.h>
#include <string.h>

typedef CPU_REAL real;
#include "solve/kernels/collide.h"
#include "solve/kernels/link.h"
#include "solve/kernels/moments.h"

enum { LANES = CPU_LANES, VECTOR = 64 / (int)sizeof(real) };

typedef struct {
    _Alignas(64) real f[19][LANES];
} run_buffer;

/* A cut link ready for the buffer. Within a group first the walls, then inlets and outlets, each by direction:
 * neighbours in the list touch different lanes. */
typedef struct {
    int32_t cell;
    uint8_t lane, dir; /* dir points out of the fluid */
    link_coefficients w;
} cpu_link;

static void links_fill(const domain *d, const cpu_group *group, int64_t n_group, void *link) {
    for (int64_t n = 0; n < n_group; n++) {
        const int64_t begin = d->run[group[n].run].link, end = d->run[group[n + 1].run].link;
        cpu_link *to = (cpu_link *)link + begin;
        for (int i = 1; i < 37; i++)
            for (int64_t k = begin; k < end; k++)
                if (d->link[k].dir + (domain_through(d, &d->link[k]) ? 18 : 0) == i)
                    *to++ = (cpu_link){d->link[k].cell, (uint8_t)(d->link[k].cell - group[n].first), d->link[k].dir,
                                       link_wall((real)d->link[k].q)};
    }
}

static inline real *slots(const cpu_state *s, int a) {
    return (real *)s->pop + (int64_t)a * s->stride;
}

/* Whole vectors: reads up to 63 bytes beyond count, which the padding of the arrays allows. */
static inline void lanes_read(real *restrict to, const real *restrict from, int count) {
    for (int l = 0; l < count; l += VECTOR)
        memcpy(to + l, from + l, 64);
}

/* Exactly count values; the tail is written by an overlapping move. */
static inline void lanes_write(real *restrict to, const real *restrict from, int count) {
    int l = 0;
    for (; l + VECTOR <= count; l += VECTOR)
        memcpy(to + l, from + l, 64);
    if (l == count)
        return;
    if (count >= VECTOR)
        memcpy(to + count - VECTOR, from + count - VECTOR, 64);
    else if (count >= VECTOR / 2) {
        memcpy(to, from, 32);
        memcpy(to + count - VECTOR / 2, from + count - VECTOR / 2, 32);
    } else if (count >= VECTOR / 4) {
        memcpy(to, from, 16);
        memcpy(to + count - VECTOR / 4, from + count - VECTOR / 4, 16);
    } else
        for (; l < count; l++)
            to[l] = from[l];
}

static inline const domain_run *run_begin(const cpu_state *s, const cpu_group *g) {
    return s->d->run + g->run;
}
static inline const domain_run *run_end(const cpu_state *s, const cpu_group *g) {
    return s->d->run + g[1].run;
}
static inline const cpu_link *link_begin(const cpu_state *s, const cpu_group *g) {
    return (const cpu_link *)s->link + run_begin(s, g)->link;
}
static inline const cpu_link *link_end(const cpu_state *s, const cpu_group *g) {
    return (const cpu_link *)s->link + run_end(s, g)->link;
}

static inline void read_even(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    for (int a = 0; a < 19; a++)
        lanes_read(b->f[a], slots(s, a) + g->first, g->count);
}

static inline void read_odd(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    lanes_read(b->f[0], slots(s, 0) + g->first, g->count);
    for (const domain_run *r = run_begin(s, g), *end = run_end(s, g); r < end; r++)
        for (int a = 1; a < 19; a++)
            lanes_read(b->f[a] + r->first - g->first, slots(s, d3q19_opposite(a)) + r->source[a], r->count);
}

static inline void write_even(const cpu_state *s, const cpu_group *g, const run_buffer *b) {
    lanes_write(slots(s, 0) + g->first, b->f[0], g->count);
    for (int a = 1; a < 19; a++)
        lanes_write(slots(s, d3q19_opposite(a)) + g->first, b->f[a], g->count);
}

static inline void write_odd(const cpu_state *s, const cpu_group *g, const run_buffer *b) {
    lanes_write(slots(s, 0) + g->first, b->f[0], g->count);
    for (const domain_run *r = run_begin(s, g), *end = run_end(s, g); r < end; r++)
        for (int a = 1; a < 19; a++) {
            const int back = d3q19_opposite(a), low = r->low[back];
            lanes_write(slots(s, a) + r->source[back] + low, b->f[a] + r->first - g->first + low, r->high[back] - low);
        }
    for (const cpu_link *k = link_begin(s, g), *end = link_end(s, g); k < end; k++)
        slots(s, d3q19_opposite(k->dir))[k->cell] = b->f[k->dir][k->lane];
}

static bool half_way(const domain *d, const domain_link *k) {
    return domain_through(d, k) && !domain_on_site(d, k);
}

/* Flow and pressure openings that stand half-way; D of a pressure is 0. */
static void openings_arrive(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    const domain *d = s->d;
    for (const domain_link *k = d->link + run_begin(s, g)->link; k < d->link + run_end(s, g)->link; k++) {
        const int back = d3q19_opposite(k->dir);
        if (half_way(d, k))
            b->f[back][k->cell - g->first] =
                slots(s, back)[k->cell] + (d->opening[k->opening - 1].kind == DOMAIN_FLOW
                                               ? (real)(k->weight * s->value[k->opening - 1])
                                               : (real)0);
    }
}

static void moving_walls_arrive(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    const domain *d = s->d;
    for (const domain_link *k = d->link + run_begin(s, g)->link; k < d->link + run_end(s, g)->link; k++)
        if (k->opening && !domain_through(d, k))
            b->f[d3q19_opposite(k->dir)][k->cell - g->first] +=
                (real)(k->weight * s->value[k->opening - 1]) - (real)s->gain;
}

static inline void lane_copy(const run_buffer *b, int lane, real f[19]) {
    for (int a = 0; a < 19; a++)
        f[a] = b->f[a][lane];
}

/* One cell: its links from k up to `end`. Returns the mass that comes in. */
static double cell_on_site(const cpu_state *s, const cpu_group *g, run_buffer *b, const domain_link *k,
                           const domain_link *end) {
    const domain *d = s->d;
    const domain_opening *o = NULL;
    const int lane = k->cell - g->first;
    const real force[3] = {(real)s->force[0], (real)s->force[1], (real)s->force[2]};
    real f[19], value = 0;
    double entered = 0;
    uint32_t in = 0;
    for (const domain_link *l = k; l < end; l++)
        if (domain_on_site(d, l)) {
            in |= 1u << d3q19_opposite(l->dir);
            o = &d->opening[l->opening - 1];
            value = (real)s->value[l->opening - 1];
        }
    if (!o)
        return 0;
    const real inward[3] = {(real)-o->normal[0], (real)-o->normal[1], (real)-o->normal[2]};
    lane_copy(b, lane, f);
    const link_site site = link_site_of(f[0], f + 1, 1, in, inward, force, o->kind == DOMAIN_PRESSURE, value);
    for (; k < end; k++) {
        const int a = d3q19_opposite(k->dir);
        if (!domain_on_site(d, k))
            continue;
        b->f[a][lane] = link_site_arrive(a, f[k->dir], (real)(k->weight * s->value[k->opening - 1]), &site, inward);
        entered += (double)b->f[a][lane] - (double)slots(s, a)[k->cell];
    }
    return entered;
}

/* After everything else has arrived. */
static double on_site_arrive(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    const domain_link *k = s->d->link + run_begin(s, g)->link, *end = s->d->link + run_end(s, g)->link;
    double entered = 0;
    while (k < end) {
        const domain_link *next = k;
        while (next < end && next->cell == k->cell)
            next++;
        entered += cell_on_site(s, g, b, k, next);
        k = next;
    }
    return entered;
}

/* Incoming populations of the cut links, before the collision. A wall link may need what came in through an opening.
 * Returns the mass that on-site openings let in. */
static inline double links_arrive(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    const real gain = (real)s->gain;
    const domain *d = s->d;
    if (g->opening)
        openings_arrive(s, g, b);
    for (const cpu_link *k = link_begin(s, g), *end = link_end(s, g) - g->through; k < end; k++) {
        const int back = d3q19_opposite(k->dir);
        const real received = b->f[k->dir][k->lane];
        b->f[back][k->lane] = link_arrive(k->w, slots(s, back)[k->cell], received) + gain;
    }
    if (g->opening)
        moving_walls_arrive(s, g, b);
    for (const domain_partial *p = d->partial + run_begin(s, g)->partial; p < d->partial + run_end(s, g)->partial;
         p++) {
        real *mixed = &b->f[p->dir][p->cell - g->first];
        *mixed = link_partial_arrive((real)p->theta, ((const real *)s->kept)[p - d->partial], *mixed);
    }
    return g->on_site ? on_site_arrive(s, g, b) : 0;
}

static collide_rates rates_of(const cpu_state *s) {
    return (collide_rates){(real)s->omega_plus,
                           (real)s->omega_minus,
                           {(real)s->force[0], (real)s->force[1], (real)s->force[2]},
                           (real)s->most,
                           (real)s->fourth};
}

/* Of the link's opening in this step. */
static bool flows_out(const cpu_state *s, const domain_link *k) {
    return s->d->opening[k->opening - 1].kind == DOMAIN_FLOW && s->value[k->opening - 1] < 0;
}

static real opening_beside(const cpu_state *s, const domain_link *k, const real f[19], const moments *m) {
    const domain_opening *o = &s->d->opening[k->opening - 1];
    const int back = d3q19_opposite(k->dir);
    const real normal[3] = {(real)o->normal[0], (real)o->normal[1], (real)o->normal[2]};
    if (flows_out(s, k))
        return link_outflow_slot(k->dir, f[back], f[k->dir], m->density, m->u, (real)s->omega_plus,
                                 (real)(k->weight * s->value[k->opening - 1]));
    if (o->kind == DOMAIN_FLOW)
        return link_flow_before(back, f[back], f[k->dir], m->u);
    return link_pressure_slot(k->dir, (real)s->value[k->opening - 1], f[back], f[k->dir], m->density, m->u, normal,
                              (real)s->omega_plus, (real)s->omega_minus, (real)s->pressure_rate, (real)s->outlet_keep);
}

/* Slots of openings (pressure, flow out), of flow that comes in link_flow_before: [links through
 * openings of the group], in the order of d->link. From the populations before the collision. */
static void openings_prepare(const cpu_state *s, const cpu_group *g, const run_buffer *b, real *beside) {
    const domain *d = s->d;
    const domain_link *k = d->link + run_begin(s, g)->link, *end = d->link + run_end(s, g)->link;
    const collide_rates rates = rates_of(s);
    while (k < end) {
        const int lane = k->cell - g->first;
        const domain_link *next = k;
        int through = 0;
        for (; next < end && next->cell == k->cell; next++)
            through += half_way(d, next);
        real f[19];
        moments m = {0};
        if (through > 0) {
            lane_copy(b, lane, f);
            moments_velocity(f, &rates, &m);
        }
        for (; k < next; k++)
            if (half_way(d, k))
                *beside++ = opening_beside(s, k, f, &m);
    }
}

static bool flows_in(const cpu_state *s, const domain_link *k) {
    return half_way(s->d, k) && s->d->opening[k->opening - 1].kind == DOMAIN_FLOW && !flows_out(s, k);
}

/* Of flow that comes in, from the populations after the collision: what the slots hold beside f_i'. */
static void inflows_finish(const cpu_state *s, const cpu_group *g, const run_buffer *b, real *beside) {
    const domain_link *k = s->d->link + run_begin(s, g)->link, *end = s->d->link + run_end(s, g)->link;
    while (k < end) {
        const domain_link *next = k;
        real sum = 0, weights = 0;
        int n = 0;
        for (; next < end && next->cell == k->cell; next++) {
            if (flows_in(s, next)) {
                const int lane = next->cell - g->first, back = d3q19_opposite(next->dir);
                beside[n] += (real)0.5 * (b->f[back][lane] - b->f[next->dir][lane]);
                sum += beside[n];
                weights += d3q19_weight(back);
            }
            n += half_way(s->d, next);
        }
        for (; k < next; k++) {
            if (flows_in(s, k))
                *beside = link_flow_slot(k->dir, *beside, sum / weights);
            beside += half_way(s->d, k);
        }
    }
}

/* Slots of a half-way rule. Returns the mass that comes in by it, without D. */
static double openings_leave(const cpu_state *s, const cpu_group *g, run_buffer *b, const real *beside) {
    const domain *d = s->d;
    double entered = 0;
    for (const domain_link *k = d->link + run_begin(s, g)->link; k < d->link + run_end(s, g)->link; k++) {
        real *slot = &b->f[k->dir][k->cell - g->first];
        if (!half_way(d, k))
            continue;
        const bool in = flows_in(s, k);
        const double fluid = d->fluid ? (double)d->fluid[k->cell] : 1.0, left = (double)*slot;
        // openings_prepare has met the same links: NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
        *slot = *beside++ + (in ? *slot : (real)0);
        entered += in ? 0.0 : fluid * ((double)*slot - left);
    }
    return entered;
}

/* What the slots of the cut links hold, after the collision. */
static inline void links_leave(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    const domain *d = s->d;
    for (const domain_partial *p = d->partial + run_begin(s, g)->partial; p < d->partial + run_end(s, g)->partial; p++)
        ((real *)s->kept)[p - d->partial] =
            link_partial_leave((real)p->theta, b->f[d3q19_opposite(p->dir)][p->cell - g->first]);
    for (const cpu_link *k = link_begin(s, g), *end = link_end(s, g); k < end; k++) {
        const real own = b->f[k->dir][k->lane], back = b->f[d3q19_opposite(k->dir)][k->lane];
        b->f[k->dir][k->lane] = link_leave(k->w, own, back);
    }
}

#ifdef __clang__
#define LANES_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANES_INDEPENDENT _Pragma("GCC ivdep")
#endif

#define EACH_POPULATION(DO)                                                                                            \
    DO(0)                                                                                                              \
    DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18)

static inline __attribute__((always_inline)) void collide_cell(real f[19], const collide_rates *rates, bool forced,
                                                               bool regularized) {
    if (regularized)
        collide_regularized(f, rates, 1, forced);
    else
        collide_scaled(f, rates, 1, forced);
}

static inline __attribute__((always_inline)) void collide_lanes(run_buffer *b, int count, const collide_rates rates,
                                                                bool forced, bool regularized) {
    const int whole = (count + VECTOR - 1) / VECTOR * VECTOR;
    LANES_INDEPENDENT
    for (int l = 0; l < whole; l++) {
        real f[19];
#define TAKE(a) f[a] = b->f[a][l];
#define GIVE(a) b->f[a][l] = f[a];
        EACH_POPULATION(TAKE)
        collide_cell(f, &rates, forced, regularized);
        EACH_POPULATION(GIVE)
#undef TAKE
#undef GIVE
    }
}

static void step(const cpu_state *s, int odd, int64_t begin, int64_t end) {
    run_buffer b;
    real beside[18 * CPU_GROUP_MAX];
    const collide_rates rates = rates_of(s),
                        calm = {rates.omega_plus, rates.omega_minus, {0, 0, 0}, rates.most, rates.fourth};
    memset(&b, 0, sizeof b);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        if (odd)
            read_odd(s, g, &b);
        else
            read_even(s, g, &b);
        const double entered = links_arrive(s, g, &b);
        if (g->through)
            openings_prepare(s, g, &b, beside);
        if (s->forced && s->regularized)
            collide_lanes(&b, g->count, rates, true, true);
        else if (s->forced)
            collide_lanes(&b, g->count, rates, true, false);
        else if (s->regularized)
            collide_lanes(&b, g->count, calm, false, true);
        else
            collide_lanes(&b, g->count, calm, false, false);
        if (g->through)
            inflows_finish(s, g, &b, beside);
        links_leave(s, g, &b);
        if (g->through)
            s->entered[n] += entered + openings_leave(s, g, &b, beside);
        if (odd)
            write_odd(s, g, &b);
        else
            write_even(s, g, &b);
    }
}

static moments lane_moments(const run_buffer *b, int lane, const collide_rates *rates) {
    real f[19];
    moments m;
    lane_copy(b, lane, f);
    moments_velocity(f, rates, &m);
    moments_stress(f, rates, &m);
    return m;
}

static void moments_of_groups(const cpu_state *s, int64_t begin, int64_t end, float *density, float *velocity,
                              float *stress) {
    run_buffer b;
    const collide_rates rates = rates_of(s);
    memset(&b, 0, sizeof b);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        read_even(s, g, &b);
        links_arrive(s, g, &b);
        for (int l = 0; l < g->count; l++) {
            const moments m = lane_moments(&b, l, &rates);
            const int64_t c = g->first + l;
            if (density)
                density[c] = (float)m.density;
            for (int k = 0; velocity && k < 3; k++)
                velocity[3 * c + k] = (float)m.u[k];
            for (int k = 0; stress && k < 6; k++)
                stress[6 * c + k] = (float)m.stress[k];
        }
    }
}

static void monitor(const cpu_state *s, int64_t begin, int64_t end, float *velocity_old, cpu_sums *sums) {
    run_buffer b;
    const collide_rates rates = rates_of(s);
    memset(&b, 0, sizeof b);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        read_even(s, g, &b);
        links_arrive(s, g, &b);
        for (int l = 0; l < g->count; l++) {
            const moments m = lane_moments(&b, l, &rates);
            const int64_t c = g->first + l;
            double square = 0;
            for (int k = 0; k < 3; k++) {
                const double difference = (double)m.u[k] - velocity_old[3 * c + k];
                velocity_old[3 * c + k] = (float)m.u[k];
                sums->change += difference * difference;
                square += (double)m.u[k] * m.u[k];
            }
            sums->square += square;
            sums->mass += m.density * (s->d->fluid ? (double)s->d->fluid[c] : 1.0);
            if (!(square < 0.25 && isfinite((double)m.density)) && sums->bad_cell < 0)
                sums->bad_cell = c;
            if (square > sums->velocity_max)
                sums->velocity_max = square;
        }
    }
}

static void openings(const cpu_state *s, int64_t begin, int64_t end, double *flow, double *density, double *links) {
    run_buffer b;
    const collide_rates rates = rates_of(s);
    memset(&b, 0, sizeof b);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        if (!g->opening)
            continue;
        read_even(s, g, &b);
        links_arrive(s, g, &b);
        for (const domain_link *k = s->d->link + run_begin(s, g)->link; k < s->d->link + run_end(s, g)->link; k++) {
            if (!k->opening)
                continue;
            const int o = k->opening - 1, lane = k->cell - g->first;
            const moments m = lane_moments(&b, lane, &rates);
            const double fluid = s->d->fluid ? (double)s->d->fluid[k->cell] : 1.0;
            /* slot - f_i' of the link: half-way D for a flow (the rest has no sum), of a pressure that of the next step */
            real f[19];
            lane_copy(&b, lane, f);
            const int back = d3q19_opposite(k->dir);
            double gain = k->weight * s->value[o];
            if (s->d->opening[o].on_site)
                gain = (double)f[back] - (double)slots(s, back)[k->cell];
            else if (s->d->opening[o].kind == DOMAIN_PRESSURE) {
                gain = (double)opening_beside(s, k, f, &m);
                collide_cell(f, &rates, s->forced, s->regularized);
                gain -= (double)f[k->dir];
            }
            flow[o] += fluid * gain;
            density[o] += m.density;
            links[o] += 1;
        }
    }
}

const cpu_kernel CPU_NAME = {CPU_ISA, (int)sizeof(cpu_link), links_fill, step, moments_of_groups, monitor, openings};
