/* SPDX-License-Identifier: Apache-2.0 */
/* Links through openings and to moving walls. Each lane handles the links of its own cell, and all lanes of a warp
 * handle the same direction at the same time. Populations are in shared memory, one column per lane. */
#ifndef PORTAFLOW_CUDA_OPENINGS_CUH
#define PORTAFLOW_CUDA_OPENINGS_CUH
#include "solve/cuda/cuda_links.cuh"

/* Density deviation and velocity of a cell, in lattice units, not multiplied by UNIT. */
struct opening_cell {
    real density, u[3];
};

DEVICE_FN opening_cell cell_of(const collide_rates &r, const real f[LATTICE_Q]) {
    opening_cell c = {velocity_set_density(f) * (real)(1 / UNIT)};
    velocity_set_momentum(f, &c.u[0], &c.u[1], &c.u[2]);
#pragma unroll
    for (int k = 0; k < 3; k++)
        c.u[k] = c.u[k] * (real)(1 / UNIT) + (real)0.5 * r.force[k];
    return c;
}

/* --- passages ---------------------------------------------------------------------------------------------------- */

/* The part of a pack_passage that one lane needs: all links of its cell through one opening. weight: the lane's column
 * of the weights. */
struct passage {
    uint32_t opening, dirs, in;
    const float *weight;
};

/* The passages of a group. Most groups have one passage, so the first one is loaded together with this struct. */
struct passages {
    uint32_t number, first, n; /* number: index in opened[] */
    passage head;
};

DEVICE_FN passage passage_of(const cuda_args &s, uint32_t number, int lane) {
    const pack_passage *p = s.passage + number;
    const uint4 head = *(const uint4 *)p;
    return passage{head.x, head.y, p->in[lane], s.weight + 32 * (size_t)head.z * (1 + s.n_pulse) + lane};
}

/* The passages (pack_passage) of a group with openings. `of`: entry of the group in opened[]. */
DEVICE_FN passages passages_of(const cuda_args &s, const pack_opened *of, int lane) {
    const uint4 o = *(const uint4 *)of;
    return passages{o.w, o.y, o.z, passage_of(s, o.y, lane)};
}

DEVICE_FN passages passages_of(const cuda_args &s, const group &g) {
    return passages_of(s, s.opened + s.rare[g.tail.w].opened, g.lane);
}

template <class Work> DEVICE_FN void passages_each(const cuda_args &s, const passages &all, int lane, Work work) {
    for (uint32_t n = 0; n < all.n; n++)
        work(n == 0 ? all.head : passage_of(s, all.first + n, lane), n);
}

/* The prescribed value that multiplies the weights of a passage: the flow of an opening, or the speed of a moving wall.
 * Not for pressure openings. */
DEVICE_FN double velocity_of(const cuda_args &s, const passage &p) {
    const prescribed_value &given = s.given[p.opening & PACK_OPENING];
    return p.opening & PACK_FLOW ? given.flow : given.wall_speed;
}

/* Calls work(a) for each direction a of the mask dirs. All lanes have the same mask. */
template <class Work> DEVICE_FN void directions_each(uint32_t dirs, Work work) {
#pragma unroll 1
    for (; dirs; dirs &= dirs - 1)
        work(__ffs((int)dirs) - 1);
}

/* Population a >= 1 of the lane's cell in the buffer. */
DEVICE_FN real &column(group_buffer *t, int lane, int a) {
    return t->f[a - 1][lane];
}

DEVICE_FN void column_give(group_buffer *t, int lane, const real f[LATTICE_Q]) {
#pragma unroll
    for (int a = 1; a < LATTICE_Q; a++)
        t->f[a - 1][lane] = f[a];
}

DEVICE_FN void column_take(const group_buffer *t, int lane, real f[LATTICE_Q]) {
#pragma unroll
    for (int a = 1; a < LATTICE_Q; a++)
        f[a] = t->f[a - 1][lane];
}

/* Calls work(a, inflow) for the directions of a flow passage. inflow: the term D of the link (domain_inflow), 0 if this
 * lane has no link of direction a. Several rows of weights are loaded before the first is used. */
