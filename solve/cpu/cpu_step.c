/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled once per precision and instruction set: -DCPU_REAL=float -DCPU_NAME=cpu_kernel_float_avx512
 * -DCPU_ISA="avx512" -DLATTICE_Q=19.
 *
 * A group holds whole runs of cells (domain_run). Its populations are copied into a buffer [LATTICE_Q][LANES], its cut
 * links are completed, all lanes collide (the compiler vectorizes this loop), the slots of the cut links are set, and
 * the buffer is written back. */
#include "solve/cpu/cpu_kernel.h"
#include <math.h>
#include <string.h>

typedef CPU_REAL real;
#include "solve/cpu/cpu_buffer.h"
#include "solve/cpu/cpu_openings.h"

/* A cut link in the form that a run_buffer uses. Wall links of a group come first, then links through inlets and
 * outlets. Walls and openings are each sorted by direction, so that successive links use different lanes. */
typedef struct {
    link_coefficients w;
    uint16_t own, back; /* indices in run_buffer.f of f_i and f_a of its cell; i points out of the fluid */
} cpu_link;

static cpu_link link_of(const domain *d, int64_t k, int32_t first) {
    const domain_link *from = &d->link[k];
    const int lane = from->cell - first;
    cpu_link l = {link_wall((real)from->q), (uint16_t)(from->dir * LANES + lane),
                  (uint16_t)(velocity_set_opposite(from->dir) * LANES + lane)};
#if LATTICE_Q == 27
    l.w.e = 0;
    if (d->behind[k].next >= 0)
        l.w = link_wall_quadratic((real)from->q);
#endif
    return l;
}

static void links_fill(const domain *d, const cpu_group *group, int64_t n_group, const int32_t *order, void *link) {
    for (int64_t n = 0; n < n_group; n++)
        for (int64_t k = d->run[group[n].run].link; k < d->run[group[n + 1].run].link; k++)
            ((cpu_link *)link)[k] = link_of(d, order[k], group[n].first);
}

/* Reads `count` values in whole vectors. It reads up to 63 bytes beyond them; the arrays are padded for this. */
static inline void lanes_read(real *restrict to, const real *restrict from, int count) {
    for (int l = 0; l < count; l += VECTOR)
        memcpy(to + l, from + l, 64);
}

/* Writes exactly count values; the last store overlaps the store before it. */
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

static inline const cpu_link *link_begin(const cpu_state *s, const cpu_group *g) {
    return (const cpu_link *)s->link + run_begin(s, g)->link;
}
/* End of the wall links of a group. */
static inline const cpu_link *walls_end(const cpu_state *s, const cpu_group *g) {
    return (const cpu_link *)s->link + run_end(s, g)->link - g->through;
}

static inline void read_even(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    for (int a = 0; a < LATTICE_Q; a++)
        lanes_read(b->f[a], slots(s, a) + g->first, g->count);
}

static inline void read_odd(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    lanes_read(b->f[0], slots(s, 0) + g->first, g->count);
    for (const domain_run *r = run_begin(s, g), *end = run_end(s, g); r < end; r++)
        for (int a = 1; a < LATTICE_Q; a++)
            lanes_read(b->f[a] + r->first - g->first, slots(s, velocity_set_opposite(a)) + r->source[a], r->count);
}

static inline void write_even(const cpu_state *s, const cpu_group *g, const run_buffer *b) {
    lanes_write(slots(s, 0) + g->first, b->f[0], g->count);
    for (int a = 1; a < LATTICE_Q; a++)
        lanes_write(slots(s, velocity_set_opposite(a)) + g->first, b->f[a], g->count);
}

static inline void write_odd(const cpu_state *s, const cpu_group *g, const run_buffer *b) {
    lanes_write(slots(s, 0) + g->first, b->f[0], g->count);
    for (const domain_run *r = run_begin(s, g), *end = run_end(s, g); r < end; r++)
        for (int a = 1; a < LATTICE_Q; a++) {
            const int back = velocity_set_opposite(a), low = r->low[back];
            lanes_write(slots(s, a) + r->source[back] + low, b->f[a] + r->first - g->first + low, r->high[back] - low);
        }
    if (g->through)
        opening_slots_write(s, g, b);
}

