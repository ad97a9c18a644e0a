/* SPDX-License-Identifier: Apache-2.0 */
/* Thermal boundary rules (kernels/heat_cell.h), compiled for POPULATIONS 26. `warm`: the seven populations of the
 * temperature of a lane, f + 19. A link to a wall of prescribed temperature has a word (pack_warm). A wall without flux
 * needs no rule: the population that left through the cut link returns unchanged. At an opening, the slot replaces the
 * outgoing population after the collision; each lane handles its own cell. */
#ifndef PORTAFLOW_CUDA_HEAT_CUH
#define PORTAFLOW_CUDA_HEAT_CUH
#include "solve/cuda/cuda_openings.cuh"

/* Calls work(link word, index in heat_settings.side, theta of the wall, `back`) for every heat link of the group. Each
 * lane handles one link. */
template <class place_t, class Work> DEVICE_FN void warms_each(const cuda_args &s, const group &g, Work work) {
    const int n = group_warms(g);
    pack_warm w = g.warm;
    real back = value_of(g.warm_back), theta = g.wall_theta;
    for (int first = 0; first < n; first += 32) {
        const bool mine = first + g.lane < n;
        if (first > 0 && mine) {
            w = s.heat.link[g.tail.z + (uint32_t)(first + g.lane)];
            back = link_far(w.link) ? value_of(warm_back<place_t>((const stored *)s.from, g, w.link)) : (real)0;
            theta = (real)s.heat.side[w.side].temperature;
        }
        if (mine)
            work(w.link, w.side, theta, back);
    }
}

/* warm_give copies the six moving populations of a lane to rows `first .. first + 5` of the buffer; warm_take copies
 * rows 0 .. 5 back. */
DEVICE_FN void warm_give(group_buffer *t, int first, int lane, const real warm[7]) {
#pragma unroll
    for (int a = 1; a < 7; a++)
        t->f[first + a - 1][lane] = warm[a];
}
DEVICE_FN void warm_take(const group_buffer *t, int lane, real warm[7]) {
    __syncwarp();
#pragma unroll
    for (int a = 1; a < 7; a++)
        warm[a] = t->f[a - 1][lane];
}

DEVICE_FN real &warm_row(group_buffer *t, int first, int a, int lane) {
    return t->f[first + a - 1][lane];
}

/* heat_slot: slot of a heat link with g_i' = own, as the step uses it and a checkpoint stores it. heat_own: inverse of
 * heat_slot, the g_i' of a stored slot. link_slot and link_own do the same for the flow. */
DEVICE_FN real heat_slot(heat_coefficients k, real own, real back) {
    return value_rounded(heat_leave(k, own, back, (real)0));
}
DEVICE_FN real heat_own(heat_coefficients k, real slot, real back) {
    const real other = heat_leave(k, (real)0, back, (real)0); /* contribution of g_a' alone, rounded as in link_own */
    return own_of((slot - other) / k.a, slot, [&](real own) { return heat_slot(k, own, back); });
}

/* Completes the populations that arrive from walls of prescribed temperature, before the collision. */
template <class place_t>
DEVICE_FN void heat_walls_arrive(const cuda_args &s, const group &g, group_buffer *t, real warm[7]) {
    if (!group_warms(g))
        return;
    warm_give(t, 0, g.lane, warm);
    __syncwarp();
    warms_each<place_t>(s, g, [&](uint32_t word, uint32_t, real theta, real back) {
        const int i = link_dir(word), at = link_lane(word);
        const real q = link_q(word);
        const heat_coefficients k = heat_wall(q, theta);
        real &slot = warm_row(t, 0, velocity_set_opposite(i), at);
        const real received = q < (real)0.5 ? warm_row(t, 0, i, at) : (real)0;
        slot = heat_arrive(k, heat_slot(k, slot, back), received);
    });
    warm_take(t, g.lane, warm);
}

/* Thermal rule of a passage. A moving wall gets the rule without flux here, unless its temperature is free. If the
 * temperature of the moving wall is prescribed, its heat links (pack_warm) set it. */
