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
 * Interpolation does not quite keep mass (0.2 % of the flow over four diameters of a pipe at u = 0.1): D = gain, the
 * same small number for every wall link, gives back what the walls took since the last monitor (run.h), so that the
 * flows of the openings balance. Keeping mass link by link or cell by cell instead would cost the second order on a
 * wall at an angle to the grid, where a fluid cell next to the wall does exchange mass with what lies between it and
 * the wall. q = 1/2 is half-way bounce-back: walls of `vlbm`, openings, and links whose opposite link is cut too.
 *
 * Inlet, or outlet by flow: half-way bounce-back off a moving wall (Ladd 1994), D = 6 w_a e_a.u.
 * Moving wall: the same with the wall's q: D = 6 w_a e_a.u (q < 1/2) or 6 w_a e_a.u / (2q).
 * Pressure outlet: anti-bounce-back (Ginzburg, Verhaeghe, d'Humieres 2008), slot = -f_i' + 2 feq+(rho_out, u). */
#ifndef PORTAFLOW_LINK_H
#define PORTAFLOW_LINK_H
#include "d3q19.h"

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
    return k.a * own + k.b * back;
}

/* Incoming population; received = f_i(x, t+1). */
KERNEL_FN real link_arrive(link_coefficients k, real slot, real received) {
    return slot + k.c * received;
}

/* 2 feq+ of the pressure opening, deviation form: density = 3 p, u the cell's velocity. */
KERNEL_FN real link_pressure_even(int i, real density, real ux, real uy, real uz) {
    const real eu = d3q19_dot(i, ux, uy, uz);
    return (real)2 * d3q19_weight(i) * (density + (real)4.5 * eu * eu - (real)1.5 * (ux * ux + uy * uy + uz * uz));
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