#if LATTICE_Q == 27
static void wall_values_read(const cpu_state *s, int odd, const int32_t *list, int64_t n) {
    const domain *d = s->d;
    for (int64_t m = 0; m < n; m++) {
        const int64_t l = list ? list[m] : m, k = s->order[l];
        const domain_behind *behind = &d->behind[k];
        const int i = d->link[k].dir;
        /* After an odd step a population is in the slot of its direction in its own cell. After an even step it is in
         * the slot of the opposite direction in the cell from which it comes. */
        const bool next = (d->link[k].q < 0.5f) != (odd != 0);
        if (behind->next >= 0)
            ((real *)s->wall_value[odd])[l] =
                next ? slots(s, i)[behind->next] : slots(s, velocity_set_opposite(i))[behind->third];
    }
}

/* Copies the wall values that the cells of a group send for the next step, after the collision. */
static inline void wall_values_leave(const cpu_state *s, const cpu_group *g, int odd, const run_buffer *b) {
    const real *f = (const real *)b->f;
    real *value = s->wall_value[!odd];
    for (const cpu_wall_source *k = s->source + g->source, *end = s->source + g[1].source; k < end; k++)
        value[k->link] = f[k->at];
}
#endif

/* With heat: adds the force term of walls (solve/BOUNDARY_LINKS.md, eq. 3). The force includes the buoyancy of the
 * stored temperature. */
static void stills_arrive(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    const collide_rates rates = rates_of(s);
    for (const cpu_link *k = link_begin(s, g), *end = walls_end(s, g); k < end; k++) {
        const collide_rates own = rates_at(s, &rates, g->first + k->back % LANES);
        ((real *)b->f)[k->back] += link_still(k->w, k->back / LANES, own.force);
    }
}

/* Completes the populations that enter through cut links, before the collision. Walls come last, because a wall may
 * need the value that entered through an opening. Adds the mass that enters through on-site openings to *entered.
 * odd: 0 in an even step, 1 in an odd step. */
static inline void links_arrive(const cpu_state *s, const cpu_group *g, int odd, run_buffer *b, exact_sum *entered) {
    const real mass_correction = (real)s->mass_correction;
    const domain *d = s->d;
    const int64_t first = run_begin(s, g)->link;
    const real *slot = (const real *)s->wall_slot + first;
#if LATTICE_Q == 27
    const real *value = (const real *)s->wall_value[odd] + first;
#else
    (void)odd;
#endif
    real *f = (real *)b->f;
    if (g->opening)
        openings_arrive(s, g, b);
    for (const cpu_link *k = link_begin(s, g), *end = walls_end(s, g); k < end; k++) {
        real arrived = link_arrive(k->w, *slot++, f[k->own]) + mass_correction;
#if LATTICE_Q == 27
        arrived += k->w.e * *value++; /* eq. 2b; e and the wall value are 0 without two cells behind the link's cell */
#endif
        f[k->back] = arrived;
    }
    if (g->opening)
        moving_walls_arrive(s, g, b);
    for (const domain_partial *p = d->partial + run_begin(s, g)->partial; p < d->partial + run_end(s, g)->partial;
         p++) {
        real *mixed = &b->f[p->dir][p->cell - g->first];
        *mixed = link_partial_arrive((real)p->theta, ((const real *)s->kept)[p - d->partial], *mixed);
    }
    if (s->heat.settings)
        stills_arrive(s, g, b);
    if (g->on_site)
        on_site_arrive(s, g, b, entered);
}

/* Sets the slots of wall links, after the collision. */
static inline void links_leave(const cpu_state *s, const cpu_group *g, const run_buffer *b) {
    const domain *d = s->d;
    for (const domain_partial *p = d->partial + run_begin(s, g)->partial; p < d->partial + run_end(s, g)->partial; p++)
        ((real *)s->kept)[p - d->partial] =
            link_partial_leave((real)p->theta, b->f[velocity_set_opposite(p->dir)][p->cell - g->first]);
    const real *f = (const real *)b->f;
    real *slot = (real *)s->wall_slot + run_begin(s, g)->link;
    for (const cpu_link *k = link_begin(s, g), *end = walls_end(s, g); k < end; k++)
        *slot++ = link_leave(k->w, f[k->own], f[k->back]);
}

#ifdef __clang__
#define LANES_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define LANES_UNROLLED    _Pragma("clang loop unroll(full) vectorize(disable)")
#else
#define LANES_INDEPENDENT _Pragma("GCC ivdep")
#define LANES_UNROLLED    _Pragma("GCC unroll 16")
#endif

#define EACH_POPULATION_19(DO)                                                                                         \
    DO(0)                                                                                                              \
    DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18)
