/* Diffusion and level sets as a lattice Boltzmann relaxation (D3Q7) in a narrow band, on the CPU or a GPU; the equation
 * is in lbm_cell.h. Everything is in voxels: distances, gradients per voxel, curvature per voxel. */
#ifndef PORTAFLOW_SEGMENT_LBM_H
#define PORTAFLOW_SEGMENT_LBM_H
#include "common/base/must_check.h"
#include "segment/engine/lbm_backend.h"
#ifdef __cplusplus
extern "C" {
#endif

enum lbm_where { LBM_AUTO, LBM_CPU, LBM_CUDA }; /* auto: a GPU where there is one and the work is worth its start */

/* Where lbm_run computes from now on; a GPU is started meanwhile. Errors: ERR_RESOURCE: built without CUDA. */
MUST_CHECK int lbm_choose(int device);
/* Waits for that, as lbm_run does. Errors: ERR_RESOURCE when a GPU is asked for and there is none. */
MUST_CHECK int lbm_ready(void);

/* work: cells times steps of all calls that belong together. Errors: ERR_RESOURCE. */
MUST_CHECK int lbm_run(const lbm_problem *problem, double work);
const char *lbm_used(void); /* "cpu" or "cuda", of the last run */
#ifdef __cplusplus
}
#endif
#endif
