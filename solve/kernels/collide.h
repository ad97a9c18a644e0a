/* Collision: two relaxation times, BGK when both rates are equal, with a body force; regularized for coarse lattices.
 *
 *   f+ = (f_a + f_a*) / 2 relaxes with omega_plus = 1 / tau,  f- = (f_a - f_a*) / 2 with omega_minus
 *   f_a' = f_a + omega_plus (feq+ - f+) + omega_minus (feq- - f-) + F_a
 *   feq+ = w (rho + 9/2 (e.u)^2 - 3/2 u^2)    feq- = 3 w (e.u)
 *   (1/omega_plus - 1/2) (1/omega_minus - 1/2) = Lambda, 3/16 for TRT              Ginzburg, Verhaeghe, d'Humieres 2008
 * Incompressible form: rho is in the first term only and u = j (rho0 = 1)      He and Luo 1997
 * Force: F+ = (1 - omega_plus/2) w (9 (e.u)(e.F) - 3 u.F), F- = (1 - omega_minus/2) 3 w (e.F), u = j + F/2
 *                                                                        Guo, Zheng, Shi 2002, split by parity
 * shang2023 eq. 3 has the sign of the collision term reversed. */
#ifndef PORTAFLOW_COLLIDE_H
#define PORTAFLOW_COLLIDE_H
#include "solve/kernels/d3q19.h"

typedef struct {
    real omega_plus, omega_minus;
    real force[3]; /* acceleration, lattice units */
} collide_rates;

/* What every pair needs; per_unit as in collide_scaled. */
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

/* One pair: eu = e_a.u, ef = e_a.F; even = w (omega_plus (rho - 3/2 u^2) + isotropic part of F+ / w). */
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

/* Populations and force may be given in a unit of their own, 1/per_unit times larger (16-bit storage): only products of
 * two of them see it. forced 0: the force is zero and costs nothing. Both should be known at compile time. */
KERNEL_FN void collide_scaled(real f[19], const collide_rates *r, real per_unit, int forced) {
    const collide_factors c = collide_prepare(r, per_unit);
    const real fx = r->force[0], fy = r->force[1], fz = r->force[2], half = (real)0.5;
    real x, y, z;
    d3q19_momentum(f, &x, &y, &z);
    if (forced) {
        x += half * fx;
        y += half * fy;
        z += half * fz;
    }
    real even = r->omega_plus * (d3q19_density(f) - (real)1.5 * per_unit * (x * x + y * y + z * z));
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

KERNEL_FN void collide(real f[19], const collide_rates *r) {
    collide_scaled(f, r, (real)1, 1);
}

/* Even part of one pair beyond density and stress: stress_part = 9/2 w e.Pi.e. Removing it from f before
 * the collision is the regularization: what is left relaxes as above. */
KERNEL_FN void collide_clean_pair(real *fa, real *fb, real w, real eu, real even, real bend, real stress_part) {
    const real extra = w * (even + bend * eu * eu) + stress_part - (real)0.5 * (*fa + *fb);
    *fa += extra;
    *fb += extra;
}

/* Then collide(): density, momentum and the stress without its trace are unchanged; the trace, zero in incompressible
 * flow, is dropped, which damps sound of short wavelength. per_unit as in collide_scaled. */
KERNEL_FN void collide_clean(real f[19], const collide_rates *r, real per_unit) {
    real x, y, z;
    d3q19_momentum(f, &x, &y, &z);
    x += (real)0.5 * r->force[0];
    y += (real)0.5 * r->force[1];
    z += (real)0.5 * r->force[2];
    const real rho = d3q19_density(f), third = rho * (real)(1.0 / 3.0);
    const real sx = per_unit * x, sy = per_unit * y, sz = per_unit * z, bend = (real)4.5 * per_unit;
    const real even = rho - (real)1.5 * (x * sx + y * sy + z * sz);
    const real a = f[7] + f[8], b = f[9] + f[10], c = f[11] + f[12], d = f[13] + f[14], e = f[15] + f[16],
               g = f[17] + f[18];
    real pxx = f[1] + f[2] + a + b + c + d - third - x * sx, pyy = f[3] + f[4] + a + b + e + g - third - y * sy,
         pzz = f[5] + f[6] + c + d + e + g - third - z * sz;
    const real pxy = a - b - x * sy, pxz = c - d - x * sz, pyz = e - g - y * sz;
    const real mean = (pxx + pyy + pzz) * (real)(1.0 / 3.0), k = (real)4.5, w1 = D3Q19_W1, w2 = D3Q19_W2;
    pxx -= mean;
    pyy -= mean;
    pzz -= mean;
    f[0] = D3Q19_W0 * even;
    collide_clean_pair(&f[1], &f[2], w1, x, even, bend, w1 * (k * pxx));
    collide_clean_pair(&f[3], &f[4], w1, y, even, bend, w1 * (k * pyy));
    collide_clean_pair(&f[5], &f[6], w1, z, even, bend, w1 * (k * pzz));
    collide_clean_pair(&f[7], &f[8], w2, x + y, even, bend, w2 * (k * (pxx + pyy + (real)2 * pxy)));
    collide_clean_pair(&f[9], &f[10], w2, x - y, even, bend, w2 * (k * (pxx + pyy - (real)2 * pxy)));
    collide_clean_pair(&f[11], &f[12], w2, x + z, even, bend, w2 * (k * (pxx + pzz + (real)2 * pxz)));
    collide_clean_pair(&f[13], &f[14], w2, x - z, even, bend, w2 * (k * (pxx + pzz - (real)2 * pxz)));
    collide_clean_pair(&f[15], &f[16], w2, y + z, even, bend, w2 * (k * (pyy + pzz + (real)2 * pyz)));
    collide_clean_pair(&f[17], &f[18], w2, y - z, even, bend, w2 * (k * (pyy + pzz - (real)2 * pyz)));
}
#endif
