/* Links through openings, one lane each. */
#ifndef PORTAFLOW_CUDA_OPENINGS_CUH
#define PORTAFLOW_CUDA_OPENINGS_CUH
#include "cuda_links.cuh"

DEVICE_FN collide_rates rates_of(const cuda_args &s, double unit) {
    const collide_rates r = {(real)s.omega_plus,
                             (real)s.omega_minus,
                             {(real)(unit * s.force[0]), (real)(unit * s.force[1]), (real)(unit * s.force[2])}};
    return r;
}
/* Density and velocity of a cell, true units. */
struct opening_cell {
    real density, u[3];
};

DEVICE_FN opening_cell cell_of(const collide_rates &r, const real f[19]) {
    opening_cell c = {d3q19_density(f) * (real)(1 / UNIT)};
    d3q19_momentum(f, &c.u[0], &c.u[1], &c.u[2]);
#pragma unroll
    for (int k = 0; k < 3; k++)
        c.u[k] = c.u[k] * (real)(1 / UNIT) + (real)0.5 * r.force[k];
    return c;
}

/* Calls work(special, its number, its cell) for every link through an opening; own: the lane's cell. */
template <class Work>
DEVICE_FN void specials_each(const cuda_args &s, const group &g, const opening_cell &own, Work work) {
    const pack_rare rare = s.rare[g.tail.w];
    for (int first = 0; first < rare.n_special; first += 32) {
        const int number = rare.special + first + g.lane;
        const bool mine = first + g.lane < rare.n_special;
        const uint4 raw = mine ? *(const uint4 *)(s.special + number) : make_uint4(0, 0, 0, 0);
        const pack_special e = {__uint_as_float(raw.x), raw.y, raw.z, raw.w};
        opening_cell cell = {__shfl_sync(0xffffffffu, own.density, link_lane(e.link))};
        for (int k = 0; k < 3; k++)
            cell.u[k] = __shfl_sync(0xffffffffu, own.u[k], link_lane(e.link));
        if (mine)
            work(e, number, cell);
    }
}

DEVICE_FN real special_value(const cuda_args &s, const pack_special &e) {
    return (real)((double)e.weight * s.value[e.opening & PACK_OPENING] * UNIT);
}

/* What flow openings (moving: moving walls) add; without WALL their links have got the walls' gain as well. */
template <bool WALL>
DEVICE_FN void specials_arrive(const cuda_args &s, const group &g, group_buffer *t, bool moving, real f[19]) {
    buffer_give(t, g.lane, f);
    specials_each(s, g, opening_cell{}, [&](const pack_special &e, int, const opening_cell &) {
        if (moving == ((e.opening & (PACK_FLOW | PACK_PRESSURE)) != 0))
            return;
        const real kept = t->f[d3q19_opposite(link_dir(e.link)) - 1][link_lane(e.link)] - (WALL ? (real)0 : g.gain);
        t->f[d3q19_opposite(link_dir(e.link)) - 1][link_lane(e.link)] =
            e.opening & PACK_PRESSURE ? kept : kept + special_value(s, e);
    });
    buffer_take(t, g.lane, f);
}

/* Pressure: slot + f_i', in the unit of the populations, which are in t. */
DEVICE_FN real pressure_beside(const cuda_args &s, const collide_rates &r, const group_buffer *t, const pack_special &e,
                               const opening_cell &cell) {
    const int i = link_dir(e.link), at = link_lane(e.link), k = e.opening & PACK_OPENING;
    const real even = (t->f[d3q19_opposite(i) - 1][at] + t->f[i - 1][at]) * (real)(1 / UNIT);
    const real normal[3] = {(real)s.normal[3 * k], (real)s.normal[3 * k + 1], (real)s.normal[3 * k + 2]};
    return (real)UNIT * link_pressure_slot(i, (real)s.value[k], even, cell.density, cell.u, normal, r.omega_plus);
}

/* What the slots of flow and pressure openings hold beside f_i' and -f_i' (kernels/link.h), before the collision. */
DEVICE_FN void openings_prepare(const cuda_args &s, const group &g, group_buffer *t, real f[19]) {
    const collide_rates r = rates_of(s, 1);
    buffer_give(t, g.lane, f);
    specials_each(s, g, cell_of(r, f), [&](const pack_special &e, int number, const opening_cell &cell) {
        const int at = link_lane(e.link);
        const real u[3] = {(real)UNIT * cell.u[0], (real)UNIT * cell.u[1], (real)UNIT * cell.u[2]};
        real *beside = (real *)s.beside + number;
        if (e.opening & PACK_PRESSURE)
            *beside = pressure_beside(s, r, t, e, cell);
        else if (e.opening & PACK_FLOW)
            *beside = link_flow_odd(&t->f[0][at], 32, e.in, d3q19_opposite(link_dir(e.link)), r.omega_minus, u);
    });
    buffer_take(t, g.lane, f); /* unchanged; meanwhile no register held it */
}

/* After the collision; slots hold f_i'. Adds up the mass that comes in through pressure openings, but for the part of
 * their cells that is solid. */
DEVICE_FN void openings_leave(const cuda_args &s, const group &g, stored *home) {
    __syncwarp();
    specials_each(s, g, opening_cell{}, [&](const pack_special &e, int number, const opening_cell &) {
        if (!(e.opening & (PACK_FLOW | PACK_PRESSURE)))
            return;
        stored *slot = home + link_dir(e.link) * BLOCK_CELLS + link_lane(e.link);
        const real own = value_of(value_fetch(slot)), beside = ((const real *)s.beside)[number];
        const real left = e.opening & PACK_PRESSURE ? beside - own : beside + own;
        value_set(slot, left);
        if (e.opening & PACK_PRESSURE)
            s.entered[number] += ((double)left - (double)own) / UNIT;
    });
}
#endif
