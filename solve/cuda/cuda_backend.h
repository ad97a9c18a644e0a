/* SPDX-License-Identifier: Apache-2.0 */
/* State of the GPU backend, shared by cuda_create.cu (memory), backend_cuda.cu (steps), cuda_transfer.cu (input and
 * output) and cuda_backend.cu (common helpers).
 *
 * A group is PACK_LANES successive cells. The memory holds one lattice plus `shift` groups. A slab is a range of groups
 * that one launch computes. A step moves all populations by `shift` groups, slab by slab, so that no slab writes where
 * a running slab reads.
 *   step down: reads from memory + shift (high place), writes to memory (low place), slabs ascending
 *   step up:   reads from the low place, writes to the high place, slabs descending
 * Steps down and up alternate. Slab k runs in stream k % 2 and waits for slab k - 3. It may overlap slab k - 1 only, so
 * shift must be 2 slabs plus `reach` or more (largest distance between linked cells, in groups). With one slab, shift
 * is all groups and the memory holds two lattices; this serves small cases, where launches cost more than memory. */
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
    /* groups: number of groups of own cells; shift: distance from the low to the high place, in groups; slab: groups of
     * one slab */
    uint32_t groups, shift, slab;
    uint32_t reach; /* largest distance between a cell and a cell that it reads, in groups */
    /* numbers of groups. all: own cells and halo; border: groups with border cells
     * (order_part) */
    uint32_t all, border;
    int slabs;
    double populations, index, other; /* bytes of device memory */
} cuda_layout;

typedef struct cuda_halo cuda_halo;

/* Cells of the last backend_table.sample call. */
typedef struct {
    int64_t n, *cell; /* [n] as requested; NULL: none yet */
    int32_t *place;   /* [n] the same cells in GPU order, device */
    float *value;     /* [n][4], device */
} cuda_sample_list;

struct backend {
    const domain *d;
    cuda_halo *halo;  /* NULL unless the domain is a part of a lattice (cuda_halo.h) */
    cell_order order; /* order of the cells on the device */
    backend_settings settings;
    const cuda_kernels *kernels;
    cuda_layout layout;
    cuda_args args; /* kernel arguments that are the same in all launches; from, to, the range and given are set for
                     * each launch */
    cuda_monitor_args monitor;
    char *memory;
    size_t n_opened, n_passage;
    pack_opened *opened; /* [n_opened] groups with openings, ascending; device copy: args.opened */
    bool high;           /* true: the populations are in the high place (memory + shift) */
    bool seen;           /* velocity_old holds values */
    cudaStream_t stream[2];
    cudaEvent_t turn[2], slab_done[4];
    double *mass_correction;                  /* [1], device */
    cudaError_t late;                         /* error of a call that returns no status; the next call that can fail
                                               * returns this error */
    prescribed_value *given;                  /* [BATCH_STEPS][domain_given], in device memory */
    prescribed_value *given_host[2];          /* copies of `given` on the host, pinned */
    cudaEvent_t given_free[2];                /* recorded when the copy from given_host has ended */
    int given_turn, given_last;               /* given_turn: index of the given_host that is filled next; given_last:
                                               * step of the batch whose prescribed values hold now */
    cudaGraphExec_t graph;                    /* graph of BATCH_STEPS steps, or NULL */
    int64_t *heat_host;                       /* copy of monitor.heat_sums, pinned */
    cuda_sums *result, *result_host;          /* [1], followed by the sums of the openings; host: pinned */
    void *stage[STAGES], *stage_host[STAGES]; /* STAGE_BYTES each; host: pinned */
    void *kept;                               /* values of the partially solid links of one chunk */
    cudaEvent_t stage_done[STAGES];
    uint32_t chunk;              /* number of groups per chunk; slots pass through the host in chunks */
    void *place[BACKEND_PLACES]; /* stored states, laid out as `memory`; NULL: not used yet */
    cuda_sample_list sample;
    int gpu; /* its number */
    char device[160];
};

/* Calls fail() with the message of the driver if a call failed. Errors: ERR_RESOURCE. */
MUST_CHECK int cuda_check(cudaError_t error, const char *what);
#define CUDA_TRY(call, what) TRY(cuda_check(call, what))

size_t cuda_value_bytes(const backend *b);
/* Number of stored values (populations) in a group. */
size_t cuda_group_values(const backend *b);
/* Address of a group in the high place (memory + shift) or the low place (memory). */
char *cuda_place_of(const backend *b, bool high, uint32_t group);
/* Sets the range of *a to groups `begin .. end - 1`, and the addresses `from` and `to` to the high or low place. */
void cuda_range_set(const backend *b, bool from_high, bool to_high, uint32_t begin, uint32_t end, cuda_args *a);
/* Kernel arguments for groups `begin .. end - 1` of the present populations. */
cuda_args cuda_state(const backend *b, uint32_t begin, uint32_t end);

/* Entries of the table backend_cuda (backend.h). Errors of all: ERR_RESOURCE (no device, no memory, the GPU failed). */
void cuda_memory(const domain *d, const backend_settings *s, double *needed, double *available);
MUST_CHECK int cuda_create(const domain *d, const backend_settings *s, backend **out);
void cuda_destroy(backend *b);
size_t cuda_result_bytes(const backend *b);
/* Heat (cuda_heat.cu); without heat these functions do nothing. `create`: allocates links and sums on the device; p is
 * packed from the domain in GPU order. `begin`: clears the sums of a monitor. `end`: copies the sums to the host. Both
 * run in the stream of the monitor. cuda_heat_monitor: converts the sums to a monitor. */
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
MUST_CHECK int cuda_combine(backend *b, const double *weight);
#endif
