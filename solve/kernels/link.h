/* Cut links: what comes back into a cell when a wall or an opening lies between it and its neighbour.
 *
 * Words: i points out of the fluid, a = opposite(i) points back in; ' is after collision. Every rule has the form
 *
 *   f_a(x, t+1) = slot + C f_i(x, t+1) + D,      slot = A f_i'(x, t) + B f_a'(x, t)
 *
 * The slot is the place in memory where f_a(x) lives; nobody else reads it, so a cut link needs no neighbour, no second
 * lattice and no extra memory: link_leave() runs after the collision, link_arrive() before the next one.
 *
 * Wall at distance q of the link, 0 < q <= 1 (Bouzidi, Firdaouss, Lallemand 2001, eq. 5; the population that they
 * take from the next cell, f_i'(x - e_i, t), is f_i(x, t+1), which the cell has just received):
 *   q <  1/2:  A = 2q        B = 0             C = 1 - 2q
 *   q >= 1/2:  A = 1/(2q)    B = 1 - 1/(2q)    C = 0
 * Interpolation does not quite keep mass (0.2 % of the flow over four diameters of a pipe at u = 0.1): D = mass
 * correction, the same small number for every wall link, gives back what the walls took since the last monitor (run.h),
 * so that the flows of the openings balance. Keeping mass link by link or cell by cell instead would cost the second
 * order on a wall at an angle to the grid, where a fluid cell next to the wall does exchange mass with what lies
 * between it and the wall.
 * In a field of force F the pressure of a fluid at rest rises as F asks for, and f- is that of the force, half before
 * and half after a collision. Half-way bounce-back returns the right population then; interpolation, between cells of
 * different pressure, one that is off by 3 w_a (B + C) (e_i.F), which the wall adds (link_still): without it mass goes
 * through it, and F is not the same as a pressure gradient.
 * q = 1/2 is half-way bounce-back: walls of `vlbm`, openings, and links whose opposite link ends at a wall.
 *
 * Openings stand half-way. What a half-way rule asks of the flow follows from f_i = f+ - f-, f_a = f+ + f- (- odd, of
 * a) and from what a cell's populations are in a steady flow, omega+ (feq+ - f+) = d_a feq- and omega- (feq- - f-) =
 * d_a feq+ to first order, d_a the derivative along e_a (Ginzburg, d'Humieres 2003; Ginzburg, Verhaeghe, d'Humieres
 * 2008). Bounce-back, f_a = f_i' + D, asks for feq- at half-way plus (2/omega- - 1) d_a feq+ / 2: with u^2 in feq+ and
 * 1/omega- of 4 that turns a parabolic inflow towards the axis. The term is what f- is beside feq-, before and after
 * the collision, and taken off:
 *   flow that comes in:        slot = f_i' + (f- + f-' - 2 feq-) - mean,   D = 6 w_a e_a.u (Ladd 1994)
 * where the mean, over the links of this cell through the opening by weight, keeps the flow exactly what D says.
 * In a developed flow f+ - f+' is -d_a feq- and no more, whatever the collision; half-way feq- in D would add a second
 * derivative to it. So u in D is that at the middle of the link less d_a^2 u / 8, for flow that leaves, too
 * (core/domain_openings.c). Without, axis links and diagonal ones differ in pressure by 30 % of rho U^2 at 16 cells
 * across, which does not cancel at the rim.
 * What leaves must not be reflected: bounce-back with a given velocity sends every deviation from it back, which comes
 * to 16 % of the velocity before the opening and diverges above a cell Reynolds number of 8. There f_a is taken from
 * the cell itself but for its velocity, with feq- at half-way by the same expansion (as Latt and others 2008 do from a
 * wet node); the flow is what D says in a steady state:
 *   flow that leaves:          slot = feq+ + (1 - omega+/2) (f+ - feq+) + (f- - feq-) - D/2,   D as above
 * but for links of which the opposite is the opening's as well, at the rim (domain_openings_join). With this rule at
 * both, or that of flow that comes in, f- stays what it was but for the velocity that is missing; of more than three
 * such pairs in a cell some drift, and its pressure with them, without end. Nothing passes there that could come back:
 *   link_pairs:                slot = f_i',   D as above
 * At a pressure outlet f_a stays what the cell has, but for its density, for what f- has beside feq- and o, and for the
 * velocity along the opening. o is what f- - feq- is in a developed flow, u = u_n n (link_sheared), not the same for
 * two relaxation times as regularized; with another one the outlet turns a parabola, most at an angle to the grid. The
 * velocity along is drawn to 0 as much as where flow is developed: little else is said of it, the less the smaller the
 * viscosity. Where the outlet follows at once (rate 1: pulsatile flow) o is 0: on a coarse lattice (cell Reynolds
 * number 130) the slope of a jet feeds on itself there; and where
 * blood comes in, where a slope always does (a pipe between 6 Pa and 0, Reynolds number 150: a jet, then divergence).
 * Nothing of f_i' is sent back: with anti-bounce-back collide_regularized diverges where blood is fast. The density is
 * that at the centres of the cells, at an angle to the grid up to 0.15 cells further out (domain_openings_setback).
 *   pressure outlet:           slot = f_a + feq+(rho_out, u) - feq+ - omega-/2 (f- - feq- - o)
 *                                     - (2 - omega+) 6 w_a e_a.(u - u.n n)
 * The pressure at an opening where the flow is given is read from the momentum that goes through it: f_a + f_i' along
 * the normal, less what the given velocity carries (domain_opening.carried). With the cells' velocity in place of the
 * given one it is 0.2 to 0.5 % of rho U^2 too high at 25 cells across, 1.5 % at 13: in its first layer the flow
 * is a little less than behind it.
 * On-site openings (Zou and He 1997; for D3Q19 Hecht and Harting 2010) prescribe at the centre of the cell and need a
 * plane along the grid, n its inward normal. No slot is used:
 *   f_a = f_i(x, t+1) + 6 w_a e_a.n u_n - e_a.N,   N = (j_t + F_t/2) / 2 along the plane, j_t the momentum of the
 * populations that move along it, so that u_t is 0; N only where both diagonals of a direction come through. The
 * velocity u_n is given, or follows from the density: that of all populations with f_i in place of every f_a, plus
 * 6 u_n sum w_a e_a.n. Reflects sound, and diverges sooner than the rules above.
 * Moving wall: a wall with D = 6 w_a e_a.u (q < 1/2) or 6 w_a e_a.u / (2q). */
