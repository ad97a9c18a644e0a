/* SPDX-License-Identifier: Apache-2.0 */
/* Work buffer of a group of cells. Included by cpu_step.c, which defines `real`. */
#ifndef PORTAFLOW_CPU_BUFFER_H
#define PORTAFLOW_CPU_BUFFER_H
#include "solve/cpu/cpu_kernel.h"
#include "solve/kernels/advection.h"
#include "solve/kernels/collide.h"
#if LATTICE_Q == 27
#include "solve/kernels/cumulant.h"
#endif
#include "solve/kernels/heat_cell.h"
#include "solve/kernels/link.h"
#include "solve/kernels/moments.h"
#include "solve/kernels/porous_drag.h"
#include "solve/kernels/shear_viscosity.h"

enum { LANES = CPU_LANES, VECTOR = 64 / (int)sizeof(real) };

typedef struct {
    _Alignas(64) real f[LATTICE_Q][LANES];
    _Alignas(64) real advection[3][LANES]; /* advection correction; 0 on D3Q19 */
} run_buffer;

static inline real *slots(const cpu_state *s, int a) {
    return (real *)s->pop + (int64_t)a * s->stride;
}

static inline const domain_run *run_begin(const cpu_state *s, const cpu_group *g) {
    return s->d->run + g->run;
}
static inline const domain_run *run_end(const cpu_state *s, const cpu_group *g) {
    return s->d->run + g[1].run;
}
static inline void lane_copy(const run_buffer *b, int lane, real f[LATTICE_Q]) {
    for (int a = 0; a < LATTICE_Q; a++)
        f[a] = b->f[a][lane];
}

static collide_rates rates_of(const cpu_state *s) {
    return (collide_rates){(real)s->omega_plus,
                           (real)s->omega_minus,
                           {(real)s->force[0], (real)s->force[1], (real)s->force[2]},
                           (real)s->most,
                           (real)s->fourth};
}

/* Collision rates of a cell. With heat, the force includes the buoyancy of the temperature that heat_theta_note
 * stored. */
static collide_rates rates_at(const cpu_state *s, const collide_rates *rates, int64_t cell) {
    if (!s->heat.settings)
        return *rates;
    const double *b = s->heat.settings->buoyancy;
    const heat_rates h = {0, 0, {(real)b[0], (real)b[1], (real)b[2]}};
    return heat_force(rates, &h, (real)s->heat.theta[cell]);
}

/* Sets out [3] to the advection correction of a cell; 0 on D3Q19. */
static inline void advection_at(const cpu_state *s, int64_t cell, real out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = LATTICE_Q == 27 ? (real)advection_unpack(s->advection[k * s->stride + cell]) : (real)0;
}

/* As rates_at. The viscosity of shear-thinning blood and the drag of a porous cell also follow from f, the populations
 * before the collision. */
static collide_rates rates_with(const cpu_state *s, const collide_rates *rates, int64_t cell, const real f[LATTICE_Q]) {
    if (s->drag)
        return porous_rates(f, ((const real *)s->drag)[s->d->region[cell]], rates);
    real advection[3];
    advection_at(s, cell, advection);
    return s->viscosity ? shear_rates(f, s->viscosity, rates, s->regularized || LATTICE_Q == 27, 1, advection)
                        : rates_at(s, rates, cell);
}
#endif