template <class Work> DEVICE_FN void inflows_each(const cuda_args &s, const passage &p, Work work) {
    enum { ROWS = 5 };
    const uint32_t row_size = 32 * (1 + s.n_pulse);
    const prescribed_value *pulse = s.given + s.n_opening + (p.opening & PACK_OPENING) * s.n_pulse;
    const double value = velocity_of(s, p);
    const float *weight = p.weight;
    for (uint32_t dirs = p.dirs; dirs; weight += ROWS * row_size) {
        float row[ROWS];
        const int n = __popc(dirs);
#pragma unroll
        for (int k = 0; k < ROWS; k++)
            row[k] = k < n ? weight[row_size * k] : 0.0f;
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            if (k < n) {
                double inflow = (double)row[k] * value;
                for (uint32_t j = 0; j < s.n_pulse; j++)
                    inflow += (double)weight[row_size * k + 32 * (j + 1)] * pulse[j].flow;
                work(__ffs((int)dirs) - 1, inflow);
            }
            dirs &= dirs - 1;
        }
    }
}

/* --- before the collision ---------------------------------------------------------------------------------------- */

/* Adds D to the populations that enter through half-way flow openings or, if `moving`, from moving walls. */
DEVICE_FN void openings_arrive(const cuda_args &s, const group &g, const passages &all, bool moving, group_buffer *t,
                               real f[LATTICE_Q]) {
    column_give(t, g.lane, f);
    passages_each(s, all, g.lane, [&](const passage &p, uint32_t) {
        if (moving == ((p.opening & (PACK_FLOW | PACK_PRESSURE)) != 0) || p.opening & PACK_SITE)
            return;
        if (!(p.opening & PACK_PRESSURE))
            inflows_each(s, p, [&](int a, double inflow) { column(t, g.lane, a) += (real)(UNIT * inflow); });
    });
    column_take(t, g.lane, f);
}

/* Completes the populations that enter through on-site openings, after all other populations have arrived. Calls
 * work(n, mass), with the mass that enters through passage n, times UNIT. */
template <class Work>
DEVICE_FN void on_site_arrive(const cuda_args &s, const passages &all, int lane, group_buffer *t, real f[LATTICE_Q],
                              Work work) {
    const collide_rates r = rates_of(s, UNIT, theta_of(f));
    column_give(t, lane, f);
    passages_each(s, all, lane, [&](const passage &p, uint32_t n) {
        const uint32_t k = p.opening & PACK_OPENING;
        const real inward[3] = {(real)-s.normal[3 * k], (real)-s.normal[3 * k + 1], (real)-s.normal[3 * k + 2]};
        const prescribed_value &given = s.given[k];
        double entered = 0;
        if (!(p.opening & PACK_SITE))
            return;
        const link_site site = link_site_of(f[0], &column(t, lane, 1), 32, p.in, inward, r.force,
                                            p.opening & PACK_SITE_PRESSURE, (real)(UNIT * given.pressure));
        inflows_each(s, p, [&](int a, double inflow) {
            real &to = column(t, lane, a);
            const real leaving = column(t, lane, velocity_set_opposite(a));
            const real brought = (real)(UNIT * inflow);
            if (p.in >> a & 1u) {
                const real arrived = link_site_arrive(a, leaving, brought, &site, inward);
                entered += (double)arrived - (double)to;
                to = arrived;
            }
        });
        work(n, entered);
    });
    column_take(t, lane, f);
}

/* Links of a lane through half-way openings, as masks: bit a is set if population a enters. Masks of this lane: flow
 * (all flow openings), out (outflow by eq. 8), pair, pressure (pressure openings). Masks of all lanes: dirs (all
 * openings), flows (flow openings). beside[a]: the slot of the link, or for inflow link_flow_before
 * (kernels/link.h). */
struct opening_links {
    uint32_t flow, out, pressure, dirs, flows;
    uint32_t pair; /* outflow links that use bounce-back (link_pairs); they are not in `out` */
    real beside[LATTICE_Q];
};

/* Calls work(a, slot times UNIT) for the links of this lane through a pressure opening. t: populations before the
 * collision. In a step, regularized is a compile-time constant, so that only one collision is compiled in. */
template <class Work>
DEVICE_FN void pressures_each(const cuda_args &s, const collide_rates &r, const passage &p, const opening_cell &cell,
                              int regularized, group_buffer *t, int lane, Work work) {
    const uint32_t k = p.opening & PACK_OPENING;
    const real normal[3] = {(real)s.normal[3 * k], (real)s.normal[3 * k + 1], (real)s.normal[3 * k + 2]};
    const real pressure = (real)s.given[k].pressure;
    const real u[3] = {(real)UNIT * cell.u[0], (real)UNIT * cell.u[1], (real)UNIT * cell.u[2]};
    real slope[3];
    link_slope(&column(t, lane, 1), 32, u, normal, (real)(1 / UNIT), r.omega_plus, slope);
    directions_each(p.dirs, [&](int a) {
        const int i = velocity_set_opposite(a);
        const real back = column(t, lane, a) * (real)(1 / UNIT), out = column(t, lane, i) * (real)(1 / UNIT);
        const real beside = link_pressure_slot(i, pressure, back, out, cell.density, cell.u, normal, slope, &r,
                                               regularized, (real)s.pressure_rate);
        if (p.in >> a & 1u)
            work(a, (real)UNIT * beside);
    });
}