#ifndef PORTAFLOW_LINK_H
#define PORTAFLOW_LINK_H
#include "solve/kernels/collide.h"

typedef struct {
    real a, b, c;
} link_coefficients;

KERNEL_FN link_coefficients link_wall(real q) {
    const real half = (real)0.5 / q;
    const link_coefficients near = {(real)2 * q, (real)0, (real)1 - (real)2 * q}, far = {half, (real)1 - half, (real)0};
    return q < (real)0.5 ? near : far;
}

/* Value of the slot after the collision; own = f_i', back = f_a'. */
KERNEL_FN real link_leave(link_coefficients k, real own, real back) {
    return KERNEL_FMA(k.a, own, k.b * back);
}

/* Incoming population; received = f_i(x, t+1). */
KERNEL_FN real link_arrive(link_coefficients k, real slot, real received) {
    return KERNEL_FMA(k.c, received, slot);
}

/* What a wall adds in a field of force: acceleration of the cell, lattice units. */
KERNEL_FN real link_still(link_coefficients k, int back, const real force[3]) {
    return (real)-3 * d3q19_weight(back) * (k.b + k.c) * d3q19_dot(back, force[0], force[1], force[2]);
}

/* f- - feq- of direction a; back = f_a, out = f_i, u the cell's velocity. */
KERNEL_FN real link_odd(int a, real back, real out, const real u[3]) {
    return (real)0.5 * (back - out) - (real)3 * d3q19_weight(a) * d3q19_dot(a, u[0], u[1], u[2]);
}

/* Inlet: f- - 2 feq- before the collision; with f-' = (back' - out') / 2 after it, the odd part that is taken off. */
KERNEL_FN real link_flow_before(int a, real back, real out, const real u[3]) {
    return (real)0.5 * (back - out) - (real)6 * d3q19_weight(a) * d3q19_dot(a, u[0], u[1], u[2]);
}

/* Inlet, after the collision: beside[a], link_flow_before until now, becomes what the slot of direction a holds beside
 * f_i'. in: bit a is set where the cell receives in direction a through flow openings; dirs: those that are looked at,
 * in among them (the same in all lanes of a warp). moving[(a - 1) * stride] = f_a'. */
