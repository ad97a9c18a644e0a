/* SPDX-License-Identifier: Apache-2.0 */
/* Advection correction (kernels/advection.h) of the cells of a domain. */
#ifndef PORTAFLOW_CPU_ADVECTION_H
#define PORTAFLOW_CPU_ADVECTION_H
#include "solve/core/domain.h"

/* Computes the correction of the cells of runs `begin .. end - 1`. velocity [n_cell + n_halo][3], density [n_cell +
 * n_halo]: lattice units. rate: backend_settings.advection_rate. out: advection_pack; axis k of cell c is
 * out[k * stride + c]. */
void cpu_advection(const domain *d, int64_t begin, int64_t end, const float *velocity, const float *density,
                   int64_t stride, float rate, uint16_t *out);
#endif
