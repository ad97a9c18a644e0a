/* SPDX-License-Identifier: Apache-2.0 */
/* Diffusion and level sets by a lattice Boltzmann relaxation (D3Q7) in a narrow band, on the CPU or a GPU. The equation
 * is in lbm_cell.h. All lengths are in voxels. */
#ifndef PORTAFLOW_SEGMENT_LBM_H
#define PORTAFLOW_SEGMENT_LBM_H
#include "common/base/must_check.h"
#include "segment/engine/lbm_backend.h"
#ifdef __cplusplus
extern "C" {
#endif

/* LBM_AUTO: a GPU, if there is one and the CPU would need longer for the work than the GPU needs to start */
enum lbm_device { LBM_AUTO, LBM_CPU, LBM_CUDA };

/* Choose the device of lbm_run. LBM_CUDA: the GPU starts in the background. Errors: ERR_RESOURCE (built without
 * CUDA). */
MUST_CHECK int lbm_choose_device(int device);
/* Wait for the GPU to start; lbm_run calls it, too. Errors: ERR_RESOURCE (a GPU is requested, but none is usable). */
MUST_CHECK int lbm_wait_ready(void);

/* Solve the problem in place. work: cells times steps, summed over all calls of one task; decides the device for
 * LBM_AUTO. Errors: ERR_RESOURCE. */
MUST_CHECK int lbm_run(const lbm_problem *problem, double work);
const char *lbm_device_used(void); /* device of the last run, "cpu" or "cuda" */
#ifdef __cplusplus
}
#endif
#endif
