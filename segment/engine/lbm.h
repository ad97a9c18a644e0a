/* Diffusion and level sets as a lattice Boltzmann relaxation (D3Q7) in a narrow band, on the CPU or a GPU; the equation
 * is in lbm_cell.h. Everything is in voxels: distances, gradients per voxel, curvature per voxel. */
#ifndef PORTAFLOW_SEGMENT_LBM_H
#define PORTAFLOW_SEGMENT_LBM_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    float dt;          /* of a step; dt * diffusion <= 1/8 with level_lines, at will without */
    float diffusion;   /* D >= 0, voxels^2 a unit of time */
    bool level_lines;  /* level lines move by their curvature; else heat */
    float propagation; /* P, voxels a unit of time, outwards */
    float advection;   /* A */
} lbm_equation;

typedef struct {
    int dims[3];                    /* voxels, together below 2^31 */
    float *u;                       /* [voxels] x fastest, host; in and out */
    const float *speed, *potential; /* [voxels] host, or NULL: 1, none */
    int64_t n;                      /* cells of the band: the others keep their u */
    const int32_t *cell;            /* [n] voxels, ascending, host */
    lbm_equation equation;
    int steps;
    int back; /* then steps towards |grad u| = 1 with the zero level where it is; each carries 0.45 voxels further */
} lbm_problem;

typedef struct {
    const char *name;
    int (*run)(const lbm_problem *job); /* Errors: ERR_RESOURCE */
} lbm_backend;

extern const lbm_backend lbm_cpu;
#ifdef PORTAFLOW_SEGMENT_CUDA
extern const lbm_backend lbm_cuda;
int lbm_cuda_count(void); /* GPUs that can be used */
int lbm_cuda_start(void); /* the same, and one is ready for its first call */
#endif

enum lbm_where { LBM_AUTO, LBM_CPU, LBM_CUDA }; /* auto: a GPU where there is one and the work is worth its start */

/* Where lbm_run computes from now on; a GPU is started meanwhile. Errors: ERR_RESOURCE: built without CUDA. */
MUST_CHECK int lbm_choose(int device);
/* Waits for that, as lbm_run does. Errors: ERR_RESOURCE when a GPU is asked for and there is none. */
MUST_CHECK int lbm_ready(void);

/* work: cells times steps of all calls that belong together. Errors: ERR_RESOURCE. */
MUST_CHECK int lbm_run(const lbm_problem *job, double work);
const char *lbm_used(void); /* "cpu" or "cuda", of the last run */
#ifdef __cplusplus
}
#endif
#endif