/* Sets beside[a] of flow openings for inflow. t: populations before the collision. */
DEVICE_FN void flows_prepare(const opening_cell &cell, group_buffer *t, int lane, opening_links *links) {
    const real u[3] = {(real)UNIT * cell.u[0], (real)UNIT * cell.u[1], (real)UNIT * cell.u[2]};
    directions_each(links->flows, [&](int a) {
        links->beside[a] = link_flow_before(a, column(t, lane, a), column(t, lane, velocity_set_opposite(a)), u);
    });
}

/* Sets beside[a] to the slot for outflow in the directions `out`. t: populations before the collision. */
DEVICE_FN void outflows_prepare(const cuda_args &s, const collide_rates &r, const passage &p, uint32_t out,
                                const opening_cell &cell, group_buffer *t, int lane, opening_links *links) {
    inflows_each(s, p, [&](int a, double inflow) {
        const int i = velocity_set_opposite(a);
        const real back = column(t, lane, a) * (real)(1 / UNIT), own = column(t, lane, i) * (real)(1 / UNIT);
        const real given = (real)inflow;
        if (out >> a & 1u)
            links->beside[a] = (real)UNIT * link_outflow_slot(i, back, own, cell.density, cell.u, r.omega_plus, given);
    });
}

/* Fills *links from f, the populations before the collision. own: number of the cell, counted from cuda_args.first. */
DEVICE_FN void openings_prepare(const cuda_args &s, const passages &all, uint32_t own, int lane, int regularized,
                                group_buffer *t, const real f[LATTICE_Q], opening_links *links) {
    real advection[3];
    advection_at(s, own, advection);
    const collide_rates r = rates_with(s, 1, f, regularized, 0, advection);
    const opening_cell cell = cell_of(r, f);
    links->flow = links->out = links->pair = links->pressure = links->dirs = links->flows = 0;
    passages_each(s, all, lane, [&](const passage &p, uint32_t) {
        if (p.opening & (PACK_FLOW | PACK_PRESSURE))
            links->dirs |= p.dirs;
        if (p.opening & PACK_FLOW) {
            links->flow |= p.in;
            links->flows |= p.dirs;
        }
    });
    column_give(t, lane, f);
    flows_prepare(cell, t, lane, links);
    passages_each(s, all, lane, [&](const passage &p, uint32_t) {
        const double flow = s.given[p.opening & PACK_OPENING].flow;
        if (p.opening & PACK_PRESSURE) {
            links->pressure |= p.in;
            pressures_each(s, r, p, cell, regularized, t, lane, [&](int a, real beside) { links->beside[a] = beside; });
        } else if (p.opening & PACK_FLOW && link_flow_leaves(flow)) {
            const uint32_t pair = link_pairs(p.in), out = p.in & ~pair;
            links->pair |= pair;
            links->out |= out;
            outflows_prepare(s, r, p, out, cell, t, lane, links);
        }
    });
}

/* --- after the collision ----------------------------------------------------------------------------------------- */

/* Replaces f_i' of the links by their slots. f: populations after the collision. Adds the entering mass to s.entered,
 * except for its part D (openings_arrive) and without the factor for partially solid cells. */
DEVICE_FN void openings_leave(const cuda_args &s, const passages &all, opening_links *links, int lane, group_buffer *t,
                              real f[LATTICE_Q]) {
    double entered = 0;
    column_give(t, lane, f);
    link_flow_finish(links->flows, links->flow & ~(links->out | links->pair), &column(t, lane, 1), 32, links->beside);
    directions_each(links->dirs, [&](int a) {
        real &slot = column(t, lane, velocity_set_opposite(a));
        const real own = slot, beside = links->pair >> a & 1u ? (real)0 : links->beside[a];
        const bool whole = (links->out | links->pressure) >> a & 1u;
        if (whole || links->flow >> a & 1u)
            slot = link_opening_leave(beside, own, !whole);
        if (whole)
            entered += (double)slot - (double)own;
    });
    column_take(t, lane, f);
    if (links->pressure | links->out)
        /* the returned value is unused, so the compiler emits a reduction, which does not wait for memory */
        atomicAdd(s.entered + 32 * (size_t)all.number + lane, entered / UNIT);
}
#endif
