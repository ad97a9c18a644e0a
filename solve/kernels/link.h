/* SPDX-License-Identifier: Apache-2.0 */
/* Boundary rules of cut links; for equation numbers see solve/BOUNDARY_LINKS.md. i points out of the fluid, a =
 * opposite(i) back into it; ' means after the collision.
 *   f_a(x, t+1) = slot + C f_i(x, t+1) + D                                                                      (1)
 * The slot is the storage of f_a(x), which no other cell uses. The rule computes the slot after the collision, and adds
 * C f_i and D before the next one.
 *   wall at distance q   interpolated bounce-back (2), (2b), mass correction, force term (3) with heat; moving wall (4)
 *   prescribed inflow    bounce-back without the non-equilibrium odd part (6), velocity (7)
 *   prescribed outflow   from the cell's own populations (8); pairs by bounce-back (9)
 *   pressure outlet      density, odd part and tangential velocity move to prescribed values (10), (11)
 *   pressure readout     of an opening with a prescribed flow (12)
 *   on-site opening      Zou and He at the cell centre (13)
 *   partly solid cell    shang2023 (14) */
#ifndef PORTAFLOW_LINK_H
#define PORTAFLOW_LINK_H
#include "solve/kernels/collide.h"

/* Coefficients A, B and C of a wall link in (1), (2) and (2b), and E of (2b), which D3Q19 does not have. */
typedef struct {
    real a, b, c;
#if LATTICE_Q == 27
    real e;
#endif
} link_coefficients;

KERNEL_FN link_coefficients link_wall(real q) {
    const real half = (real)0.5 / q;
    link_coefficients near = {(real)2 * q, (real)0, (real)1 - (real)2 * q}, far = {half, (real)1 - half, (real)0};
    return q < (real)0.5 ? near : far;
}

#if LATTICE_Q == 27
/* Wall link with two fluid cells behind its own cell, eq. 2b. */
KERNEL_FN link_coefficients link_wall_quadratic(real q) {
    const real two = (real)2 * q, less = two - (real)1, more = two + (real)1;
    const link_coefficients near = {q * more, (real)0, -less * more, q * less},
                            far = {(real)1 / (q * more), less / q, (real)0, -less / more};
    return q < (real)0.5 ? near : far;
}
#endif

/* Slot of a wall link, eq. 2. `own`: f_i', `back`: f_a'. */
KERNEL_FN real link_leave(link_coefficients k, real own, real back) {
    return KERNEL_FMA(k.a, own, k.b * back);
}

/* Population f_a(x, t+1) of a wall link without D: slot + C f_i(x, t+1), eq. 1. received: f_i(x, t+1). */
KERNEL_FN real link_arrive(link_coefficients k, real slot, real received) {
    return KERNEL_FMA(k.c, received, slot);
}

/* Force term of a wall, eq. 3. `back`: direction a; force: acceleration of the cell, lattice units. */
KERNEL_FN real link_still(link_coefficients k, int back, const real force[3]) {
    return (real)-3 * velocity_set_weight(back) * (k.b + k.c) * velocity_set_dot(back, force[0], force[1], force[2]);
}

/* Non-equilibrium odd part f- - feq- of direction a. `back`: f_a, `out`: f_i, u: velocity of the cell, before the
 * collision. */
KERNEL_FN real link_odd(int a, real back, real out, const real u[3]) {
    return (real)0.5 * (back - out) - (real)3 * velocity_set_weight(a) * velocity_set_dot(a, u[0], u[1], u[2]);
}

/* Weight of the odd part before the collision in eq. 6. With weight 1 an inflow link returns the whole odd part. On
 * D3Q27 odd moments of third order hardly relax at tau near 1/2, and returned in full they grow at the rim of an
 * inlet. */
#if LATTICE_Q == 27
#define LINK_ODD_KEPT ((real)0.5)
#else
#define LINK_ODD_KEPT ((real)1)
#endif

