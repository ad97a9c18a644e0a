/* SPDX-License-Identifier: Apache-2.0 */
/* One time step of one band cell, a voxel of the narrow band; shared by the CPU (C17) and the GPU (CUDA C++). Lengths
 * in voxels.
 *
 *   du/dt = D div(s grad u)                                                                                   (1)
 *           - D L s (n . H n),  n = grad u/|grad u|, H second derivatives; L = 1: mean curvature motion, 0: heat
 *           - P s |grad u|                       outwards where u < 0 is inside
 *           + (A grad p - D L grad s) . grad u
 *
 * s: `speed` (1 if NULL), p: `potential`. With L = 1, eq. 1 is the geodesic active contour u_t = D s kappa |grad u|
 * - P s |grad u| + A grad p . grad u (Caselles, Kimmel, Sapiro 1997), since div(s grad u) = s lap u + grad s . grad
 * u and |grad u| kappa = lap u - n . H n.
 *
 * Relaxation: tau = 1/2 + D s dt / c2, c2 = 1/4 (weights 1/4 and six of 1/8; Jawerth, Lin, Sinzinger 1999).
 * Second-order moments relax in one step, so a cell stores u and its flux after the collision: 4 numbers instead of
 * 7. A neighbour outside the band keeps its u and uses the flux of this cell (guo2002b); the faces of the volume
 * reflect. */
#ifndef PORTAFLOW_SEGMENT_LBM_CELL_H
#define PORTAFLOW_SEGMENT_LBM_CELL_H
#include "segment/engine/lbm_backend.h"
#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define LBM_FN static __device__ __forceinline__
#else
#define LBM_FN static inline __attribute__((always_inline))
#endif

#define LBM_W  0.125F      /* Weight of each of the six links; the rest population has 1/4 */
#define LBM_C2 (2 * LBM_W) /* Second moment of the weights, c2 of the equations */
/* Upper limit of the squared gradient in a flat region, where there is no direction */
#define LBM_FLAT            1e-12F
#define LBM_NO_WALL         1e30F /* Value of the distance in redistancing if the wall is not next to the cell */
#define LBM_REDISTANCE_STEP 0.45F /* pseudo time step of redistancing, voxels */

typedef struct {
    int dims[3];
    int64_t n;                      /* number of band cells */
    const int32_t *cell;            /* [n] voxel of each band cell */
    const int32_t *band;            /* [voxels] band cell of each voxel; -1: outside the band */
    const float *speed, *potential; /* [voxels] s and p of eq. 1; may be NULL */
    const float *u;                 /* [voxels] u before the step */
    float *u_next;                  /* [voxels] u after the step */
    const float *flux;              /* [3][n] flux after the collision of the step before */
    float *flux_next;               /* [3][n] flux after the collision of this step */
} lbm_field;

/* Voxel index of a cell and the offsets of its neighbours along each axis; 0 at a face of the volume. */
typedef struct {
    int64_t at, down[3], up[3];
    int64_t down2[3], up2[3]; /* offset from the neighbour on either side to the voxel behind it */
} lbm_place;

LBM_FN float lbm_max(float a, float b) { /* maximum of two numbers; faster than fmaxf, because NaN is not handled */
    return a > b ? a : b;
}

LBM_FN lbm_place lbm_locate_cell(const lbm_field *f, int64_t k) {
    lbm_place p;
    const int32_t at = f->cell[k], nx = f->dims[0], row = at / nx;
    const int32_t pos[3] = {at - row * nx, row % f->dims[1], row / f->dims[1]};
    const int64_t step[3] = {1, nx, (int64_t)nx * f->dims[1]};
    p.at = at;
    for (int a = 0; a < 3; a++) {
        p.down[a] = pos[a] > 0 ? step[a] : 0;
        p.up[a] = pos[a] + 1 < f->dims[a] ? step[a] : 0;
        p.down2[a] = pos[a] > 1 ? step[a] : 0;
        p.up2[a] = pos[a] + 2 < f->dims[a] ? step[a] : 0;
    }
    return p;
}

LBM_FN void lbm_gradient(const float *v, const lbm_place *p, float g[3]) {
    for (int a = 0; a < 3; a++)
        g[a] = 0.5F * (v[p->at + p->up[a]] - v[p->at - p->down[a]]);
}

/* Second derivative along the gradient, n . H n. */
LBM_FN float lbm_along_gradient(const float *v, const lbm_place *p) {
    float g[3], sum = 0, square = 0;
    lbm_gradient(v, p, g);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const float cross = 0.25F * (v[p->at + p->up[a] + p->up[b]] + v[p->at - p->down[a] - p->down[b]] -
                                     v[p->at + p->up[a] - p->down[b]] - v[p->at - p->down[a] + p->up[b]]);
        square += g[a] * g[a];
        sum += g[a] * g[a] * (v[p->at + p->up[a]] + v[p->at - p->down[a]] - 2 * v[p->at]) + 2 * g[a] * g[b] * cross;
    }
    return square > LBM_FLAT ? sum / square : 0;
}

/* Upwind |grad u| of a front that moves outwards (sign 1) or inwards (sign -1) (Godunov; Osher, Sethian 1988). */
LBM_FN float lbm_upwind(float sign, const float back[3], const float ahead[3]) {
    float sum = 0;
    for (int a = 0; a < 3; a++) {
        const float most = lbm_max(lbm_max(sign * back[a], -sign * ahead[a]), 0);
        sum += most * most;
    }
    return sqrtf(sum);
}

LBM_FN float lbm_tau(const lbm_equation *e, float speed) {
    return 0.5F + e->dt * e->diffusion * speed / LBM_C2;
}

