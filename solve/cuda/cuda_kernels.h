/* Between the GPU's host code and its kernels: what a launch is given, and one table of launches per stored type.
 *
 * Populations after the collision lie at home: f_a'(x) in the block of x's group, [19][32] values a group (CSoA; with
 * heat [26][32], those of the temperature behind those of the flow), so
 * that writing is one stream; reading fetches from the neighbours' blocks (pull). The value that a cut link i of x
 * would carry away stays at home too, where nobody else reads it, and everything a wall does to it is done when x is
 * read (kernels/link.h: slot and arrival at once). Pressure openings alone write their slot after the collision.
 *
 * `from` and `to` may be one array shifted by whole groups (backend_cuda.cu). */
#ifndef PORTAFLOW_CUDA_KERNELS_H
#define PORTAFLOW_CUDA_KERNELS_H
#include <cuda_runtime.h>
#include <stdint.h>
extern "C" {
#include "solve/core/backend.h"
#include "solve/cuda/cuda_order.h"
#include "solve/cuda/cuda_pack.h"
}

/* 16-bit populations hold (f - w) * 2^15: |f - w| < 2, 11 bits down to 2^-29, then fewer. */
static const float CUDA_HALF_UNIT = 32768.0f;

/* With heat (core/heat_links.h), device memory. */
typedef struct {
    const pack_warm *link;
    const heat_side *side; /* [n_side] */
    uint32_t n_wall;
    double omega_plus, omega_minus, buoyancy[3];
} cuda_heat;

/* Device memory; cuda_pack.h explains the arrays, cuda_order.h the order of the cells. */
typedef struct {
    const void *from; /* group `first` */
    void *to;
    uint32_t begin, end;       /* groups, here and in the kernels counted from `first` on */
    uint32_t first, span;      /* first of these and their neighbours', and how many */
    const pack_opened *opened; /* [n_opened] those of them that have openings: begun first, they take longer */
    uint32_t n_opened;
    int backward;                /* blocks in descending order */
    uint32_t n_group, n_cell;    /* n_group: from `first` on */
    uint32_t ahead, ahead_index; /* groups: how far to fetch into L2 */
    const uint4 *group;          /* [n_group][4] from `first` on */
    const int4 *more;            /* [][2] */
    const uint32_t *cut, *link, *partial;
    const pack_rare *rare;
    const pack_passage *passage;
    const float *weight;
    const double *normal; /* [n_opening][3] out of the fluid */
    double *entered;      /* [opened groups][32] mass that came in since the last monitor, but for `fluid` */
    const int32_t *explicit_neighbour;
    const prescribed_value *given; /* [n_opening] of this step */
    const double
        *mass_correction; /* [1] of every wall link; on the device, since a recorded batch keeps its arguments */
    double omega_plus, omega_minus, force[3], fourth, most, pressure_rate;
    bool forced, regularized, partials, on_site; /* on_site: of an opening, at least */
    bool overlap; /* a step may start while the one before ends: both are the only launches of their steps */
    cuda_heat heat;
} cuda_args;

enum { CUDA_BLOCK = 128 }; /* threads */

/* Of the cells of one block of threads or of all: the parts of backend_sums.change, square, mass, entered. */
enum { CUDA_SUMS = 12, CUDA_OPENING_SUMS = 6 }; /* numbers of an opening: the parts of its flow and density */
typedef struct {
    int64_t sum[CUDA_SUMS];
    double fastest, bad_cell; /* bad_cell: INFINITY: none */
} cuda_sums;

/* One lane of a passage: flow into the fluid, sum of link_push, or of link_share times the cell's density. */
typedef struct {
    double flow, density;
} cuda_special;

/* What a monitor adds up. */
typedef struct {
    float *velocity_old;   /* [3][32 n_group] */
    const uint16_t *fluid; /* [n_cell] subcells with fluid, NULL: all */
    cuda_sums *sums;       /* [blocks] */
    cuda_special *special; /* [n_passage][32] */
    float *theta_old;      /* with heat: [32 n_group] */
    int64_t *heat_sums;    /* with heat: [BACKEND_HEAT + n_side][3] of backend_heat_make, 0 before */
    int blocks;
} cuda_monitor_args;

/* Populations as they lie in memory; weight 0: the place is not looked at. */
typedef struct {
    const void *place[BACKEND_PLACES];
    double weight[BACKEND_PLACES];
    size_t n;
} cuda_mixture;

/* All return the error of the launch. Ranges of groups are args->begin .. end. */
typedef struct {
    cudaError_t (*step)(const cuda_args *a, cudaStream_t stream);
    cudaError_t (*monitor)(const cuda_args *a, const cuda_monitor_args *m, cudaStream_t stream);
    /* [10][width]: density, velocity, stress of the cells of the range, width = 32 (end - begin) */
    cudaError_t (*moments)(const cuda_args *a, float *out, cudaStream_t stream);
    /* With heat, [4][width]: theta and its gradient */
    cudaError_t (*temperature)(const cuda_args *a, float *out, cudaStream_t stream);
    /* Slots of the range as the table's checkpoint has them (backend.h), [19 or 26][width]; kept [n_partial] of its
     * cells */
    cudaError_t (*slots_read)(const cuda_args *a, void *slots, void *kept, cudaStream_t stream);
    /* The way back: all ranges, then slots_mend over all groups */
    cudaError_t (*slots_write)(const cuda_args *a, const void *slots, cudaStream_t stream);
    cudaError_t (*slots_mend)(const cuda_args *a, cudaStream_t stream);
    /* to [n] = sum of weight times place, as stored */
    cudaError_t (*mix)(void *to, const cuda_mixture *m, cudaStream_t stream);
    bool by_direction; /* what a step fetches into L2: each direction just before it is read, or whole groups */
} cuda_kernels;

extern const cuda_kernels cuda_kernels_float, cuda_kernels_double, cuda_kernels_half, cuda_kernels_heat_float,
    cuda_kernels_heat_double;
#endif