DEVICE_FN heat_coefficients heat_opening(const cuda_args &s, const passage &p) {
    const heat_side side = s.heat.side[s.heat.n_wall + (p.opening & PACK_OPENING)];
    const bool through = p.opening & (PACK_FLOW | PACK_PRESSURE | PACK_SITE);
    return side.kind == HEAT_FREE               ? heat_free()
           : side.kind == HEAT_GIVEN && through ? heat_wall((real)0.5, (real)side.temperature)
                                                : heat_no_flux();
}

/* Calls work(k, a) for the lane's axis links through openings; a: incoming direction. */
template <class Work> DEVICE_FN void heat_openings_each(const cuda_args &s, const passages &all, int lane, Work work) {
    passages_each(s, all, lane, [&](const passage &p, uint32_t) {
        const heat_coefficients k = heat_opening(s, p);
#pragma unroll
        for (int a = 1; a < 7; a++)
            if (p.in >> a & 1u)
                work(k, a, s.heat.n_wall + (p.opening & PACK_OPENING));
    });
}

DEVICE_FN void heat_openings_arrive(const cuda_args &s, const passages &all, int lane, real warm[7]) {
    heat_openings_each(
        s, all, lane, [&](const heat_coefficients &k, int a, uint32_t) { warm[a] = heat_arrive(k, warm[a], (real)0); });
}

/* Sets the temperature slots of openings after the collision. */
DEVICE_FN void heat_openings_leave(const cuda_args &s, const passages &all, int lane, real warm[7]) {
    const real theta = heat_theta(warm);
    heat_openings_each(s, all, lane, [&](const heat_coefficients &k, int a, uint32_t) {
        const int i = group_opposite(a);
        warm[i] = heat_leave(k, warm[i], (real)0, theta);
    });
}

/* --- slots ------------------------------------------------------------------------------------------------------- */

/* Sets the slots of a checkpoint for the temperature, as walls_to_slots (cuda_fields.cuh) does for the flow. warm:
 * populations as fetched. */
template <class place_t>
DEVICE_FN void heat_to_slots(const cuda_args &s, const group &g, group_buffer *t, real warm[7]) {
    warm_give(t, 0, g.lane, warm);
    __syncwarp();
    warms_each<place_t>(s, g, [&](uint32_t word, uint32_t, real, real back) {
        real &slot = warm_row(t, 0, velocity_set_opposite(link_dir(word)), link_lane(word));
        slot = heat_slot(heat_wall(link_q(word), (real)0), slot, back);
    });
    warm_take(t, g.lane, warm);
    __syncwarp();
}

/* Recovers the populations g_i' of the temperature after the collision from the slots that slots_write has stored.
 * `own`: address of population 0 of this lane. */
DEVICE_FN void heat_slots_mend(const cuda_args &s, const group &g, group_buffer *t, stored *own) {
    real warm[7], mended[7];
    if (!group_warms(g))
        return;
#pragma unroll
    for (int b = 1; b < 7; b++)
        warm[b] = value_of(value_fetch(own + (19 + b) * BLOCK_CELLS));
    warm_give(t, 0, g.lane, warm);
    __syncwarp();
    for (int n = g.lane; n < group_warms(g); n += 32) {
        const uint32_t word = s.heat.link[g.tail.z + (uint32_t)n].link;
        const heat_coefficients k = heat_wall(link_q(word), (real)0);
        const int i = link_dir(word), at = link_lane(word);
        const real back = link_far(word) ? warm_row(t, 0, velocity_set_opposite(i), at) : (real)0;
        real &leaves = warm_row(t, 0, i, at);
        leaves = heat_own(k, leaves, back);
    }
    warm_take(t, g.lane, mended);
    __syncwarp();
#pragma unroll
    for (int b = 1; b < 7; b++)
        if (mended[b] != warm[b])
            value_set(own + (19 + b) * BLOCK_CELLS, mended[b]);
}

/* --- monitor ----------------------------------------------------------------------------------------------------- */

/* Adds the exact sums `a` of all lanes to the integers to [3]. Integer sums do not depend on the order of the
 * additions. */
DEVICE_FN void warp_add(exact_sum a, int lane, int64_t *to) {
    for (int k = 0; k < 3; k++) {
        for (int step = 16; step > 0; step >>= 1)
            a.part[k] += __shfl_down_sync(0xffffffffu, a.part[k], step);
        if (lane == 0)
            atomicAdd((unsigned long long *)to + k, (unsigned long long)a.part[k]);
    }
}