KERNEL_FN void link_flow_finish(uint32_t dirs, uint32_t in, const real *moving, int stride, real beside[19]) {
    real sum = 0, weights = 0;
    KERNEL_ROLLED
    for (uint32_t rest = dirs; rest; rest &= rest - 1) {
        const int a = KERNEL_LOWEST(rest);
        if (in >> a & 1u) {
            beside[a] += (real)0.5 * (moving[(a - 1) * stride] - moving[(d3q19_opposite(a) - 1) * stride]);
            sum += beside[a];
            weights += d3q19_weight(a);
        }
    }
    const real mean = in ? sum / weights : (real)0;
    KERNEL_ROLLED
    for (uint32_t rest = dirs; rest; rest &= rest - 1) {
        const int a = KERNEL_LOWEST(rest);
        if (in >> a & 1u)
            beside[a] -= d3q19_weight(a) * mean;
    }
}

/* Flow of an opening in a step: positive into the fluid; the rule is that of an inlet or of flow that leaves. */
KERNEL_FN int link_flow_leaves(double flow) {
    return flow < 0;
}

/* Of the directions of a cell through one opening those whose opposite is among them. */
KERNEL_FN uint32_t link_pairs(uint32_t in) {
    const uint32_t odd = 0x2aaaau, even = 0x55554u;
    return in & ((in & odd) << 1 | (in & even) >> 1);
}

/* Slot of an opening after the collision; own = f_i', comes_in: flow that does. */
KERNEL_FN real link_opening_leave(real beside, real own, int comes_in) {
    return comes_in ? beside + own : beside;
}

/* 2 feq+, deviation form: density = 3 p, u the cell's velocity. */
KERNEL_FN real link_pressure_even(int i, real density, real ux, real uy, real uz) {
    const real eu = d3q19_dot(i, ux, uy, uz);
    return (real)2 * d3q19_weight(i) * (density + (real)4.5 * eu * eu - (real)1.5 * (ux * ux + uy * uy + uz * uz));
}

/* Flow that leaves: the slot. in = f_a, out = f_i before the collision; density and u the cell's; given = D. */
KERNEL_FN real link_outflow_slot(int i, real in, real out, real density, const real u[3], real omega_plus, real given) {
    const real even = link_pressure_even(i, density, u[0], u[1], u[2]);
    return (real)0.5 * (even + ((real)1 - (real)0.5 * omega_plus) * (in + out - even) - given) +
           link_odd(d3q19_opposite(i), in, out, u);
}

/* grad u_n along the opening, times per_unit, if the flow is developed: the momentum flux is rho/3 n + u u_n -
 * grad u_n / (3 omega+). moving[(a - 1) * stride] = f_a before the collision, u the cell's velocity, in one unit. */
KERNEL_FN void link_slope(const real *moving, int stride, const real u[3], const real normal[3], real per_unit,
                          real omega_plus, real slope[3]) {
    real f[19];
    for (int a = 1; a < 19; a++)
        f[a] = moving[(a - 1) * stride];
    const real a = f[7] + f[8], b = f[9] + f[10], c = f[11] + f[12], d = f[13] + f[14], e = f[15] + f[16],
               g = f[17] + f[18], xy = a - b, xz = c - d, yz = e - g;
    const real xx = f[1] + f[2] + a + b + c + d, yy = f[3] + f[4] + a + b + e + g, zz = f[5] + f[6] + c + d + e + g;
    real flux[3] = {xx * normal[0] + xy * normal[1] + xz * normal[2], xy * normal[0] + yy * normal[1] + yz * normal[2],
                    xz * normal[0] + yz * normal[1] + zz * normal[2]};
    real along = 0;
    const real through = per_unit * (u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2]);
    for (int k = 0; k < 3; k++) {
        flux[k] -= u[k] * through;
        along += flux[k] * normal[k];
    }
    for (int k = 0; k < 3; k++)
        slope[k] = (real)-3 * per_unit * omega_plus * (flux[k] - along * normal[k]);
}

/* -omega- o = d_a feq+ + (omega+ - omega-) t, t (regularized alone) the third moments that collide_regularized makes of
 * the stress, d_a feq+ with its fourth moments. through = u_n, slope: link_slope. */
