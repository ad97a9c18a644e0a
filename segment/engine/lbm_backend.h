/* SPDX-License-Identifier: Apache-2.0 */
/* A problem of the lattice Boltzmann relaxation in a narrow band, and the devices that solve it. Lengths in voxels. */
#ifndef PORTAFLOW_SEGMENT_LBM_BACKEND_H
#define PORTAFLOW_SEGMENT_LBM_BACKEND_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    float dt;          /* time step; dt * diffusion <= 1/8 with level_lines, otherwise any */
    float diffusion;   /* D >= 0, voxels^2 per unit time */
    bool level_lines;  /* true: mean curvature motion of level lines; false: heat equation */
    float propagation; /* P, voxels per unit time, positive outwards */
    float advection;   /* A, weight of the advection term */
} lbm_equation;

typedef struct {
    int dims[3]; /* size of the volume in voxels; their product is below 2^31 */
    float *u;    /* in and out: [voxels] the unknown u, x fastest, in host memory */
    /* [voxels] in host memory; speed NULL: 1 everywhere; potential NULL: no advection */
    const float *speed, *potential;
    int64_t n;           /* number of band cells: voxels in the band; u of all other voxels is fixed */
    const int32_t *cell; /* [n] voxel of each band cell, ascending, in host memory */
    lbm_equation equation;
    int steps;
    /* number of redistancing steps after `steps`. They make |grad u| = 1 and keep the zero level; each step corrects u
     * in a layer that is 0.45 voxels thick, from the zero level outwards. */
    int redistance_steps;
} lbm_problem;

typedef struct {
    const char *name;
    int (*run)(const lbm_problem *problem); /* solves the problem in place. Errors: ERR_RESOURCE */
} lbm_backend;

extern const lbm_backend lbm_cpu;
#ifdef PORTAFLOW_SEGMENT_CUDA
extern const lbm_backend lbm_cuda;
int lbm_cuda_count(void); /* number of usable GPUs */
int lbm_cuda_start(void); /* creates the context of a GPU; returns the number of usable GPUs */
#endif
#ifdef __cplusplus
}
#endif
#endif
