/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/cpu/cpu_advection.h"
typedef float real;
#include "solve/kernels/advection.h"

/* P of the neighbour x - e_a of a lane of run r; at a wall, P of a fluid at rest with the density of cell x. */
static float neighbour_flux(const domain_run *r, int a, int lane, int axis, const float *velocity,
                            const float *density) {
    const int64_t n = r->source[a] + lane, own = r->first + lane;
    const bool fluid = lane >= r->low[a] && lane < r->high[a];
    return fluid ? advection_flux(density[n], velocity[3 * n + axis]) : advection_flux(density[own], 0);
}

void cpu_advection(const domain *d, int64_t begin, int64_t end, const float *velocity, const float *density,
                   int64_t stride, float rate, uint16_t *out) {
    for (const domain_run *r = d->run + begin; r < d->run + end; r++) {
        for (int axis = 0; axis < 3; axis++)
            for (int lane = 0; lane < r->count; lane++) {
                const int64_t c = r->first + lane;
                const int up = 2 * axis + 1, down = up + 1; /* directions +e and -e of the axis */
                const float s = advection_of(neighbour_flux(r, up, lane, axis, velocity, density),
                                             advection_flux(density[c], velocity[3 * c + axis]),
                                             neighbour_flux(r, down, lane, axis, velocity, density));
                out[axis * stride + c] = advection_update(out[axis * stride + c], s, rate);
            }
        for (const domain_link *k = d->link + r->link; r->opening && k < d->link + r[1].link; k++)
            if (k->opening && k->dir <= 6)
                out[(k->dir - 1) / 2 * stride + k->cell] = 0;
    }
}
