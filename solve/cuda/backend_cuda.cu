/* SPDX-License-Identifier: Apache-2.0 */
/* See cuda_backend.h. */
#include "solve/cuda/cuda_halo.h"
#include <string.h>

static const char *cuda_device_name(const backend *b) {
    return b->device;
}

/* --- steps ------------------------------------------------------------------------------------------------------- */

/* Sets a->opened to the groups with openings among `begin .. end - 1`. */
static void opened_set(const backend *b, uint32_t begin, uint32_t end, cuda_args *a) {
    size_t first = 0, after;
    while (first < b->n_opened && b->opened[first].group < begin)
        first++;
    for (after = first; after < b->n_opened && b->opened[after].group < end;)
        after++;
    a->opened = b->args.opened + first;
    a->n_opened = (uint32_t)(after - first);
}

/* Enqueues one step of all slabs with the prescribed values of step `k` of the batch. Slabs alternate between the two
 * streams. */
static int step_enqueue(backend *b, int k) {
    const cuda_layout *l = &b->layout;
    int rc = OK;
    b->given_last = k;
    cuda_args a = cuda_state(b, 0, l->groups);
    a.backward = !b->high; /* a step first reads the populations that the previous step wrote last, because L2 still
                            * holds them */
    if (l->slabs > 1) {    /* the second stream waits until stream 0 has finished the previous step */
        CUDA_TRY(cudaEventRecord(b->turn[0], b->stream[0]), "ordering the steps");
        CUDA_TRY(cudaStreamWaitEvent(b->stream[1], b->turn[0], 0), "ordering the steps");
    }
    for (int n = 0; n < l->slabs; n++) {
        const uint32_t slab = (uint32_t)(a.backward ? l->slabs - 1 - n : n);
        cudaStream_t stream = b->stream[n & 1];
        const uint32_t begin = slab * l->slab, end = begin + l->slab < l->groups ? begin + l->slab : l->groups;
        cuda_range_set(b, b->high, !b->high, begin, end, &a);
        opened_set(b, begin, end, &a);
        if (n >= 3)
            CUDA_TRY(cudaStreamWaitEvent(stream, b->slab_done[(n - 3) & 3], 0), "ordering the slabs");
        if (begin < end)
            CUDA_TRY(b->kernels->step(&a, stream), "a step");
        if (l->slabs > 1)
            CUDA_TRY(cudaEventRecord(b->slab_done[n & 3], stream), "ordering the slabs");
    }
    if (l->slabs > 1) {
        CUDA_TRY(cudaEventRecord(b->turn[1], b->stream[1]), "ordering the steps");
        CUDA_TRY(cudaStreamWaitEvent(b->stream[0], b->turn[1], 0), "ordering the steps");
    }
    b->high = !b->high;
cleanup:
    return rc;
}

/* Enqueues groups `begin .. end - 1` of one step of a lattice part. */
static int part_enqueue(backend *b, uint32_t begin, uint32_t end, cudaStream_t stream) {
    cuda_args a = cuda_state(b, begin, end);
    cuda_range_set(b, b->high, !b->high, begin, end, &a);
    opened_set(b, begin, end, &a);
    return begin < end ? cuda_check(b->kernels->step(&a, stream), "a step") : OK;
}

/* Enqueues n steps of a lattice part (cuda_halo.h). */
static int part_steps(backend *b, int n) {
    const cuda_layout *l = &b->layout;
    int rc = OK;
    TRY(cuda_halo_connect(b));
    for (int k = 0; k < n; k++) {
        char *to = cuda_place_of(b, !b->high, 0);
        b->given_last = k;
        /* waits for the border groups of the previous step */
        CUDA_TRY(cudaStreamWaitEvent(b->stream[0], b->halo->border, 0), "ordering the steps");
        CUDA_TRY(cudaEventRecord(b->turn[0], b->stream[0]), "ordering the steps");
        CUDA_TRY(cudaStreamWaitEvent(b->stream[1], b->turn[0], 0), "ordering the steps");
        TRY(part_enqueue(b, 0, l->border, b->stream[1]));
        CUDA_TRY(cudaEventRecord(b->halo->border, b->stream[1]), "ordering the steps");
        TRY(cuda_halo_begin(b, to));
        TRY(part_enqueue(b, l->border, l->groups, b->stream[0]));
        TRY(cuda_halo_end(b, to));
        b->high = !b->high;
    }
    CUDA_TRY(cudaEventRecord(b->turn[1], b->stream[1]), "ordering the steps");
    CUDA_TRY(cudaStreamWaitEvent(b->stream[0], b->turn[1], 0), "ordering the steps");
cleanup:
    return rc;
}