/* Right-hand side of eq. 1 without diffusion, per unit time. */
LBM_FN float lbm_source(const lbm_field *f, const lbm_equation *e, const lbm_place *p, float speed) {
    float back[3], ahead[3], du[3], dv[3], sum = 0;
    for (int a = 0; a < 3; a++) {
        back[a] = f->u[p->at] - f->u[p->at - p->down[a]];
        ahead[a] = f->u[p->at + p->up[a]] - f->u[p->at];
        du[a] = 0.5F * (back[a] + ahead[a]);
    }
    if (e->level_lines)
        sum -= e->diffusion * speed * lbm_along_gradient(f->u, p);
    if (e->propagation != 0)
        sum -= e->propagation * speed * lbm_upwind(e->propagation < 0 ? -1.0F : 1.0F, back, ahead);
    if (f->potential) {
        lbm_gradient(f->potential, p, dv);
        for (int a = 0; a < 3; a++)
            sum += e->advection * dv[a] * (e->advection * dv[a] < 0 ? back[a] : ahead[a]);
    }
    if (f->speed && e->level_lines) {
        lbm_gradient(f->speed, p, dv);
        for (int a = 0; a < 3; a++)
            sum -= e->diffusion * dv[a] * du[a];
    }
    return sum;
}

/* Set the flux of a cell to the equilibrium of the given u, before the first step. */
LBM_FN void lbm_start_cell(const lbm_field *f, const lbm_equation *e, int64_t k) {
    const lbm_place p = lbm_locate_cell(f, k);
    const float rest = -LBM_C2 * (lbm_tau(e, f->speed ? f->speed[p.at] : 1.0F) - 1);
    float g[3];
    lbm_gradient(f->u, &p, g);
    for (int a = 0; a < 3; a++)
        f->flux_next[a * f->n + k] = rest * g[a];
}

LBM_FN void lbm_step_cell(const lbm_field *f, const lbm_equation *e, int64_t k) {
    const lbm_place p = lbm_locate_cell(f, k);
    const float u = f->u[p.at], speed = f->speed ? f->speed[p.at] : 1.0F, keep = 1 - 1 / lbm_tau(e, speed);
    float sum = (1 - 6 * LBM_W) * u;
    for (int a = 0; a < 3; a++) {
        const float *flux = f->flux + a * f->n;
        const float own = flux[k];
        /* the flux is reflected at a face of the volume */
        float low = LBM_W * u - 0.5F * own, high = LBM_W * u + 0.5F * own;
        if (p.down[a]) {
            const int32_t from = f->band[p.at - p.down[a]];
            low = LBM_W * f->u[p.at - p.down[a]] + 0.5F * (from >= 0 ? flux[from] : own);
        }
        if (p.up[a]) {
            const int32_t from = f->band[p.at + p.up[a]];
            high = LBM_W * f->u[p.at + p.up[a]] - 0.5F * (from >= 0 ? flux[from] : own);
        }
        sum += low + high;
        f->flux_next[a * f->n + k] = keep * (low - high);
    }
    f->u_next[p.at] = sum + e->dt * lbm_source(f, e, &p, speed);
}

/* ---------------------------------------------------------------------------------------------- redistancing */

LBM_FN float lbm_minmod(float a, float b) { /* slope of smaller magnitude if both have the same sign, else 0 */
    return a * b <= 0 ? 0 : (fabsf(a) < fabsf(b) ? a : b);
}

/* Signed distance to a wall next to this cell (Russo, Smereka 2000), else LBM_NO_WALL; stored in the first flux
 * component. */
LBM_FN void lbm_wall_distance_cell(const lbm_field *f, int64_t k) {
    const lbm_place p = lbm_locate_cell(f, k);
    const float u = f->u[p.at];
    float square = 0, steepest = 0;
    bool wall = false;
    for (int a = 0; a < 3; a++) {
        const float up = f->u[p.at + p.up[a]], down = f->u[p.at - p.down[a]];
        const float g = 0.5F * (up - down);
        wall = wall || u * up < 0 || u * down < 0 || u == 0;
        square += g * g;
        steepest = lbm_max(steepest, lbm_max(fabsf(up - u), fabsf(u - down)));
    }
    f->flux_next[k] = wall ? u / lbm_max(lbm_max(sqrtf(square), steepest), 1e-6F) : LBM_NO_WALL;
}

/* One redistancing step towards |grad u| = 1, with second-order differences that do not cross the wall. */
LBM_FN void lbm_redistance_cell(const lbm_field *f, int64_t k) {
    const lbm_place p = lbm_locate_cell(f, k);
    const float u = f->u[p.at], wall = f->flux[k], sign = u < 0 ? -1.0F : 1.0F;
    float back[3], ahead[3];
    if (wall != LBM_NO_WALL) {
        f->u_next[p.at] = u - LBM_REDISTANCE_STEP * ((wall < 0 ? -1.0F : 1.0F) * fabsf(u) - wall);
        return;
    }
    for (int a = 0; a < 3; a++) {
        const int64_t up = p.at + p.up[a], down = p.at - p.down[a];
        const float here = f->u[up] - 2 * u + f->u[down];
        ahead[a] = f->u[up] - u - 0.5F * lbm_minmod(here, f->u[up + p.up2[a]] - 2 * f->u[up] + u);
        back[a] = u - f->u[down] + 0.5F * lbm_minmod(here, u - 2 * f->u[down] + f->u[down - p.down2[a]]);
    }
    f->u_next[p.at] = u - LBM_REDISTANCE_STEP * sign * (lbm_upwind(sign, back, ahead) - 1);
}
#endif