/* Adds the fluxes of the lanes for which `mine` is true to the heat sums of their sides. */
DEVICE_FN void sides_add(const cuda_monitor_args &m, int lane, bool mine, uint32_t side, double flux) {
    for (uint32_t rest = __ballot_sync(0xffffffffu, mine); rest;) {
        const uint32_t one = __shfl_sync(0xffffffffu, side, __ffs((int)rest) - 1);
        const bool same = mine && side == one;
        exact_sum a = {};
        if (same)
            exact_sum_add(&a, flux);
        warp_add(a, lane, m.heat_sums + 3 * (BACKEND_HEAT + one));
        rest &= ~__ballot_sync(0xffffffffu, same);
    }
}

/* Adds the heat that enters through the links of the group in the next step, assuming unchanged outgoing populations
 * g_i. f: populations before the collision. */
DEVICE_FN void heat_flux_add(const cuda_args &s, const cuda_monitor_args &m, const group &g, const passages *all,
                             group_buffer *t, const real f[POPULATIONS]) {
    enum { BEFORE = 0, AFTER = 6 }; /* first buffer row of the populations before and after the collision */
    const heat_rates h = heat_rates_of(s);
    const collide_rates r = rates_of(s, 1, theta_of(f));
    real after[7], u[3];
    const int n = group_warms(g);
    velocity_set_momentum(f, &u[0], &u[1], &u[2]);
#pragma unroll
    for (int a = 0; a < 7; a++)
        after[a] = f[HEAT * 19 + a];
    heat_collide(after, &h, u[0] + (real)0.5 * r.force[0], u[1] + (real)0.5 * r.force[1],
                 u[2] + (real)0.5 * r.force[2]);
    warm_give(t, BEFORE, g.lane, f + HEAT * 19);
    warm_give(t, AFTER, g.lane, after);
    __syncwarp();
    for (int first = 0; first < n; first += 32) {
        const bool mine = first + g.lane < n;
        const pack_warm w = mine ? s.heat.link[g.tail.z + (uint32_t)(first + g.lane)] : pack_warm{0, 0};
        double flux = 0;
        if (mine) {
            const int i = link_dir(w.link), at = link_lane(w.link);
            const heat_coefficients k = heat_wall(link_q(w.link), (real)s.heat.side[w.side].temperature);
            const real own = warm_row(t, AFTER, i, at), back = warm_row(t, AFTER, velocity_set_opposite(i), at);
            flux = (double)heat_arrive(k, heat_leave(k, own, back, (real)0), warm_row(t, BEFORE, i, at)) - (double)own;
        }
        sides_add(m, g.lane, mine, w.side, flux);
    }
    __syncwarp();
    if (!all)
        return;
    const real theta = heat_theta(after);
    passages_each(s, *all, g.lane, [&](const passage &p, uint32_t) {
        const heat_coefficients k = heat_opening(s, p);
        double flux = 0;
#pragma unroll
        for (int a = 1; a < 7; a++)
            if (p.in >> a & 1u)
                flux += (double)heat_arrive(k, heat_leave(k, after[group_opposite(a)], (real)0, theta), (real)0) -
                        (double)after[group_opposite(a)];
        sides_add(m, g.lane, p.in != 0, s.heat.n_wall + (p.opening & PACK_OPENING), flux);
    });
}

/* Temperature sums of the cells of a lane: squared change, square, theta. */
struct heat_lane {
    exact_sum change, square, heat;
};

DEVICE_FN void heat_cell_add(const cuda_monitor_args &m, uint32_t cell, const real f[POPULATIONS], heat_lane *a,
                             double *bad_cell) {
    const double theta = (double)theta_of(f), change = theta - (double)m.theta_old[cell];
    m.theta_old[cell] = (float)theta;
    exact_sum_add(&a->change, change * change);
    exact_sum_add(&a->square, theta * theta);
    exact_sum_add(&a->heat, theta);
    if (!isfinite(theta))
        *bad_cell = fmin(*bad_cell, (double)cell);
}

DEVICE_FN void heat_sums_add(const cuda_monitor_args &m, int lane, const heat_lane &a) {
    warp_add(a.change, lane, m.heat_sums);
    warp_add(a.square, lane, m.heat_sums + 3);
    warp_add(a.heat, lane, m.heat_sums + 6);
}
#endif
