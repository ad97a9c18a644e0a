/* SPDX-License-Identifier: Apache-2.0 */
/* Collision with a body force: two relaxation times (BGK if both rates are equal), and a regularized one for coarse
 * lattices. f_a: population of direction a, with lattice vector e and weight w; a*: opposite direction; ': after the
 * collision. rho: density deviation, j: sum of e f, F: acceleration, F_a: force term of f_a.
 *   f+ = (f_a + f_a*) / 2 relaxes with omega_plus = 1 / tau,  f- = (f_a - f_a*) / 2 with omega_minus
 *   f_a' = f_a + omega_plus (feq+ - f+) + omega_minus (feq- - f-) + F_a
 *   feq+ = w (rho + 9/2 (e.u)^2 - 3/2 u^2)    feq- = 3 w (e.u)
 *   (1/omega_plus - 1/2) (1/omega_minus - 1/2) = Lambda, 3/16 for TRT              Ginzburg, Verhaeghe, d'Humieres 2008
 *   Incompressible form: rho is in the first term only and u = j (rho0 = 1)      He and Luo 1997
 *   Force: F+ = (1 - omega_plus/2) w (9 (e.u)(e.F) - 3 u.F), F- = (1 - omega_minus/2) 3 w (e.F), u = j + F/2
 *   Guo, Zheng, Shi 2002, split by parity
 * shang2023 eq. 3 has the sign of the collision term reversed. */
#ifndef PORTAFLOW_COLLIDE_H
#define PORTAFLOW_COLLIDE_H
#include "solve/kernels/velocity_set.h"

typedef struct {
    real omega_plus, omega_minus;
    real force[3]; /* acceleration, lattice units */
    real most;     /* collide_regularized: limit of |S|^2, the squared norm of the stress S; S is unchanged up to
                    * this limit */
    real fourth;   /* collide_regularized: factor of the fourth moments of Bauer et al., 0 to 1 */
} collide_rates;

/* Factors of collide_pair, equal for all pairs of opposite directions and computed by collide_prepare. per_unit:
 * collide_scaled_at. */
typedef struct {
    real half_plus, half_minus, bend, tilt, bend_force, tilt_force;
} collide_factors;

KERNEL_FN collide_factors collide_prepare(const collide_rates *r, real per_unit) {
    const collide_factors c = {(real)0.5 * r->omega_plus,
                               (real)0.5 * r->omega_minus,
                               (real)4.5 * r->omega_plus * per_unit,
                               (real)3 * r->omega_minus,
                               (real)9 * per_unit * ((real)1 - (real)0.5 * r->omega_plus),
                               (real)3 * ((real)1 - (real)0.5 * r->omega_minus)};
    return c;
}

/* Collides the pair of opposite populations f_a and f_b. eu = e_a.u, ef = e_a.F. even: the even part that does not
 * depend on the direction, w (omega_plus (rho - 3/2 u^2) + isotropic part of F+ / w). */
KERNEL_FN void collide_pair(real *fa, real *fb, real w, real eu, real even, real ef, const collide_factors *c,
                            int forced) {
    const real sum = *fa + *fb, difference = *fa - *fb;
    real plus = even + w * c->bend * eu * eu - c->half_plus * sum;
    real minus = w * c->tilt * eu - c->half_minus * difference;
    if (forced) {
        plus += w * c->bend_force * eu * ef;
        minus += w * c->tilt_force * ef;
    }
    *fa += plus + minus;
    *fb += plus - minus;
}

/* Momentum j plus half of the force of this step. forced 0: there is no force. */
KERNEL_FN void collide_momentum(const real f[LATTICE_Q], const collide_rates *r, int forced, real *x, real *y,
                                real *z) {
    const real half = (real)0.5;
    velocity_set_momentum(f, x, y, z);
    if (forced) {
        *x += half * r->force[0];
        *y += half * r->force[1];
        *z += half * r->force[2];
    }
}

/* Collision with two relaxation times. Populations and force may be scaled by 1/per_unit (16-bit storage). Only
 * products of two scaled values need the factor per_unit. forced 0: the force is zero and costs nothing. per_unit and
 * forced should be compile-time constants. u [3]: collide_momentum. */
