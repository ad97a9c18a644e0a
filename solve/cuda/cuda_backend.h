/* The GPU backend's own state, shared by cuda_create.cu (memory), backend_cuda.cu (steps) and
 * cuda_transfer.cu (what goes in and out).
 *
 * One lattice and some slack. The populations lie at one end of their memory; a step moves them to the other end,
 * `shift` groups away, slab by slab, so that no slab writes where one that may still run reads: down: from = memory +
 * shift, to = memory; slabs in ascending order; the next step goes up, in descending order. Slab k runs in stream k %
 * 2 and waits for slab k - 3, so it may overlap slab k - 1 but none before: shift >= 2 slabs + the reach of the links.
 * With one slab, shift = all groups: two lattices (small cases, where launches cost more than memory). */
#ifndef PORTAFLOW_CUDA_BACKEND_H
#define PORTAFLOW_CUDA_BACKEND_H
#include "common/base/must_check.h"
#include "solve/cuda/cuda_kernels.h"
extern "C" {
#include "common/base/status.h"
}

enum { BATCH_STEPS = 64, STAGE_BYTES = 16 << 20, STAGES = 2 };

/* Sizes of a domain on the device. */
typedef struct {
    uint32_t groups, shift, slab; /* groups in the lattice, between its two places, in a slab */
    uint32_t reach;               /* of links, in groups */
    uint32_t all, border;         /* groups with those of the halo; first ones of a part, whose values others read */
    int slabs;
    double populations, index, other; /* bytes */
} cuda_layout;

typedef struct cuda_halo cuda_halo;

/* Cells that backend_table.sample was last asked for. */
typedef struct {
    int64_t n, *cell; /* [n] as asked for; NULL: none yet */
    int32_t *place;   /* [n] the same in the order of the GPU, device */
    float *value;     /* [n][4], device */
} cuda_sample_list;

struct backend {
    const domain *d;
    cuda_halo *halo;  /* of a part of a lattice: cuda_halo.h */
    cell_order order; /* of its cells on the device */
    backend_settings settings;
    const cuda_kernels *kernels;
    cuda_layout layout;
    cuda_args args; /* constant part: from, to, range and given are set for each launch */
    cuda_monitor_args monitor;
    char *memory;
    size_t n_opened, n_passage;
    pack_opened *opened; /* [n_opened] groups with openings, ascending; also on the device: args.opened */
    bool high;           /* the populations are at memory + shift */
    bool seen;           /* velocity_old holds a field */
    cudaStream_t stream[2];
    cudaEvent_t turn[2], slab_done[4];
    double *mass_correction;                  /* [1], device */
    cudaError_t late;                         /* of a call that returns none */
    prescribed_value *given;                  /* [BATCH_STEPS][n_opening], device */
    prescribed_value *given_host[2];          /* the same, pinned */
    cudaEvent_t given_free[2];                /* the copy from given_host is done */
    int given_turn, given_last;               /* last: step of the batch whose values count now */
    cudaGraphExec_t graph;                    /* BATCH_STEPS steps, or NULL */
    int64_t *heat_host;                       /* monitor.heat_sums, pinned */
    cuda_sums *result, *result_host;          /* [1] and the sums of the openings behind it; host: pinned */
    void *stage[STAGES], *stage_host[STAGES]; /* STAGE_BYTES; host: pinned */
    void *kept;                               /* partial links of one chunk */
    cudaEvent_t stage_done[STAGES];
    uint32_t chunk;              /* groups in a chunk of slots */
    void *place[BACKEND_PLACES]; /* kept states, as in memory; NULL: not used yet */
    cuda_sample_list sample;
    char device[160];
};

/* fail() with the driver's words when a call did not succeed. Errors: ERR_RESOURCE. */
MUST_CHECK int cuda_check(cudaError_t error, const char *what);
#define CUDA_TRY(call, what) TRY(cuda_check(call, what))

size_t cuda_value_bytes(const backend *b);
/* Of a group. */
size_t cuda_group_values(const backend *b);
/* args for the populations as they are, groups begin .. end - 1. */
cuda_args cuda_state(const backend *b, uint32_t begin, uint32_t end);

/* The entries of backend_cuda (backend.h). Errors of all: ERR_RESOURCE (no device, no memory, the GPU failed). */
void cuda_memory(const domain *d, const backend_settings *s, double *needed, double *available);
MUST_CHECK int cuda_create(const domain *d, const backend_settings *s, backend **out);
void cuda_destroy(backend *b);
size_t cuda_result_bytes(const backend *b);
/* Heat (cuda_heat.cu): its links and sums on the device, p of b's domain in the order of the GPU; a monitor's sums, to
 * be cleared and sent in its stream, and what is made of them. Nothing to do without heat. */
MUST_CHECK int cuda_heat_create(backend *b, const domain *ordered, pack *p);
void cuda_heat_destroy(backend *b);
double cuda_heat_bytes(const domain *d, const backend_settings *s);
MUST_CHECK int cuda_heat_begin(backend *b);
MUST_CHECK int cuda_heat_end(backend *b);
void cuda_heat_monitor(const backend *b, backend_monitor *m);
MUST_CHECK int cuda_monitor(backend *b, backend_monitor *m);
MUST_CHECK int cuda_sums_of(backend *b, backend_sums *s, backend_opening_sums *opening);
MUST_CHECK int cuda_moments(backend *b, float *density, float *velocity, float *stress);
MUST_CHECK int cuda_sample(backend *b, int64_t n, const int64_t *cell, float *value);
void cuda_sample_free(cuda_sample_list *s);
MUST_CHECK int cuda_temperature(backend *b, float *theta, float *gradient);
MUST_CHECK int cuda_read(backend *b, void *slots, void *kept);
MUST_CHECK int cuda_write(backend *b, const void *slots, const void *kept);
MUST_CHECK int cuda_keep(backend *b, int place);
MUST_CHECK int cuda_mix(backend *b, const double *weight);
#endif
