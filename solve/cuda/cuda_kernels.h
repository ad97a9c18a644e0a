/* SPDX-License-Identifier: Apache-2.0 */
/* Interface between host code and kernels of the GPU: launch arguments, and one table of launches per stored type.
 *
 * Populations after the collision are stored in the block of their own group: f_a'(x) in [19][32] values per group
 * (CSoA; with heat [26][32], with cumulants [27][32]). A group writes one contiguous block; it reads from the
 * neighbours' blocks (pull). The population that leaves through a cut link i of x stays in x, where no other cell
 * reads it. Wall rules are applied when x is read, slot and arrival at once. Only openings write their slot after the
 * collision. `from` and `to` may be one array, shifted by whole groups (cuda_backend.h). */
#ifndef PORTAFLOW_CUDA_KERNELS_H
#define PORTAFLOW_CUDA_KERNELS_H
#include <cuda_runtime.h>
#include <stdint.h>
extern "C" {
#include "solve/core/backend.h"
#include "solve/cuda/cuda_order.h"
#include "solve/cuda/cuda_pack.h"
}

/* 16-bit populations hold (f - w) * 2^15: |f - w| < 2, 11 bits down to 2^-29. */
static const float CUDA_HALF_UNIT = 32768.0f;

/* Heat (core/heat_links.h), device memory. */
typedef struct {
    const pack_warm *link;
    const heat_side *side; /* [n_side] */
    uint32_t n_wall;
    double omega_plus, omega_minus, buoyancy[3];
} cuda_heat;

/* With cumulants: members as in cumulant_rates (kernels/cumulant.h). */
typedef struct {
    double third_sum, third_difference, third_product, a, b;
} cuda_cumulant;

/* Arguments of a launch; pointers to device memory. Arrays: cuda_pack.h; order of the cells: cuda_order.h. */
typedef struct {
    const void *from; /* populations to read, at group `first`; to: populations to write */
    void *to;
    uint32_t begin, end; /* range of groups; here and in kernels counted from `first` */
    /* first: first group that the range or its neighbours read; span: number of groups from there that they read */
    uint32_t first, span;
    /* [n_opened] groups of the range with openings; started first, because they take longer */
    const pack_opened *opened;
    uint32_t n_opened;
    int backward;                /* 1: groups in descending order */
    uint32_t n_group, n_cell;    /* n_group: counted from `first` */
    uint32_t ahead, ahead_index; /* prefetch distance, groups */
    const uint4 *group;          /* [n_group][4] from `first` on */
    const int4 *more;            /* [number of segments in pack.more][2] */
    const uint32_t *cut, *link, *partial;
    const pack_rare *rare;
    const pack_passage *passage;
    const float *weight;
    const double *normal; /* [n_opening][3] normals, out of the fluid */
    double *entered;      /* [opened groups][32] mass that entered since the last monitor, without the factor `fluid` */
    const int32_t *explicit_neighbour;
    const prescribed_value *given; /* [n_opening] prescribed values of this step */
    const double
        /* [1] mass correction of every wall link; in device memory, because a recorded batch keeps its arguments */
        *mass_correction;
    double omega_plus, omega_minus, force[3], fourth, most, pressure_rate;
    bool forced, regularized, partials, on_site; /* on_site: true if an opening is on-site */
    bool overlap; /* a step may start while the previous one ends; each step is one launch */
    cuda_heat heat;
    const uint32_t *behind; /* with cumulants: [n_link] pack.behind */
    cuda_cumulant cumulant;
} cuda_args;

enum { CUDA_BLOCK = 128 }; /* threads per block */

/* CUDA_SUMS: number of integers in backend_sums.change, square, mass and entered. */
/* CUDA_OPENING_SUMS: number of integers in flow and density of an opening */
enum { CUDA_SUMS = 12, CUDA_OPENING_SUMS = 6 };
typedef struct {
    int64_t sum[CUDA_SUMS];
    double fastest, bad_cell; /* bad_cell: first bad cell, INFINITY: none */
} cuda_sums;

/* Monitor values of one lane of a passage. flow: into the fluid; density: sum of link_push (flow openings), or of
 * link_share times the density of the cell. */
typedef struct {
    double flow, density;
} cuda_special;

/* Output of a monitor. */
typedef struct {
    float *velocity_old;   /* [3][32 n_group] velocity at the last monitor */
    const uint16_t *fluid; /* [n_cell] fluid part of the cell in units of 1/512; NULL: all cells are fluid */
    cuda_sums *sums;       /* [blocks] */
    cuda_special *special; /* [n_passage][32] */
    float *theta_old;      /* with heat: [32 n_group] theta at the last monitor */
    int64_t *heat_sums;    /* with heat: [BACKEND_HEAT + n_side][3] for backend_heat_make, initially 0 */
    int blocks;
} cuda_monitor_args;

/* Linear combination of stored states of n values; weight 0: place not used. */
typedef struct {
    const void *place[BACKEND_PLACES];
    double weight[BACKEND_PLACES];
    size_t n;
} cuda_combination;

/* Launches; all return the launch error. Ranges of groups are args->begin .. end. */
typedef struct {
    cudaError_t (*step)(const cuda_args *a, cudaStream_t stream);
    cudaError_t (*monitor)(const cuda_args *a, const cuda_monitor_args *m, cudaStream_t stream);
    /* out [10][width]: density, velocity, stress of the cells of the range, width = 32 (end - begin) */
    cudaError_t (*moments)(const cuda_args *a, float *out, cudaStream_t stream);
    /* With heat: out [4][width]: theta and its gradient */
    cudaError_t (*temperature)(const cuda_args *a, float *out, cudaStream_t stream);
    /* slots [19, 26 or 27][width]: the cells of the range in the form of a checkpoint (backend.h). kept [n_partial]: of
     * the whole domain; the entries of these cells are written */
    cudaError_t (*slots_read)(const cuda_args *a, void *slots, void *kept, cudaStream_t stream);
    /* Inverse of slots_read: slots_write for each range, then slots_mend for all groups */
    cudaError_t (*slots_write)(const cuda_args *a, const void *slots, cudaStream_t stream);
    cudaError_t (*slots_mend)(const cuda_args *a, cudaStream_t stream);
    /* to [m->n] = sum over p of weight[p] place[p] */
    cudaError_t (*combine)(void *to, const cuda_combination *m, cudaStream_t stream);
    bool by_direction; /* true: a step prefetches each direction shortly before it is read; false: whole groups */
} cuda_kernels;

extern const cuda_kernels cuda_kernels_float, cuda_kernels_double, cuda_kernels_half, cuda_kernels_heat_float,
    cuda_kernels_heat_double, cuda_kernels_float_27, cuda_kernels_double_27;
#endif
