/* SPDX-License-Identifier: Apache-2.0 */
/* Walls and partially solid neighbours, before the collision. The lanes of a warp copy their populations to shared
 * memory. There each lane handles one link, which may belong to any cell of the group. Then the lanes copy the
 * populations back. Wall links thus cause no divergence. A group without links costs one comparison. */
#ifndef PORTAFLOW_CUDA_LINKS_CUH
#define PORTAFLOW_CUDA_LINKS_CUH
#include "solve/cuda/cuda_group.cuh"

DEVICE_FN void buffer_give(group_buffer *t, int lane, const real f[LATTICE_Q]) {
#pragma unroll
    for (int a = 1; a < LATTICE_Q; a++)
        t->f[a - 1][lane] = f[a];
    __syncwarp();
}

DEVICE_FN void buffer_take(const group_buffer *t, int lane, real f[LATTICE_Q]) {
    __syncwarp();
#pragma unroll
    for (int a = 1; a < LATTICE_Q; a++)
        f[a] = t->f[a - 1][lane];
}

/* A cut link as links_each passes it on; members as in struct group. */
struct wall_link {
    uint32_t word, behind;
    real back, second;
};

/* Factors of a wall link. behind: entry of cuda_args.behind for this link, on D3Q27. */
DEVICE_FN link_coefficients wall_coefficients(uint32_t word, uint32_t behind) {
#if LATTICE_Q == 27
    if (behind != PACK_NO_CELL)
        return link_wall_quadratic(link_q(word));
#endif
    return link_wall(link_q(word));
}

/* Calls work(link) for every cut link of the group; each lane handles one link. */
template <class place_t, class Work> DEVICE_FN void links_each(const cuda_args &s, const group &g, Work work) {
    const int n = group_links(g);
    wall_link k = {g.word, CORNERS ? g.behind : PACK_NO_CELL, value_of(g.back), value_of(g.second)};
    for (int first = 0; first < n; first += 32) {
        if (first > 0) {
            k.word = first + g.lane < n ? s.link[g.tail.x + first + g.lane] : 0;
            if (CORNERS)
                k.behind = first + g.lane < n ? s.behind[g.tail.x + first + g.lane] : PACK_NO_CELL;
            k.back = 0;
            if (link_far(k.word))
                k.back = value_of(link_back<place_t>((const stored *)s.from, g, k.word));
            k.second = 0;
            if (CORNERS && k.behind != PACK_NO_CELL)
                k.second = value_of(link_second<place_t>(s, (const stored *)s.from, k.word, k.behind));
        }
        if (first + g.lane < n)
            work(k);
    }
}

/* Slot of a wall link in a checkpoint, rounded to the stored precision. `own`: f_i', `back`: f_a'. The step uses the
 * same rounded value, so that a run that continues from a checkpoint gives the same bits. */
DEVICE_FN real link_slot(link_coefficients c, real own, real back) {
    return value_rounded(link_leave(c, own, back));
}

/* Inverts the function slot_of: returns a stored value near `about` for which slot_of returns `slot`. If there is none,
 * returns the stored value nearest to `about`. */
template <class Slot> DEVICE_FN real own_of(real about, real slot, Slot slot_of) {
    stored near;
    value_set(&near, about);
    for (int n = 0; n < 9; n++) { /* nearest first: steps 0, 1, -1, 2 .. */
        const real own = value_of(value_beside(near, n & 1 ? n / 2 + 1 : -n / 2));
        if (slot_of(own) == slot)
            return own;
    }
    return value_of(near);
}

/* Inverse of link_slot: returns the f_i' that gives `slot`. The contribution of f_a' is rounded as in the step;
 * otherwise one link in 2000 would differ in the last bit. */
DEVICE_FN real link_own(link_coefficients c, real slot, real back) {
    const real other = link_leave(c, (real)0, back);
    return own_of((slot - other) / c.a, slot, [&](real own) { return link_slot(c, own, back); });
}

/* Completes the populations that arrive from walls, and adds the mass correction at the links of resting walls. With
 * heat, call it after the populations of the temperature are complete. */
template <class place_t>
DEVICE_FN void walls_arrive(const cuda_args &s, const group &g, group_buffer *t, real f[LATTICE_Q]) {
    if (HEAT)
        t->f[17 + HEAT][g.lane] = theta_of(f);
    buffer_give(t, g.lane, f);
    links_each<place_t>(s, g, [&](const wall_link &k) {
        const uint32_t word = k.word;
        const int i = link_dir(word), at = link_lane(word);
        const real q = link_q(word);
        real *slot = &t->f[velocity_set_opposite(i) - 1][at];
        real arrived = *slot;
        if (q != (real)0.5) {
            const link_coefficients c = wall_coefficients(word, k.behind);
            arrived = link_arrive(c, link_slot(c, arrived, k.back), link_far(word) ? (real)0 : t->f[i - 1][at]);
#if LATTICE_Q == 27
            arrived += c.e * k.second;
#endif
            if (HEAT) {
                const collide_rates own = rates_of(s, UNIT, t->f[17 + HEAT][at]);
                arrived += link_still(c, velocity_set_opposite(i), own.force);
            }
        }
        *slot = arrived + (link_special(word) ? (real)0 : g.mass_correction);
    });
    buffer_take(t, g.lane, f);
}

/* Completes the populations of links between cells of different solid fraction. */
template <class place_t>
DEVICE_FN void partials_arrive(const cuda_args &s, const group &g, group_buffer *t, real f[LATTICE_Q]) {
    const int n = group_partials(g);
    buffer_give(t, g.lane, f);
    for (int first = 0; first < n; first += 32) {
        const bool mine = first + g.lane < n;
        const uint32_t word = first == 0 ? g.mixed : mine ? s.partial[g.tail.z + first + g.lane] : 0;
        if (!mine)
            continue;
        const stored kept = first == 0 ? g.kept : partial_kept<place_t>((const stored *)s.from, g, word);
        const real theta = partial_theta(word);
        real *mixed = &t->f[partial_dir(word) - 1][partial_lane(word)];
        *mixed = link_partial_arrive(theta, link_partial_leave(theta, value_of(kept)), *mixed);
    }
    buffer_take(t, g.lane, f);
}
#endif