KERNEL_FN void collide_scaled_at(real f[19], const collide_rates *r, real per_unit, int forced, const real u[3]) {
    const collide_factors c = collide_prepare(r, per_unit);
    const real fx = r->force[0], fy = r->force[1], fz = r->force[2], x = u[0], y = u[1], z = u[2];
    real even = r->omega_plus * (velocity_set_density(f) - (real)1.5 * per_unit * (x * x + y * y + z * z));
    if (forced)
        even -= ((real)1 - c.half_plus) * ((real)3 * per_unit) * (x * fx + y * fy + z * fz);
    const real w1 = D3Q19_W1, w2 = D3Q19_W2, even1 = w1 * even, even2 = w2 * even;
    f[0] += D3Q19_W0 * even - r->omega_plus * f[0];
    collide_pair(&f[1], &f[2], w1, x, even1, fx, &c, forced);
    collide_pair(&f[3], &f[4], w1, y, even1, fy, &c, forced);
    collide_pair(&f[5], &f[6], w1, z, even1, fz, &c, forced);
    collide_pair(&f[7], &f[8], w2, x + y, even2, fx + fy, &c, forced);
    collide_pair(&f[9], &f[10], w2, x - y, even2, fx - fy, &c, forced);
    collide_pair(&f[11], &f[12], w2, x + z, even2, fx + fz, &c, forced);
    collide_pair(&f[13], &f[14], w2, x - z, even2, fx - fz, &c, forced);
    collide_pair(&f[15], &f[16], w2, y + z, even2, fy + fz, &c, forced);
    collide_pair(&f[17], &f[18], w2, y - z, even2, fy - fz, &c, forced);
}

KERNEL_FN void collide_scaled(real f[19], const collide_rates *r, real per_unit, int forced) {
    real u[3];
    collide_momentum(f, r, forced, &u[0], &u[1], &u[2]);
    collide_scaled_at(f, r, per_unit, forced, u);
}
KERNEL_FN void collide(real f[19], const collide_rates *r) {
    collide_scaled(f, r, (real)1, 1);
}

KERNEL_FN void collide_whole_pair(real *fa, real *fb, real even, real odd) {
    *fa = even + odd;
    *fb = even - odd;
}

/* Regularized collision, for cell Reynolds numbers where two relaxation times are unstable. Density, momentum, viscous
 * stress and a part of the third moments are kept; all other moments follow from the flow.
 *   f_a' = feq_a + (1 - omega_plus) 9/2 w e.S.e + T_a + F_a,          S = sum e e (f - feq) without its trace
 *   T_a: populations with third moments T_xxy = (1 - omega_plus) t_xxy + (1 - omega_minus) (m_xxy - j_y/3 - t_xxy),
 *   t_xxy = u_y S_xx + 2 u_x S_xy, m_xxy = sum e_x^2 e_y f, and so on; all other moments are zero
 *   Latt, Chopard 2006 (S); Malaspinas 2015, Coreixas, Wissocq, Puigt, Boussuge, Sagaut 2017 (t)
 *   feq has the fourth moments m_xxyy = rho/9 + (u_x^2 + u_y^2)/3, times `fourth`   Bauer, Silva, Ruede 2020
 * If |S|^2 > most, S is scaled by most / |S|^2, which keeps a run on a too coarse lattice bounded. Dropping the
 * trace of S, which is zero in incompressible flow, damps short sound waves. T raises the linear stability limit of
 * a uniform flow with lattice velocity 0.1 from cell Reynolds number 40 to 400 (`fourth` 0) or 100 (`fourth` 1).
 * omega_minus 1/2 instead of 1 halves the friction that oblique walls add (solve/RESOLUTION.md). Arguments: as
 * collide_scaled_at. */
