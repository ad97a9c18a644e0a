/* Collision: two relaxation times, BGK when both rates are equal, with a body force; regularized for coarse lattices.
 *
 *   f+ = (f_a + f_a*) / 2 relaxes with omega_plus = 1 / tau,  f- = (f_a - f_a*) / 2 with omega_minus
 *   f_a' = f_a + omega_plus (feq+ - f+) + omega_minus (feq- - f-) + F_a
 *   feq+ = w (rho + 9/2 (e.u)^2 - 3/2 u^2)    feq- = 3 w (e.u)
 *   (1/omega_plus - 1/2) (1/omega_minus - 1/2) = Lambda, 3/16 for TRT              Ginzburg, Verhaeghe, d'Humieres 2008
 * Incompressible form: rho stands in the first term only and u = j (rho0 = 1)      He and Luo 1997
 * Force: F+ = (1 - omega_plus/2) w (9 (e.u)(e.F) - 3 u.F), F- = (1 - omega_minus/2) 3 w (e.F), u = j + F/2
 *                                                                                  Guo, Zheng, Shi 2002, split by
 * parity shang2023 eq. 3 has the sign of the collision term reversed. */
#ifndef PORTAFLOW_COLLIDE_H
#define PORTAFLOW_COLLIDE_H
#include "d3q19.h"

typedef struct {
    real omega_plus, omega_minus;
    real force[3]; /* acceleration, lattice units */
} collide_rates;

/* One pair: eu = e_a.u, ef = e_a.F; even = w-free isotropic part of feq+ (rho - 3/2 u^2); uf = u.F */
KERNEL_FN void collide_pair(real *fa, real *fb, real w, real eu, real even, real ef, real uf, const collide_rates *r) {
    const real plus = (real)0.5 * (*fa + *fb), minus = (real)0.5 * (*fa - *fb);
    const real force_plus = ((real)1 - (real)0.5 * r->omega_plus) * ((real)9 * eu * ef - (real)3 * uf);
    const real force_minus = ((real)1 - (real)0.5 * r->omega_minus) * (real)3 * ef;
    const real d_plus = r->omega_plus * (w * (even + (real)4.5 * eu * eu) - plus) + w * force_plus;
    const real d_minus = r->omega_minus * (w * (real)3 * eu - minus) + w * force_minus;
    *fa += d_plus + d_minus;
    *fb += d_plus - d_minus;
}

KERNEL_FN void collide(real f[19], const collide_rates *r) {
    const real fx = r->force[0], fy = r->force[1], fz = r->force[2];
    real x, y, z;
    d3q19_momentum(f, &x, &y, &z);
    x += (real)0.5 * fx;
    y += (real)0.5 * fy;
    z += (real)0.5 * fz;
    const real uf = x * fx + y * fy + z * fz;
    const real even = d3q19_density(f) - (real)1.5 * (x * x + y * y + z * z);
    const real w1 = D3Q19_W1, w2 = D3Q19_W2;
    f[0] += r->omega_plus * (D3Q19_W0 * even - f[0]) - ((real)1 - (real)0.5 * r->omega_plus) * (real)3 * D3Q19_W0 * uf;
    collide_pair(&f[1], &f[2], w1, x, even, fx, uf, r);
    collide_pair(&f[3], &f[4], w1, y, even, fy, uf, r);
    collide_pair(&f[5], &f[6], w1, z, even, fz, uf, r);
    collide_pair(&f[7], &f[8], w2, x + y, even, fx + fy, uf, r);
    collide_pair(&f[9], &f[10], w2, x - y, even, fx - fy, uf, r);
    collide_pair(&f[11], &f[12], w2, x + z, even, fx + fz, uf, r);
    collide_pair(&f[13], &f[14], w2, x - z, even, fx - fz, uf, r);
    collide_pair(&f[15], &f[16], w2, y + z, even, fy + fz, uf, r);
    collide_pair(&f[17], &f[18], w2, y - z, even, fy - fz, uf, r);
}

/* Even part of one pair beyond density and stress: stress_part = 9/2 w e.Pi.e. Removing it from f before
 * the collision is the regularization: what is left relaxes as above. */
KERNEL_FN void collide_clean_pair(real *fa, real *fb, real w, real eu, real even, real stress_part) {
    const real extra = w * (even + (real)4.5 * eu * eu) + stress_part - (real)0.5 * (*fa + *fb);
    *fa += extra;
    *fb += extra;
}

/* Then collide(): density, momentum and the stress without its trace are unchanged; the trace, zero in incompressible
 * flow, is dropped, which damps sound of short wavelength. */
KERNEL_FN void collide_clean(real f[19], const collide_rates *r) {
    real x, y, z;
    d3q19_momentum(f, &x, &y, &z);
    x += (real)0.5 * r->force[0];
    y += (real)0.5 * r->force[1];
    z += (real)0.5 * r->force[2];
    const real rho = d3q19_density(f), third = rho * (real)(1.0 / 3.0);
    const real even = rho - (real)1.5 * (x * x + y * y + z * z);
    const real a = f[7] + f[8], b = f[9] + f[10], c = f[11] + f[12], d = f[13] + f[14], e = f[15] + f[16],
               g = f[17] + f[18];
    real pxx = f[1] + f[2] + a + b + c + d - third - x * x, pyy = f[3] + f[4] + a + b + e + g - third - y * y,
         pzz = f[5] + f[6] + c + d + e + g - third - z * z;
    const real pxy = a - b - x * y, pxz = c - d - x * z, pyz = e - g - y * z;
    const real mean = (pxx + pyy + pzz) * (real)(1.0 / 3.0), k = (real)4.5, w1 = D3Q19_W1, w2 = D3Q19_W2;
    pxx -= mean;
    pyy -= mean;
    pzz -= mean;
    f[0] = D3Q19_W0 * even;
    collide_clean_pair(&f[1], &f[2], w1, x, even, w1 * (k * pxx));
    collide_clean_pair(&f[3], &f[4], w1, y, even, w1 * (k * pyy));
    collide_clean_pair(&f[5], &f[6], w1, z, even, w1 * (k * pzz));
    collide_clean_pair(&f[7], &f[8], w2, x + y, even, w2 * (k * (pxx + pyy + (real)2 * pxy)));
    collide_clean_pair(&f[9], &f[10], w2, x - y, even, w2 * (k * (pxx + pyy - (real)2 * pxy)));
    collide_clean_pair(&f[11], &f[12], w2, x + z, even, w2 * (k * (pxx + pzz + (real)2 * pxz)));
    collide_clean_pair(&f[13], &f[14], w2, x - z, even, w2 * (k * (pxx + pzz - (real)2 * pxz)));
    collide_clean_pair(&f[15], &f[16], w2, y + z, even, w2 * (k * (pyy + pzz + (real)2 * pyz)));
    collide_clean_pair(&f[17], &f[18], w2, y - z, even, w2 * (k * (pyy + pzz - (real)2 * pyz)));
}
#endif