#if LATTICE_Q == 27
#define EACH_POPULATION(DO) EACH_POPULATION_19(DO) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24) DO(25) DO(26)
#else
#define EACH_POPULATION EACH_POPULATION_19
#endif

/* Collides a cell. own: its rates; porous: the lattice has porous regions, and drag is the drag of the cell; advection:
 * advection_at. */
static inline __attribute__((always_inline)) void collide_cell(real f[LATTICE_Q], const collide_rates *own, bool forced,
                                                               bool regularized, bool porous, real drag,
                                                               const real advection[3]) {
#if LATTICE_Q == 27
    const cumulant_rates cumulants = cumulant_rates_of(own->omega_plus);
    (void)regularized;
    if (porous)
        porous_collide(f, drag, own, &cumulants, advection);
    else
        cumulant_collide(f, own, &cumulants, forced, advection);
    return;
#endif
    (void)porous;
    (void)drag;
    (void)advection;
    if (regularized)
        collide_regularized(f, own, 1, forced);
    else
        collide_scaled(f, own, 1, forced);
}

#define TAKE(a) f[a] = b->f[a][l];
#define GIVE(a) b->f[a][l] = f[a];
#define TAKE_ALL                                                                                                       \
    real f[LATTICE_Q];                                                                                                 \
    const real advection[3] = {b->advection[0][l], b->advection[1][l], b->advection[2][l]};                            \
    EACH_POPULATION(TAKE)

/* Collides all lanes with local viscosity. The segments are copied lane by lane: compilers do not vectorize a look-up
 * well, and the loops before and after it are vectorized. */
static inline __attribute__((always_inline)) void collide_blood_lanes(const cpu_state *s, const cpu_group *g,
                                                                      const collide_rates rates, bool forced,
                                                                      bool regularized, run_buffer *b) {
    const shear_segment *table = s->viscosity;
    const int count = g->count;
    const int whole = (count + VECTOR - 1) / VECTOR * VECTOR;
    _Alignas(64) int32_t at[LANES];
    _Alignas(64) shear_segment segment[LANES];
    _Alignas(64) real square[LANES], flow[4][LANES];
    LANES_INDEPENDENT
    for (int l = 0; l < whole; l++) {
        TAKE_ALL
        shear_flow own;
        square[l] = shear_collide_begin(f, &rates, forced, advection, &own);
        at[l] = shear_segment_of(square[l]);
        flow[0][l] = own.u[0];
        flow[1][l] = own.u[1];
        flow[2][l] = own.u[2];
#if LATTICE_Q == 27
        flow[3][l] = own.rho;
        EACH_POPULATION(GIVE)
#endif
    }
    for (int l = 0; l < whole; l += VECTOR)
        LANES_UNROLLED
    for (int k = l; k < l + VECTOR; k++)
        segment[k] = table[at[k]];
    LANES_INDEPENDENT
    for (int l = 0; l < whole; l++) {
        TAKE_ALL
        const shear_flow own = {LATTICE_Q == 27 ? flow[3][l] : 0, {flow[0][l], flow[1][l], flow[2][l]}};
        shear_collide_end(f, &rates, regularized, forced, segment[l].constant + segment[l].slope * square[l], advection,
                          &own);
        EACH_POPULATION(GIVE)
    }
}

/* porous: the lattice has porous regions. */
static inline __attribute__((always_inline)) void collide_lanes(const cpu_state *s, const cpu_group *g,
                                                                const collide_rates rates, bool forced,
                                                                bool regularized, bool porous, run_buffer *b) {
    const real *drag = porous ? s->drag : NULL;
    const uint8_t *region = porous ? s->d->region + g->first : NULL;
    const int count = g->count;
    const int whole = (count + VECTOR - 1) / VECTOR * VECTOR;
    _Alignas(64) real own_drag[LANES];
    if (drag)
        for (int l = 0; l < whole; l++)
            own_drag[l] = l < count ? drag[region[l]] : 0;
    LANES_INDEPENDENT
    for (int l = 0; l < whole; l++) {
        TAKE_ALL
        const collide_rates own = drag ? porous_rates(f, own_drag[l], &rates) : rates;
        collide_cell(f, &own, forced, regularized, porous, porous ? own_drag[l] : 0, advection);
        EACH_POPULATION(GIVE)
    }
}
#undef TAKE_ALL
#undef TAKE
#undef GIVE

/* Reads the advection correction of a group. A loop of its own: with 16-bit values the loop of the collision would have
 * scalar remainders, which round differently. */
