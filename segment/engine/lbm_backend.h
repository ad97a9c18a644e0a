/* One problem of the lattice Boltzmann relaxation in a narrow band, and the devices that solve it. In voxels. */
#ifndef PORTAFLOW_SEGMENT_LBM_BACKEND_H
#define PORTAFLOW_SEGMENT_LBM_BACKEND_H
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
    int (*run)(const lbm_problem *problem); /* Errors: ERR_RESOURCE */
} lbm_backend;

extern const lbm_backend lbm_cpu;
#ifdef PORTAFLOW_SEGMENT_CUDA
extern const lbm_backend lbm_cuda;
int lbm_cuda_count(void); /* GPUs that can be used */
int lbm_cuda_start(void); /* the same, and one is ready for its first call */
#endif
#ifdef __cplusplus
}
#endif
#endif