KERNEL_FN void collide_regularized_at(real f[19], const collide_rates *r, real per_unit, int forced, const real u[3]) {
    const real half = (real)0.5, keep = (real)1 - r->omega_plus, w1 = D3Q19_W1, w2 = D3Q19_W2;
    const real gx = r->force[0], gy = r->force[1], gz = r->force[2], x = u[0], y = u[1], z = u[2];
    const real rho = velocity_set_density(f), third = rho * (real)(1.0 / 3.0);
    const real sx = per_unit * x, sy = per_unit * y, sz = per_unit * z;
    const real xx = x * sx, yy = y * sy, zz = z * sz;
    /* stress S */
    const real a = f[7] + f[8], b = f[9] + f[10], c = f[11] + f[12], d = f[13] + f[14], e = f[15] + f[16],
               g = f[17] + f[18];
    real pxx = f[1] + f[2] + a + b + c + d - third - xx, pyy = f[3] + f[4] + a + b + e + g - third - yy,
         pzz = f[5] + f[6] + c + d + e + g - third - zz;
    const real mean = (pxx + pyy + pzz) * (real)(1.0 / 3.0);
    real pxy = a - b - x * sy, pxz = c - d - x * sz, pyz = e - g - y * sz;
    pxx -= mean;
    pyy -= mean;
    pzz -= mean;
    const real size = pxx * pxx + pyy * pyy + pzz * pzz + (real)2 * (pxy * pxy + pxz * pxz + pyz * pyz);
    const real bounded = r->most / (size > r->most ? size : r->most), part = keep * bounded;
    /* populations T_a with the third moments T */
    const real left = ((real)1 - r->omega_minus) * bounded, rest = part - left, brought = left * (real)(1.0 / 3.0);
    real jx = brought * x, jy = brought * y, jz = brought * z;
    if (forced) { /* the populations, and therefore the third moments m, lack half of the force */
        jx -= half * brought * gx;
        jy -= half * brought * gy;
        jz -= half * brought * gz;
    }
    const real mxy = left * (f[7] - f[8]), nxy = left * (f[9] - f[10]), mxz = left * (f[11] - f[12]),
               nxz = left * (f[13] - f[14]), myz = left * (f[15] - f[16]), nyz = left * (f[17] - f[18]);
    const real txxy = rest * (sy * pxx + (real)2 * sx * pxy) + (mxy - nxy - jy),
               txyy = rest * (sx * pyy + (real)2 * sy * pxy) + (mxy + nxy - jx),
               txxz = rest * (sz * pxx + (real)2 * sx * pxz) + (mxz - nxz - jz),
               txzz = rest * (sx * pzz + (real)2 * sz * pxz) + (mxz + nxz - jx),
               tyyz = rest * (sz * pyy + (real)2 * sy * pyz) + (myz - nyz - jz),
               tyzz = rest * (sy * pzz + (real)2 * sz * pyz) + (myz + nyz - jy);
    pxx *= part;
    pyy *= part;
    pzz *= part;
    pxy *= part;
    pxz *= part;
    pyz *= part;
    const real h = r->fourth * (real)(1.0 / 24.0);
    /* second moments without rho/3: equilibrium, retained stress, force */
    real qxx = xx + pxx, qyy = yy + pyy, qzz = zz + pzz, qxy = x * sy + pxy, qxz = x * sz + pxz, qyz = y * sz + pyz;
    real ox = (real)3 * x, oy = (real)3 * y, oz = (real)3 * z;
    if (forced) {
        const real given = (real)1 - half * r->omega_plus, odd = (real)1.5;
        qxx += given * (real)2 * sx * gx;
        qyy += given * (real)2 * sy * gy;
        qzz += given * (real)2 * sz * gz;
        qxy += given * (sx * gy + sy * gx);
        qxz += given * (sx * gz + sz * gx);
        qyz += given * (sy * gz + sz * gy);
        ox += odd * gx;
        oy += odd * gy;
        oz += odd * gz;
    }
    const real even = rho - (real)1.5 * (qxx + qyy + qzz), k = (real)4.5, quarter = (real)0.25;
    f[0] = D3Q19_W0 * even + (real)4 * h * (xx + yy + zz);
    collide_whole_pair(&f[1], &f[2], w1 * (even + k * qxx) - (real)2 * h * (yy + zz), w1 * ox - half * (txyy + txzz));
    collide_whole_pair(&f[3], &f[4], w1 * (even + k * qyy) - (real)2 * h * (xx + zz), w1 * oy - half * (txxy + tyzz));
    collide_whole_pair(&f[5], &f[6], w1 * (even + k * qzz) - (real)2 * h * (xx + yy), w1 * oz - half * (txxz + tyyz));
    const real even2 = w2 * even, k2 = w2 * k, cross = (real)2 * k2;
    const real sxy = even2 + k2 * (qxx + qyy) + h * zz, sxz = even2 + k2 * (qxx + qzz) + h * yy,
               syz = even2 + k2 * (qyy + qzz) + h * xx;
    collide_whole_pair(&f[7], &f[8], sxy + cross * qxy, w2 * (ox + oy) + quarter * (txxy + txyy));
    collide_whole_pair(&f[9], &f[10], sxy - cross * qxy, w2 * (ox - oy) + quarter * (txyy - txxy));
    collide_whole_pair(&f[11], &f[12], sxz + cross * qxz, w2 * (ox + oz) + quarter * (txxz + txzz));
    collide_whole_pair(&f[13], &f[14], sxz - cross * qxz, w2 * (ox - oz) + quarter * (txzz - txxz));
    collide_whole_pair(&f[15], &f[16], syz + cross * qyz, w2 * (oy + oz) + quarter * (tyyz + tyzz));
    collide_whole_pair(&f[17], &f[18], syz - cross * qyz, w2 * (oy - oz) + quarter * (tyzz - tyyz));
}

KERNEL_FN void collide_regularized(real f[19], const collide_rates *r, real per_unit, int forced) {
    real u[3];
    collide_momentum(f, r, forced, &u[0], &u[1], &u[2]);
    collide_regularized_at(f, r, per_unit, forced, u);
}
#endif