/* Part of an inflow slot that is known before the collision: weight (f- - feq-) - feq-. After the collision f-' =
 * (back' - out') / 2 is added, which gives b_a of eq. 6. `back`: f_a, `out`: f_i. */
KERNEL_FN real link_flow_before(int a, real back, real out, const real u[3]) {
    return LINK_ODD_KEPT * (real)0.5 * (back - out) -
           ((real)3 + (real)3 * LINK_ODD_KEPT) * velocity_set_weight(a) * velocity_set_dot(a, u[0], u[1], u[2]);
}

/* Completes the slots of inflow links after the collision, eq. 6. On entry beside[a] is link_flow_before; on return it
 * is the slot minus f_i'. `in`: bit a is set if the cell receives direction a through a flow opening. dirs: directions
 * to process; it contains all bits of `in` and is equal in all lanes of a warp. moving[(a - 1) * stride] = f_a'. */
KERNEL_FN void link_flow_finish(uint32_t dirs, uint32_t in, const real *moving, int stride, real beside[LATTICE_Q]) {
    real sum = 0, weights = 0;
    KERNEL_ROLLED
    for (uint32_t rest = dirs; rest; rest &= rest - 1) {
        const int a = KERNEL_LOWEST(rest);
        if (in >> a & 1u) {
            beside[a] += (real)0.5 * (moving[(a - 1) * stride] - moving[(velocity_set_opposite(a) - 1) * stride]);
            sum += beside[a];
            weights += velocity_set_weight(a);
        }
    }
    const real mean = in ? sum / weights : (real)0;
    KERNEL_ROLLED
    for (uint32_t rest = dirs; rest; rest &= rest - 1) {
        const int a = KERNEL_LOWEST(rest);
        if (in >> a & 1u)
            beside[a] -= velocity_set_weight(a) * mean;
    }
}

/* 1 for outflow. flow: flow of the opening in this step, positive into the fluid. */
KERNEL_FN int link_flow_leaves(double flow) {
    return flow < 0;
}

/* Directions of a cell that use eq. 9: the direction and its opposite belong to the same opening, because
 * domain_openings_join has added a wall link to it. `in`: all directions that the cell receives through this
 * opening. */
KERNEL_FN uint32_t link_pairs(uint32_t in) {
    const uint32_t odd = 0x2aaaaaau, even = 0x5555554u;
    return in & ((in & odd) << 1 | (in & even) >> 1);
}

/* Slot of an opening after the collision. `own`: f_i'. comes_in: 1 for inflow and for the pairs of eq. 9. beside: the
 * slot minus f_i' if comes_in is 1, otherwise the slot. */
KERNEL_FN real link_opening_leave(real beside, real own, int comes_in) {
    return comes_in ? beside + own : beside;
}

/* Twice the even equilibrium, 2 feq+, for populations stored as deviations. density: 3 p; u: velocity of the cell. */
KERNEL_FN real link_pressure_even(int i, real density, real ux, real uy, real uz) {
    const real eu = velocity_set_dot(i, ux, uy, uz);
    return (real)2 * velocity_set_weight(i) *
           (density + (real)4.5 * eu * eu - (real)1.5 * (ux * ux + uy * uy + uz * uz));
}

/* Outflow slot, eq. 8. `in`: f_a and `out`: f_i, before the collision; density (deviation) and u (velocity) of the
 * cell; `given`: D. */
KERNEL_FN real link_outflow_slot(int i, real in, real out, real density, const real u[3], real omega_plus, real given) {
    const real even = link_pressure_even(i, density, u[0], u[1], u[2]);
    return (real)0.5 * (even + ((real)1 - (real)0.5 * omega_plus) * (in + out - even) - given) +
           link_odd(velocity_set_opposite(i), in, out, u);
}

/* slope = per_unit g, where g is the gradient along the opening of the normal velocity u_n (solve/BOUNDARY_LINKS.md,
 * text after eq. 11). In a developed flow the flux of momentum along n is rho / 3 n + u u_n - g / (3 omega+), from
 * which g follows. moving[(a - 1) * stride]: f_a before the collision. u: velocity of the cell. `moving` and u are
 * stored in units of 1 / per_unit. */
