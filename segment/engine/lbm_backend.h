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
    float dt;          /* time step; dt * diffusion <= 1/8 with level_lines, otherwise unlimited */
    float diffusion;   /* D >= 0, voxels^2 per unit time */
    bool level_lines;  /* true: mean curvature motion of the level lines; false: heat equation */
    float propagation; /* P, voxels per unit time, outwards */
    float advection;   /* A, weight of the advection */
} lbm_equation;

typedef struct {
    int dims[3];                    /* size of the volume in voxels; the product is below 2^31 */
    float *u;                       /* [voxels] the unknown u, x fastest, on the host; in and out */
    const float *speed, *potential; /* [voxels] on the host; speed NULL: 1; potential NULL: no advection */
    int64_t n;                      /* number of band cells; u of other voxels is fixed */
    const int32_t *cell;            /* [n] voxel index of each band cell, ascending, on the host */
    lbm_equation equation;
    int steps;
    /* redistancing steps after `steps`: towards |grad u| = 1 with a fixed zero level; each step corrects u 0.45 voxels
     * farther from the zero level */
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