static inline void advection_read(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    const int whole = (g->count + VECTOR - 1) / VECTOR * VECTOR;
    for (int k = 0; k < 3 && LATTICE_Q == 27; k++) {
        const uint16_t *from = s->advection + k * s->stride + g->first;
        for (int l = 0; l < whole; l++)
            b->advection[k][l] = (real)advection_unpack(from[l]);
    }
}

/* Collides all lanes of a group. Each combination of constant arguments is a loop of its own. */
static inline void collide_group(const cpu_state *s, const cpu_group *g, const collide_rates *rates, run_buffer *b) {
    const collide_rates calm = {rates->omega_plus, rates->omega_minus, {0, 0, 0}, rates->most, rates->fourth};
    advection_read(s, g, b);
    if (s->viscosity && s->forced && s->regularized)
        collide_blood_lanes(s, g, *rates, true, true, b);
    else if (s->viscosity && s->forced)
        collide_blood_lanes(s, g, *rates, true, false, b);
    else if (s->viscosity && s->regularized)
        collide_blood_lanes(s, g, calm, false, true, b);
    else if (s->viscosity)
        collide_blood_lanes(s, g, calm, false, false, b);
    else if (s->drag && s->regularized)
        collide_lanes(s, g, *rates, true, true, true, b);
    else if (s->drag)
        collide_lanes(s, g, *rates, true, false, true, b);
    else if (s->forced && s->regularized)
        collide_lanes(s, g, *rates, true, true, false, b);
    else if (s->forced)
        collide_lanes(s, g, *rates, true, false, false, b);
    else if (s->regularized)
        collide_lanes(s, g, calm, false, true, false, b);
    else
        collide_lanes(s, g, calm, false, false, false, b);
}

static void step(const cpu_state *s, int odd, int64_t begin, int64_t end) {
    run_buffer b;
    cpu_opened opened[CPU_GROUP_MAX];
    const collide_rates rates = rates_of(s);
    memset(&b, 0, sizeof b);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        if (odd)
            read_odd(s, g, &b);
        else
            read_even(s, g, &b);
        links_arrive(s, g, odd, &b, &s->entered[n]);
        const int n_opened = g->through ? openings_prepare(s, g, &b, opened) : 0;
        collide_group(s, g, &rates, &b);
        inflows_finish(opened, n_opened, &b);
#if LATTICE_Q == 27
        wall_values_leave(s, g, odd, &b);
#endif
        links_leave(s, g, &b);
        if (g->through)
            openings_leave(s, g, opened, n_opened, &b, &s->entered[n]);
        if (odd)
            write_odd(s, g, &b);
        else
            write_even(s, g, &b);
    }
}

/* Reads the populations of a group after an even step, in the form that the next step reads. */
static void populations_arrived(const cpu_state *s, const cpu_group *g, run_buffer *b) {
    exact_sum counted_by_the_step = {{0}};
    read_even(s, g, b);
    links_arrive(s, g, 0, b, &counted_by_the_step);
}

/* Moments of each lane of a group before the collision. rates: collision rates without local changes (rates_of). */
static moments lane_moments(const cpu_state *s, const cpu_group *g, const run_buffer *b, int lane,
                            const collide_rates *rates) {
    real f[LATTICE_Q], advection[3];
    moments m;
    lane_copy(b, lane, f);
    advection_at(s, g->first + lane, advection);
    const collide_rates own = rates_with(s, rates, g->first + lane, f);
    moments_velocity(f, &own, &m);
    moments_stress(f, &own, advection, &m);
    return m;
}

static void moments_of_groups(const cpu_state *s, int64_t begin, int64_t end, float *density, float *velocity,
                              float *stress) {
    run_buffer b;
    const collide_rates rates = rates_of(s);
    memset(&b, 0, sizeof b);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        populations_arrived(s, g, &b);
        for (int l = 0; l < g->count; l++) {
            const int64_t c = g->first + l;
            const moments m = lane_moments(s, g, &b, l, &rates);
            if (density)
                density[c] = (float)m.density;
            for (int k = 0; velocity && k < 3; k++)
                velocity[3 * c + k] = (float)m.u[k];
            for (int k = 0; stress && k < 6; k++)
                stress[6 * c + k] = (float)m.stress[k];
        }
    }
}