KERNEL_FN void link_slope(const real *moving, int stride, const real u[3], const real normal[3], real per_unit,
                          real omega_plus, real slope[3]) {
    real f[LATTICE_Q], m[6];
    for (int a = 1; a < LATTICE_Q; a++)
        f[a] = moving[(a - 1) * stride];
    velocity_set_flux(f, m);
    real flux[3] = {m[0] * normal[0] + m[3] * normal[1] + m[4] * normal[2],
                    m[3] * normal[0] + m[1] * normal[1] + m[5] * normal[2],
                    m[4] * normal[0] + m[5] * normal[1] + m[2] * normal[2]};
    real along = 0;
    const real through = per_unit * (u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2]);
    for (int k = 0; k < 3; k++) {
        flux[k] -= u[k] * through;
        along += flux[k] * normal[k];
    }
    for (int k = 0; k < 3; k++)
        slope[k] = (real)-3 * per_unit * omega_plus * (flux[k] - along * normal[k]);
}

/* Term -omega- o of eq. 11. through: velocity u_n along the normal; slope: g from link_slope. regularized: 1 for
 * collide_regularized, whose third and fourth moments add h_a and k_a, with n_k and g_k along axis k:
 *   link along axis k        h_a = (3 (e_a.n)^2 - 1) e_a.g                       k_a = ((e_a.n)^2 - 1) e_a.g
 *   link across axis k       h_a = (e_a.n)^2 e_a.g - sum over m of e_am n_m^2 g_m  k_a = n_k^2 e_a.g */
KERNEL_FN real link_sheared(int a, real through, const real normal[3], const real slope[3], const collide_rates *r,
                            int regularized) {
    const real x = normal[0] * normal[0], y = normal[1] * normal[1], z = normal[2] * normal[2];
    const real along = velocity_set_dot(a, normal[0], normal[1], normal[2]), square = along * along;
    const real down = velocity_set_dot(a, slope[0], slope[1], slope[2]);
    real sheared = ((real)9 * square - (real)3) * down;
    if (regularized) {
        const int pair = (a - 1) >> 1;
        const real third = ((real)1 - r->omega_minus / r->omega_plus) * (real)6;
        /* squared component of n along the axis that is normal to the plane of e_a */
        const real beside = pair < 3 ? square - (real)1 : pair < 5 ? z : pair < 7 ? y : x;
        const real single = pair < 3 ? ((real)3 * square - (real)1) * down
                                     : square * down - velocity_set_dot(a, x * slope[0], y * slope[1], z * slope[2]);
        sheared += (real)3 * r->fourth * beside * down - third * single;
    }
#if LATTICE_Q == 27
    sheared *= r->omega_minus / r->omega_plus; /* the cumulant collision has third cumulants of 0 in developed flow */
#endif
    return velocity_set_weight(a) * through * sheared;
}

/* Slot of a pressure outlet, eq. 10. prescribed: rho_out; `back`: f_a and `out`: f_i before the collision; density, u:
 * of the cell; normal: out of the fluid; slope: g from link_slope. At rate 1 (pulsatile flow) the term o of the
 * developed flow is 0. */
KERNEL_FN real link_pressure_slot(int i, real prescribed, real back, real out, real density, const real u[3],
                                  const real normal[3], const real slope[3], const collide_rates *r, int regularized,
                                  real rate) {
    const int a = velocity_set_opposite(i);
    const real through = u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2];
    const real sheared =
        rate < (real)1 && through > (real)0 ? link_sheared(a, through, normal, slope, r, regularized) : (real)0;
    const real along =
        velocity_set_dot(i, u[0] - through * normal[0], u[1] - through * normal[1], u[2] - through * normal[2]);
    const real change = velocity_set_weight(i) * (prescribed - density) -
                        (real)0.5 * (r->omega_minus * link_odd(a, back, out, u) + sheared) +
                        ((real)2 - r->omega_plus) * (real)6 * velocity_set_weight(i) * along;
    return back + rate * change;
}