KERNEL_FN real link_sheared(int a, real through, const real normal[3], const real slope[3], const collide_rates *r,
                            int regularized) {
    const real x = normal[0] * normal[0], y = normal[1] * normal[1], z = normal[2] * normal[2];
    const real along = d3q19_dot(a, normal[0], normal[1], normal[2]), square = along * along;
    const real down = d3q19_dot(a, slope[0], slope[1], slope[2]);
    real sheared = ((real)9 * square - (real)3) * down;
    if (regularized) {
        const int pair = (a - 1) >> 1;
        const real third = ((real)1 - r->omega_minus / r->omega_plus) * (real)6;
        const real beside = pair < 3 ? square - (real)1 : pair < 5 ? z : pair < 7 ? y : x; /* n across e_a's plane */
        const real single = pair < 3 ? ((real)3 * square - (real)1) * down
                                     : square * down - d3q19_dot(a, x * slope[0], y * slope[1], z * slope[2]);
        sheared += (real)3 * r->fourth * beside * down - third * single;
    }
    return d3q19_weight(a) * through * sheared;
}

/* Pressure outlet: the slot. back = f_a and out = f_i before the collision, density and u the cell's, normal of the
 * opening, prescribed the density there; slope: link_slope. */
KERNEL_FN real link_pressure_slot(int i, real prescribed, real back, real out, real density, const real u[3],
                                  const real normal[3], const real slope[3], const collide_rates *r, int regularized,
                                  real rate) {
    const int a = d3q19_opposite(i);
    const real through = u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2];
    const real sheared =
        rate < (real)1 && through > (real)0 ? link_sheared(a, through, normal, slope, r, regularized) : (real)0;
    const real along = d3q19_dot(i, u[0] - through * normal[0], u[1] - through * normal[1], u[2] - through * normal[2]);
    const real change = d3q19_weight(i) * (prescribed - density) -
                        (real)0.5 * (r->omega_minus * link_odd(a, back, out, u) + sheared) +
                        ((real)2 - r->omega_plus) * (real)6 * d3q19_weight(i) * along;
    return back + rate * change;
}

/* Momentum that goes through an opening: sum of link_push over its links, over the sum of link_share; times 3.
 * arrived = f_a, leaving = f_i'. */
KERNEL_FN real link_share(int a, const real normal[3]) {
    const real along = d3q19_dot(a, normal[0], normal[1], normal[2]);
    return (real)2 * d3q19_weight(a) * (along < (real)0 ? -along : along);
}
KERNEL_FN real link_push(int a, real arrived, real leaving, const real normal[3]) {
    return link_share(a, normal) * (arrived + leaving) / ((real)2 * d3q19_weight(a));
}

/* Of one cell and one on-site opening: N, and u_n beside what D gives (pressure: all of it). */
typedef struct {
    real along[3], through;
} link_site;

/* rest = f_0, moving[(a - 1) * stride] = f_a; in: bit a is set where direction a comes in through the opening. The
 * other populations have arrived. force: of collide_rates. */
KERNEL_FN link_site link_site_of(real rest, const real *moving, int stride, uint32_t in, const real inward[3],
                                 const real force[3], int pressure, real density) {
    real known = rest, weights = 0, momentum[3] = {0, 0, 0};
    int diagonals[3] = {0, 0, 0};
    link_site s;
    for (int a = 1; a < 19; a++) {
        const real e[3] = {d3q19_dot(a, 1, 0, 0), d3q19_dot(a, 0, 1, 0), d3q19_dot(a, 0, 0, 1)};
        const real through = e[0] * inward[0] + e[1] * inward[1] + e[2] * inward[2];
        const int opened = (int)(in >> a & 1u);
        const real f = moving[((opened ? d3q19_opposite(a) : a) - 1) * stride];
        known += f;
        weights += opened ? d3q19_weight(a) * through : (real)0;
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

/* f_a; leaving = f_i(x, t+1), given = D. */
KERNEL_FN real link_site_arrive(int a, real leaving, real given, const link_site *s, const real inward[3]) {
    return leaving + given + (real)6 * d3q19_weight(a) * d3q19_dot(a, inward[0], inward[1], inward[2]) * s->through -
           d3q19_dot(a, s->along[0], s->along[1], s->along[2]);
}

/* Partly solid neighbour y of x (shang2023 eqs. 5-6 in density form, theta = max(0, (P_y - P_x) / (1 - P_x))):
 *   f_a(x, t+1) = (1 - theta) f_a'(y, t) + theta f_a*'(x, t)
 * kept = theta f_a*'(x, t), written by x after its collision. */
KERNEL_FN real link_partial_leave(real theta, real own) {
    return theta * own;
}
KERNEL_FN real link_partial_arrive(real theta, real kept, real received) {
    return ((real)1 - theta) * received + kept;
}
#endif
