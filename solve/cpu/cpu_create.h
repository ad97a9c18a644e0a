/* SPDX-License-Identifier: Apache-2.0 */
/* State of the CPU backend and its creation: choice of the kernel by precision and processor, memory, groups of
 * cells. */
#ifndef PORTAFLOW_CPU_CREATE_H
#define PORTAFLOW_CPU_CREATE_H
#include "common/base/must_check.h"
#include "solve/cpu/cpu_kernel.h"

enum {
    CPU_BLOCKS = 256
}; /* a monitor sums over this many blocks of groups, so that its result does not depend on
                            * the number of threads */

struct backend {
    const domain *d;
    backend_settings settings;
    const cpu_kernel *kernel;
    cpu_state state;
    void *memory;            /* populations */
    void *viscosity;         /* cpu_state.viscosity */
    void *drag;              /* cpu_state.drag */
    void *link;              /* cut links */
    int32_t *order;          /* cpu_state.order */
    cpu_wall_source *source; /* cpu_state.source */
    int32_t *foreign;        /* [n_foreign] indices in `link` of the links whose wall value a halo cell sends */
    int64_t n_foreign;
    /* heat: populations of the temperature; heat_link: its cut links; heat_first: first link of each group */
    void *heat;
    void *heat_link;
    int64_t *heat_first;
    cpu_group *group;
    int64_t n_group;
    prescribed_value *given;       /* [domain_given] prescribed values of the last step */
    float *velocity_old;           /* [n_cell + n_halo][3] velocity at the last monitor */
    float *density_old;            /* D3Q27: [n_cell + n_halo] density deviation at the last monitor; NULL: D3Q19 */
    uint16_t *advection;           /* memory of cpu_state.advection; NULL: D3Q19 */
    bool seen;                     /* velocity_old holds values */
    int64_t *part;                 /* [threads + 1] first group of each thread */
    int64_t block[CPU_BLOCKS + 1]; /* first group of each block; the sums are the same for every number of threads */
    void *send, *recv;             /* buffers of the halo */
    void *place[BACKEND_PLACES];   /* stored states (keep) */
    char device[96];
};

/* The first three functions of the table backend_cpu (core/backend.h). Errors: ERR_RESOURCE. */
void cpu_memory(const domain *d, const backend_settings *s, double *needed, double *available);
MUST_CHECK int cpu_create(const domain *d, const backend_settings *s, backend **out);
void cpu_destroy(backend *b);
#endif