/* The two sums of eq. 12, which gives the density at a flow opening as (sum of link_push) / (sum of link_share) -
 * carried Q^2. arrived: f_a(t+1), leaving: f_i'(t). The monitors have f_a(t) with D of the step before; in pulsatile
 * flow run_loop_at_planes adds the difference, 3/2 of the change of D in a step. */
KERNEL_FN real link_share(int a, const real normal[3]) {
    const real along = velocity_set_dot(a, normal[0], normal[1], normal[2]);
    return (real)2 * velocity_set_weight(a) * (along < (real)0 ? -along : along);
}
KERNEL_FN real link_push(int a, real arrived, real leaving, const real normal[3]) {
    return link_share(a, normal) * (arrived + leaving) / ((real)2 * velocity_set_weight(a));
}

/* Quantities of an on-site opening in one cell, eq. 13. along: vector N; through: v_in. */
typedef struct {
    real along[3], through;
} link_site;

/* Computes N and v_in of an on-site opening for a cell. rest: f_0; moving[(a - 1) * stride]: f_a. `in`: bit a is set if
 * population a enters through the opening; all other populations have arrived. force: acceleration, lattice units.
 * pressure: 1 if the opening prescribes `density`. */
KERNEL_FN link_site link_site_of(real rest, const real *moving, int stride, uint32_t in, const real inward[3],
                                 const real force[3], int pressure, real density) {
    real known = rest, weights = 0, momentum[3] = {0, 0, 0};
    int diagonals[3] = {0, 0, 0};
    link_site s;
    for (int a = 1; a < LATTICE_Q; a++) {
        const real e[3] = {velocity_set_dot(a, 1, 0, 0), velocity_set_dot(a, 0, 1, 0), velocity_set_dot(a, 0, 0, 1)};
        const real through = e[0] * inward[0] + e[1] * inward[1] + e[2] * inward[2];
        const int opened = (int)(in >> a & 1u);
        const real f = moving[((opened ? velocity_set_opposite(a) : a) - 1) * stride];
        known += f;
        weights += opened ? velocity_set_weight(a) * through : (real)0;
        for (int k = 0; k < 3; k++) {
            momentum[k] += through == (real)0 ? e[k] * f : (real)0;
            diagonals[k] += opened && e[k] != (real)0;
        }
    }
    for (int k = 0; k < 3; k++)
        s.along[k] =
            inward[k] == (real)0 && diagonals[k] == 2 ? (real)0.5 * (momentum[k] + (real)0.5 * force[k]) : (real)0;
    s.through = (real)-0.5 * (force[0] * inward[0] + force[1] * inward[1] + force[2] * inward[2]);
    if (pressure)
        s.through = in ? (density - known) / ((real)6 * weights) : (real)0;
    return s;
}

/* Population f_a of eq. 13. leaving: f_i(x, t+1); `given`: D. */
KERNEL_FN real link_site_arrive(int a, real leaving, real given, const link_site *s, const real inward[3]) {
    return leaving + given +
           (real)6 * velocity_set_weight(a) * velocity_set_dot(a, inward[0], inward[1], inward[2]) * s->through -
           velocity_set_dot(a, s->along[0], s->along[1], s->along[2]);
}

/* Wall vlbm (solve/BOUNDARY_LINKS.md, eq. 14): link from cell x to a neighbour y with the larger solid fraction P. a:
 * direction from y to x; i: opposite direction; ': after the collision; theta = max(0, (P_y - P_x) / (1 - P_x)):
 *   f_a(x, t+1) = (1 - theta) f_a'(y, t) + theta f_i'(x, t)
 * kept = theta f_i'(x, t), which x stores after its collision. */
KERNEL_FN real link_partial_leave(real theta, real own) {
    return theta * own;
}
KERNEL_FN real link_partial_arrive(real theta, real kept, real received) {
    return ((real)1 - theta) * received + kept;
}
#endif
