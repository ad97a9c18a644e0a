/* What the CPU's backend holds, and how it comes about: the kernel for this precision and processor, memory, groups of
 * cells. */
#ifndef PORTAFLOW_CPU_CREATE_H
#define PORTAFLOW_CPU_CREATE_H
#include "common/base/must_check.h"
#include "solve/cpu/cpu_kernel.h"

enum { CPU_BLOCKS = 256 }; /* of groups: a monitor's sums are those of blocks, whatever the number of threads */

struct backend {
    const domain *d;
    backend_settings settings;
    const cpu_kernel *kernel;
    cpu_state state;
    void *memory; /* of the populations */
    void *link;   /* of the cut links */
    void *heat;   /* of the populations of the temperature, its links, those of each group */
    void *heat_link;
    int64_t *heat_first;
    cpu_group *group;
    int64_t n_group;
    prescribed_value *given;       /* [n_opening] of the last step */
    float *velocity_old;           /* [n_cell][3] */
    bool seen;                     /* velocity_old holds a field */
    int64_t *part;                 /* [threads + 1] groups of each thread */
    int64_t block[CPU_BLOCKS + 1]; /* groups of each block of a monitor */
    void *send, *recv;             /* of the halo */
    void *place[BACKEND_PLACES];   /* kept states */
    char device[96];
};

/* The first three functions of backend_cpu (core/backend.h). Errors: ERR_RESOURCE. */
void cpu_memory(const domain *d, const backend_settings *s, double *needed, double *available);
MUST_CHECK int cpu_create(const domain *d, const backend_settings *s, backend **out);
void cpu_destroy(backend *b);
#endif