static void monitor(const cpu_state *s, int64_t begin, int64_t end, float *velocity_old, float *density,
                    backend_sums *sums) {
    run_buffer b;
    const collide_rates rates = rates_of(s);
    memset(&b, 0, sizeof b);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        populations_arrived(s, g, &b);
        for (int l = 0; l < g->count; l++) {
            const int64_t c = g->first + l;
            const moments m = lane_moments(s, g, &b, l, &rates);
            double square = 0, change = 0;
            if (density)
                density[c] = (float)m.density;
            for (int k = 0; k < 3; k++) {
                const double difference = (double)m.u[k] - velocity_old[3 * c + k];
                velocity_old[3 * c + k] = (float)m.u[k];
                change += difference * difference;
                square += (double)m.u[k] * m.u[k];
            }
            exact_sum_add(&sums->change, change);
            exact_sum_add(&sums->square, square);
            exact_sum_add(&sums->mass, m.density * (s->d->fluid ? (double)s->d->fluid[c] : 1.0));
            if (!(square < 0.25 && isfinite((double)m.density)) && sums->bad_cell < 0)
                sums->bad_cell = c;
            if (square > sums->fastest)
                sums->fastest = square;
        }
    }
}

static void openings(const cpu_state *s, int64_t begin, int64_t end, backend_opening_sums *opening) {
    run_buffer b;
    const collide_rates rates = rates_of(s);
    memset(&b, 0, sizeof b);
    for (int64_t n = begin; n < end; n++) {
        const cpu_group *g = &s->group[n];
        if (!g->opening)
            continue;
        populations_arrived(s, g, &b);
        for (const domain_link *k = s->d->link + run_begin(s, g)->link; k < s->d->link + run_end(s, g)->link; k++) {
            if (!k->opening)
                continue;
            const int o = k->opening - 1, lane = k->cell - g->first;
            const moments m = lane_moments(s, g, &b, lane, &rates);
            const double fluid = s->d->fluid ? (double)s->d->fluid[k->cell] : 1.0;
            /* Density that enters through a link (solve/BOUNDARY_LINKS.md). Flow opening: D, because the other terms of
             * (6) sum to 0 over the links of a cell. Moving wall: its term of the wall speed. On-site opening: f_a less
             * its slot. Pressure opening: slot less f_i' of the next collision (`after`). */
            real f[LATTICE_Q], after[LATTICE_Q], advection[3];
            advection_at(s, k->cell, advection);
            lane_copy(&b, lane, f);
            lane_copy(&b, lane, after);
            const collide_rates own = rates_with(s, &rates, k->cell, f);
            collide_cell(after, &own, s->forced || s->drag, s->regularized, false, 0,
                         advection); /* no opening is porous */
            const int back = velocity_set_opposite(k->dir);
            const double *out = s->d->opening[o].normal;
            const real normal[3] = {(real)out[0], (real)out[1], (real)out[2]};
            const prescribed_value given = s->given[o];
            double inflow =
                s->d->opening[o].kind == DOMAIN_FLOW ? domain_inflow(s->d, k, s->given) : k->weight * given.wall_speed;
            if (s->d->opening[o].on_site)
                inflow = (double)f[back] - (double)slots(s, back)[k->cell];
            else if (s->d->opening[o].kind == DOMAIN_PRESSURE)
                inflow = (double)opening_beside(s, k, 0, f, &m, &own, &(cpu_slope){0}) - (double)after[k->dir];
            exact_sum_add(&opening[o].flow, fluid * inflow);
            exact_sum_add(&opening[o].density, half_way(s->d, k) && s->d->opening[o].kind == DOMAIN_FLOW
                                                   ? (double)link_push(back, f[back], after[k->dir], normal)
                                                   : (double)link_share(back, normal) * m.density);
        }
    }
}

#if LATTICE_Q == 27
const cpu_kernel CPU_NAME = {.name = CPU_ISA,
                             .link_bytes = (int)sizeof(cpu_link),
                             .links_fill = links_fill,
                             .wall_values_read = wall_values_read,
                             .step = step,
                             .moments = moments_of_groups,
                             .monitor = monitor,
                             .openings = openings};
#else
#include "solve/cpu/cpu_heat.h"

const cpu_kernel CPU_NAME = {.name = CPU_ISA,
                             .link_bytes = (int)sizeof(cpu_link),
                             .links_fill = links_fill,
                             .step = step,
                             .moments = moments_of_groups,
                             .monitor = monitor,
                             .openings = openings,
                             .heat_link_bytes = (int)sizeof(cpu_heat_link),
                             .heat_links_fill = heat_links_fill,
                             .step_heat = step_heat,
                             .heat_monitor = heat_monitor,
                             .heat_gradients = heat_gradients};
#endif
