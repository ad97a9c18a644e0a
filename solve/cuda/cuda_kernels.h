/* SPDX-License-Identifier: Apache-2.0 */
/* Interface between host code and kernels of the GPU: launch arguments, and one table of launches per stored type.
 * After the collision, each group stores its populations in a block of its own: f_a' of 32 cells as [19][32] values
 * (CSoA, collected structure of arrays); [26][32] with heat, [27][32] with cumulants. A group writes one contiguous
 * block, and reads from the blocks of its neighbours (pull). A population that leaves through a cut link i of x stays
 * in x, where no other cell reads it. The wall rule is applied when x is read, so wall links store no slot. Only links
 * through openings write a slot after the collision. `from` and `to` may be the same array, shifted by whole groups
 * (cuda_backend.h). */
#ifndef PORTAFLOW_CUDA_KERNELS_H
#define PORTAFLOW_CUDA_KERNELS_H
#include <cuda_runtime.h>
#include <stdint.h>
extern "C" {
#include "solve/core/backend.h"
#include "solve/cuda/cuda_order.h"
#include "solve/cuda/cuda_pack.h"
}

/* 16-bit populations (IEEE half) hold (f - w) * 2^15, so their range is |f - w| < 2. Values down to |f - w| = 2^-29
 * keep all 11 significant bits of the format; smaller values keep fewer. */
static const float CUDA_HALF_UNIT = 32768.0f;

/* Arguments of heat (core/heat_links.h); pointers to device memory. */
typedef struct {
    const pack_warm *link;
    const heat_side *side; /* [n_side] */
    uint32_t n_wall;
    double omega_plus, omega_minus, buoyancy[3];
} cuda_heat;

/* Rates of the cumulants; members as in cumulant_rates (kernels/cumulant.h). */
typedef struct {
    double third_sum, third_difference, third_product, a, b;
} cuda_cumulant;

/* Arguments of a launch; pointers to device memory. Arrays: cuda_pack.h; order of the cells: cuda_order.h. */
typedef struct {
    const void *from; /* from: populations to read; to: populations to write; both arrays start at group `first` */
    void *to;
    uint32_t begin, end; /* range of groups; here and in kernels counted from `first` */
    /* first: first group that the range or its neighbours read; span: number of groups that they read, from `first`
     * on */
    uint32_t first, span;
    /* [n_opened] groups of the range with openings; started first, because they take longer */
    const pack_opened *opened;
    uint32_t n_opened;
    int backward;                /* 1: groups in descending order */
    uint32_t n_group, n_cell;    /* n_group: counted from `first` */
    uint32_t ahead, ahead_index; /* prefetch distances, in groups: of the populations, and of the records that
                                  * describe a group */
    const uint4 *group;          /* [n_group][4] from `first` on */
    const int4 *more;            /* [number of segments in pack.more][2] */
    const uint32_t *cut, *link, *partial;
    const pack_rare *rare;
    const pack_passage *passage;
    const float *weight; /* pack.weight */
    uint32_t n_opening, n_pulse;
    const double *normal; /* [n_opening][3] normals, out of the fluid */
    double *entered;      /* [opened groups][32] mass that entered each cell since the last monitor, before
                           * multiplication by cuda_monitor_args.fluid */
    const int32_t *explicit_neighbour;
    const prescribed_value *given; /* [domain_given] prescribed values of this step */
    const double
        /* [1] mass correction of every wall link. It is in device memory, because a recorded graph keeps the values of
         * its arguments. */
        *mass_correction;
    double omega_plus, omega_minus, force[3], fourth, most, pressure_rate;
    bool forced, regularized, partials, on_site; /* on_site: true if an opening is on-site */
    bool overlap; /* true: a step may start while the previous step ends; allowed only if each step is one launch */
    cuda_heat heat;
    const uint32_t *behind; /* with cumulants: [n_link] pack.behind */
    cuda_cumulant cumulant;
    const void *viscosity; /* [SHEAR_SEGMENTS] shear_segment of kernels/shear_viscosity.h; NULL: constant viscosity */
    const void *drag;      /* [POROUS_REGIONS + 1] drag of each porous region; NULL: no cell is porous */
    const uint8_t *region; /* [32 n_group] porous region of each cell, from `first` on */
    const uint16_t *advection; /* with cumulants: [n_group][3][32] advection correction (kernels/advection.h) of each
                                * axis, from `first` on */
    uint32_t cells;            /* number of cells of all groups, halo included */
} cuda_args;