/* Records a batch of steps as one CUDA graph, because launch latency exceeds the time of a short step or slab. */
static int graph_create(backend *b) {
    cudaGraph_t graph = NULL;
    int rc = OK;
    CUDA_TRY(cudaStreamBeginCapture(b->stream[0], cudaStreamCaptureModeThreadLocal), "recording a batch");
    for (int k = 0; k < BATCH_STEPS && rc == OK; k++)
        rc = step_enqueue(b, k);
    if (rc == OK)
        rc = cuda_check(cudaStreamEndCapture(b->stream[0], &graph), "recording a batch");
    else
        cudaStreamEndCapture(b->stream[0], &graph);
    if (rc == OK)
        rc = cuda_check(cudaGraphInstantiate(&b->graph, graph, 0), "recording a batch");
cleanup:
    if (graph)
        cudaGraphDestroy(graph);
    return rc;
}

/* Copies the prescribed values of n steps to the device. The stream runs this copy before the steps. */
static int given_send(backend *b, int n, const prescribed_value *given) {
    const size_t bytes = (size_t)n * (size_t)domain_given(b->d) * sizeof *given;
    const int turn = b->given_turn;
    int rc = OK;
    if (bytes == 0)
        return OK;
    CUDA_TRY(cudaEventSynchronize(b->given_free[turn]), "waiting for the openings' values");
    memcpy(b->given_host[turn], given, bytes);
    CUDA_TRY(cudaMemcpyAsync(b->given, b->given_host[turn], bytes, cudaMemcpyHostToDevice, b->stream[0]),
             "sending the openings' values");
    CUDA_TRY(cudaEventRecord(b->given_free[turn], b->stream[0]), "sending the openings' values");
    b->given_turn = !turn;
cleanup:
    return rc;
}

static int cuda_step(backend *b, int n, const prescribed_value *given) {
    int rc = OK;
    CUDA_TRY(b->late, "setting the walls' mass correction");
    if (n == 0) {
        b->given_last = 0;
        return given_send(b, 1, given);
    }
    for (int done = 0; done < n; done += BATCH_STEPS) {
        const int batch = n - done < BATCH_STEPS ? n - done : BATCH_STEPS;
        TRY(given_send(b, batch, given + (int64_t)done * domain_given(b->d)));
        if (b->halo) {
            TRY(part_steps(b, batch));
            continue;
        }
        if (batch == BATCH_STEPS && !b->high) { /* the graph is recorded for populations in the low place
                                                 * (cuda_backend.h) */
            if (!b->graph)
                TRY(graph_create(b));
            CUDA_TRY(cudaGraphLaunch(b->graph, b->stream[0]), "a batch of steps");
            b->given_last = BATCH_STEPS - 1;
            continue;
        }
        for (int k = 0; k < batch; k++)
            TRY(step_enqueue(b, k));
    }
cleanup:
    return rc;
}

/* Enqueues a change of the mass correction, in order with the steps. An error is reported by the next step or
 * monitor. */
static void set_mass_correction(backend *b, double mass_correction) {
    const cudaError_t error = cudaMemcpyAsync(b->mass_correction, &mass_correction, sizeof mass_correction,
                                              cudaMemcpyHostToDevice, b->stream[0]);
    if (b->late == cudaSuccess)
        b->late = error;
}

/* Changes the rate of pressure outlets. The recorded graph contains the old rate as an argument, so the graph is
 * deleted and the next step records a new one. */
static void set_outlets(backend *b, bool at_once) {
    const cudaError_t error = cudaStreamSynchronize(b->stream[0]);
    if (b->late == cudaSuccess)
        b->late = error;
    b->args.pressure_rate = backend_pressure_rate(&b->settings, at_once);
    if (b->graph)
        cudaGraphExecDestroy(b->graph);
    b->graph = NULL;
}

int backend_cuda_use(int number) {
    const int count = backend_cuda_count();
    if (count == 0)
        return fail(ERR_RESOURCE, "--device cuda: no usable NVIDIA GPU or driver was found; use --device cpu");
    return cuda_check(cudaSetDevice(number % count), "selecting a GPU for this rank");
}

int backend_cuda_wait(backend *b) {
    return cuda_check(cudaStreamSynchronize(b->stream[0]), "the steps");
}

const backend_table backend_cuda = {"cuda",       cuda_memory,         cuda_create,      cuda_destroy, cuda_device_name,
                                    cuda_step,    set_mass_correction, set_outlets,      cuda_monitor, cuda_sums_of,
                                    cuda_moments, cuda_sample,         cuda_temperature, cuda_read,    cuda_write,
                                    cuda_keep,    cuda_combine};
