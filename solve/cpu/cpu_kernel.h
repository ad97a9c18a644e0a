/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of the CPU over cells, one instance per precision and instruction set (cpu_step.c is compiled several
 * times). */
#ifndef PORTAFLOW_CPU_KERNEL_H
#define PORTAFLOW_CPU_KERNEL_H
#include "solve/core/backend.h"
#include "solve/core/heat_links.h"
#include "solve/kernels/exact_sum.h"

/* A group of cells `first .. first + count - 1`, made of whole runs. The kernel holds all cells of a group in its
 * buffer; lane = cell - first. An array of groups ends with an entry whose `first` is the number of cells. */
typedef struct {
    int32_t first, count;
    int64_t run;  /* first run */
    bool opening; /* true if a link of the group goes through an opening or to a moving wall */
    bool on_site; /* true if a link of the group goes through an on-site opening */
    /* number of links through flow or pressure openings; they are the last links of the group in cpu_state.link */
    int through;
    int64_t source; /* first entry in cpu_state.source of the wall values that cells of this group send */
} cpu_group;

/* Wall value (core/halo.h) of the link with index `link` in cpu_state.link: entry `at` = direction * CPU_LANES + lane,
 * after the collision, of the buffer of the group that sends it. */
typedef struct {
    int32_t link;
    uint16_t at;
} cpu_wall_source;

/* Populations: slot a of cell c is pop[a * stride + c]. 64 values before and after each of the 19 or 27 arrays are
 * readable. */
typedef struct {
    const domain *d;
    void *pop;
    int64_t stride;
    void *kept; /* [n_partial] values of partially solid links */
    const cpu_group *group;
    const void *link;              /* [d->n_link] cpu_link of cpu_step.c, grouped as d->link */
    const int32_t *order;          /* [d->n_link] index in d->link of each entry of `link` */
    void *wall_slot;               /* [d->n_link] slot of each wall link (kernels/link.h) in the order of `link`. The
                                    * populations hold it only in a state that is read or written (backend_table) */
    void *wall_value[2];           /* quadratic walls: [d->n_link] wall value of each entry of `link`. Even steps read
                                    * [0] and write [1], odd steps read [1] and write [0]. Unused by links without two
                                    * cells behind (domain_behind) */
    const cpu_wall_source *source; /* quadratic walls: own cells that send wall values, by group */
    const prescribed_value *given; /* [domain_given] prescribed values of this step */
    double mass_correction;        /* mass correction of every wall link */
    exact_sum *entered;            /* [n_group] mass that entered through openings, minus the prescribed flow */
    double omega_plus, omega_minus, force[3], fourth, most, pressure_rate;
    bool forced, regularized;
    const void *viscosity; /* [SHEAR_SEGMENTS] shear_segment of kernels/shear_viscosity.h; NULL: constant viscosity */
    const void *drag;      /* [POROUS_REGIONS + 1] drag of each porous region; NULL: no cell is porous */
    /* D3Q27: advection correction (kernels/advection.h) of axis k of cell c in advection[k * stride + c], padded as the
     * populations; NULL: D3Q19 */
    const uint16_t *advection;
    struct { /* temperature; all NULL without heat */
        const heat_settings *settings;
        void *pop;            /* population a of cell c is in pop[a * stride + c], a < 7; padded like the flow */
        const void *link;     /* cpu_heat_link of cpu_heat.h */
        const int64_t *first; /* [n_group + 1] first link of each group */
        double *theta;        /* [n_cell] last stored temperature */
        float *theta_old;     /* [n_cell] temperature at the last monitor */
    } heat;
} cpu_state;

/* Temperature sums over one block of groups, in the order that backend_heat_make expects. */
typedef struct {
    double of[BACKEND_HEAT + HEAT_SIDES];
    int64_t bad_cell;
} cpu_heat_sums;

typedef struct {
    const char *name; /* such as "avx512" */
    int link_bytes;   /* size of a cpu_link of cpu_step.c */
    void (*links_fill)(const domain *d, const cpu_group *group, int64_t n_group, const int32_t *order, void *link);
    /* D3Q27: sets cpu_state.wall_value[odd] of n links from the stored populations, which an even or odd step will read
     * next. list [n]: indices in cpu_state.link; NULL: 0 .. n - 1. NULL for D3Q19. */
    void (*wall_values_read)(const cpu_state *s, int odd, const int32_t *list, int64_t n);
    /* Advances groups begin..end-1 by one sub-step. */
    void (*step)(const cpu_state *s, int odd, int64_t begin, int64_t end);
    /* Computes the moments of groups begin..end-1 after an even step. Outputs are indexed by cell; any may be NULL. */
    void (*moments)(const cpu_state *s, int64_t begin, int64_t end, float *density, float *velocity, float *stress);
    /* Adds the sums of a monitor, after an even step. velocity_old [n_cell][3]: velocity at the last monitor; replaced
     * by the present velocity. density [n_cell]: set to the present density deviation; NULL: not needed. */
    void (*monitor)(const cpu_state *s, int64_t begin, int64_t end, float *velocity_old, float *density,
                    backend_sums *sums);
    /* Adds flow (into the fluid) and density sums of the openings over the links of the groups; opening [n_opening]. */
    void (*openings)(const cpu_state *s, int64_t begin, int64_t end, backend_opening_sums *opening);
    /* With heat. heat_link_bytes: size of a cpu_heat_link. heat_links_fill: fills link [n_link] with cpu_heat_link, and
     * first [n_group + 1] with the first link of each group. */
    int heat_link_bytes;
    void (*heat_links_fill)(const heat_settings *h, const cpu_group *group, int64_t n_group, const heat_link *from,
                            int64_t n_link, void *link, int64_t *first);
    void (*step_heat)(const cpu_state *s, int odd, int64_t begin, int64_t end);
    /* Call heat_monitor and heat_gradients after an even step. Both store theta of the cells, which moments, monitor
     * and openings then use. gradient [n_cell][3] may be NULL. */
    void (*heat_monitor)(const cpu_state *s, int64_t begin, int64_t end, cpu_heat_sums *sums);
    void (*heat_gradients)(const cpu_state *s, int64_t begin, int64_t end, float *gradient);
} cpu_kernel;

/* A group has up to CPU_GROUP_MAX cells. Its buffer has 16 more lanes, because loops run over whole vectors and may
 * write beyond the last cell. */
enum { CPU_GROUP_MAX = DOMAIN_RUN_MAX, CPU_LANES = CPU_GROUP_MAX + 16 };

extern const cpu_kernel cpu_kernel_float_base, cpu_kernel_double_base, cpu_kernel_float_base_27,
    cpu_kernel_double_base_27;
#ifdef PORTAFLOW_X86
extern const cpu_kernel cpu_kernel_float_avx2, cpu_kernel_double_avx2, cpu_kernel_float_avx512,
    cpu_kernel_double_avx512, cpu_kernel_float_avx2_27, cpu_kernel_double_avx2_27, cpu_kernel_float_avx512_27,
    cpu_kernel_double_avx512_27;
#endif
#endif