enum { CUDA_BLOCK = 128 }; /* threads per block */

/* CUDA_SUMS: number of integers in the exact sums change, square, mass and entered of backend_sums. */
/* CUDA_OPENING_SUMS: number of integers in the exact sums of flow and density of one opening. */
enum { CUDA_SUMS = 12, CUDA_OPENING_SUMS = 6 };
typedef struct {
    int64_t sum[CUDA_SUMS];
    double fastest, bad_cell; /* bad_cell: index of the first cell with a non-finite value or |u| > 0.5; INFINITY: no
                               * such cell */
} cuda_sums;

/* Monitor sums of one lane over the links of a passage (cuda_pack.h). flow: into the fluid. density: at flow openings
 * the sum of link_push, at pressure openings the sum of link_share times the density of the cell. */
typedef struct {
    double flow, density;
} cuda_special;

/* Output of a monitor. */
typedef struct {
    float *velocity_old;   /* [3][cells] velocity at the last monitor */
    float *density_old;    /* with cumulants: [cells] density deviation at the last monitor */
    float advection_rate;  /* with cumulants: backend_settings.advection_rate */
    const uint16_t *fluid; /* [n_cell] fluid part of the cell in units of 1/512; NULL: all cells are fluid */
    cuda_sums *sums;       /* [blocks] */
    cuda_special *special; /* [n_passage][32] */
    float *theta_old;      /* with heat: [32 n_group] theta at the last monitor */
    int64_t *heat_sums;    /* with heat: [BACKEND_HEAT + n_side][3] for backend_heat_make, initially 0 */
    int blocks;
} cuda_monitor_args;

/* Linear combination of stored states, each of n values. weight 0: the place is not used. */
typedef struct {
    const void *place[BACKEND_PLACES];
    double weight[BACKEND_PLACES];
    size_t n;
} cuda_combination;

/* Launches of the kernels. They compute the groups args->begin .. end - 1 and return the error of the launch. */
typedef struct {
    cudaError_t (*step)(const cuda_args *a, cudaStream_t stream);
    cudaError_t (*monitor)(const cuda_args *a, const cuda_monitor_args *m, cudaStream_t stream);
    /* With cumulants: computes the advection correction of all groups from m->velocity_old and m->density_old */
    cudaError_t (*advection)(const cuda_args *a, const cuda_monitor_args *m, cudaStream_t stream);
    /* out [10][width]: density, velocity, stress of the cells of the range, width = 32 (end - begin) */
    cudaError_t (*moments)(const cuda_args *a, float *out, cudaStream_t stream);
    /* With heat: out [4][width]: theta and its gradient */
    cudaError_t (*temperature)(const cuda_args *a, float *out, cudaStream_t stream);
    /* Reads the cells of the range as slots [19, 26 or 27][width] in the form of a checkpoint (backend.h). kept
     * [n_partial] belongs to the whole domain; only the entries of these cells are written. */
    cudaError_t (*slots_read)(const cuda_args *a, void *slots, void *kept, cudaStream_t stream);
    /* Inverse of slots_read. Call slots_write for each range, then slots_mend for all groups. */
    cudaError_t (*slots_write)(const cuda_args *a, const void *slots, cudaStream_t stream);
    cudaError_t (*slots_mend)(const cuda_args *a, cudaStream_t stream);
    /* Sets to [m->n] to the sum over p of weight[p] times place[p] */
    cudaError_t (*combine)(void *to, const cuda_combination *m, cudaStream_t stream);
    bool by_direction; /* true: a step prefetches each direction shortly before it reads this direction; false: it
                        * prefetches whole groups */
} cuda_kernels;

extern const cuda_kernels cuda_kernels_float, cuda_kernels_double, cuda_kernels_half, cuda_kernels_heat_float,
    cuda_kernels_heat_double, cuda_kernels_float_27, cuda_kernels_double_27, cuda_kernels_shear_float,
    cuda_kernels_shear_double, cuda_kernels_shear_float_27, cuda_kernels_shear_double_27, cuda_kernels_porous_float,
    cuda_kernels_porous_double, cuda_kernels_porous_float_27, cuda_kernels_porous_double_27;
#endif
