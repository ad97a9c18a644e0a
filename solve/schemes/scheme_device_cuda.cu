/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU as a device for the schemes (scheme_device.h): plain device memory, batches of steps as one graph. */
extern "C" {
#include "solve/schemes/bandwidth.h"
#include "common/base/status.h"
}
#include "solve/schemes/scheme_cuda.h"
#include "solve/schemes/scheme_device.h"
#include "solve/core/backend.h"
#include <math.h>
#include <stdio.h>

enum { BATCH = 32 };

static int check_cuda(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return OK;
    cudaGetLastError();
    return fail(ERR_RESOURCE, "the GPU failed (%s): %s; try --device cpu", what, cudaGetErrorString(error));
}

/* Name, and nominal bandwidth from memory clock and bus width, as in data sheets. */
static void gpu_describe(char *text, size_t size) {
    cudaDeviceProp p;
    int clock_khz = 0, bits = 0;
    snprintf(text, size, "GPU");
    if (cudaGetDeviceProperties(&p, 0) != cudaSuccess ||
        cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, 0) != cudaSuccess ||
        cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0) != cudaSuccess) {
        cudaGetLastError();
        return;
    }
    snprintf(text, size, "%s, %.0f GB/s", p.name, 2e3 * clock_khz * (bits / 8.0) * 1e-9);
}

static double gpu_available(void) {
    size_t free_bytes = 0, total = 0;
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        free_bytes = 0;
    cudaGetLastError();
    return (double)free_bytes;
}

static double gpu_bandwidth(int threads) {
    (void)threads;
    return bandwidth_copy_cuda();
}

static int gpu_allocate(void **array, size_t bytes) {
    return check_cuda(cudaMalloc(array, bytes > 0 ? bytes : 1), "memory of a scheme");
}

static void gpu_release(void *array) {
    cudaFree(array);
}

static int gpu_upload(void *to, const void *from, size_t bytes) {
    return check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "sending a scheme's arrays");
}

static int gpu_download(void *to, const void *from, size_t bytes) {
    return check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "fetching a scheme's populations");
}

static int enqueue_steps(scheme_state *s, int n, cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    for (int k = 0; k < n && error == cudaSuccess; k++)
        error = s->precision == BACKEND_DOUBLE ? scheme_cuda_step_double(s, stream) : scheme_cuda_step_float(s, stream);
    return check_cuda(error, scheme_table[s->id].name);
}

static int gpu_step(scheme_state *s, int n) {
    const int rc = enqueue_steps(s, n, 0);
    return rc == OK ? check_cuda(cudaDeviceSynchronize(), scheme_table[s->id].name) : rc;
}

/* Records BATCH steps, an even number, so that `current` and `odd` are the same afterwards. */
static int record_graph(scheme_state *s, cudaStream_t stream, cudaGraphExec_t *graph) {
    cudaGraph_t recorded = NULL;
    int rc = check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording steps");
    if (rc == OK) {
        rc = enqueue_steps(s, BATCH, stream);
        const int end = check_cuda(cudaStreamEndCapture(stream, &recorded), "recording steps");
        rc = rc == OK ? end : rc;
    }
    if (rc == OK)
        rc = check_cuda(cudaGraphInstantiate(graph, recorded, 0), "recording steps");
    if (recorded)
        cudaGraphDestroy(recorded);
    return rc;
}

static int batches_time(cudaGraphExec_t graph, cudaStream_t stream, cudaEvent_t start, cudaEvent_t stop, int batches,
                        double *seconds) {
    float ms = 0;
    int rc = check_cuda(cudaEventRecord(start, stream), "timing");
    for (int k = 0; k < batches && rc == OK; k++)
        rc = check_cuda(cudaGraphLaunch(graph, stream), "a batch of steps");
    if (rc == OK)
        rc = check_cuda(cudaEventRecord(stop, stream), "timing");
    if (rc == OK)
        rc = check_cuda(cudaEventSynchronize(stop), "a batch of steps");
    if (rc == OK)
        rc = check_cuda(cudaEventElapsedTime(&ms, start, stop), "timing");
    *seconds = fmax(1e-3 * ms, 1e-9);
    return rc;
}

static int gpu_rate(scheme_state *s, double seconds, double *steps_per_second) {
    cudaStream_t stream = NULL;
    cudaGraphExec_t graph = NULL;
    cudaEvent_t start = NULL, stop = NULL;
    double spent = 0;
    int rc = OK;
    *steps_per_second = 0;
    TRY(check_cuda(cudaStreamCreate(&stream), "timing"));
    TRY(check_cuda(cudaEventCreate(&start), "timing"));
    TRY(check_cuda(cudaEventCreate(&stop), "timing"));
    TRY(record_graph(s, stream, &graph));
    TRY(batches_time(graph, stream, start, stop, 1, &spent)); /* the first batch is a warm-up and does not count */
    for (double total = 0, batches = 1; total < seconds; total += spent) {
        TRY(batches_time(graph, stream, start, stop, (int)batches, &spent));
        *steps_per_second = fmax(*steps_per_second, BATCH * batches / spent);
        if (spent < 0.1 * seconds)
            batches *= 2;
    }
cleanup:
    if (graph)
        cudaGraphExecDestroy(graph);
    if (start)
        cudaEventDestroy(start);
    if (stop)
        cudaEventDestroy(stop);
    if (stream)
        cudaStreamDestroy(stream);
    return rc;
}

extern "C" const scheme_device scheme_device_cuda = {"cuda",       gpu_describe, gpu_available, gpu_bandwidth,
                                                     gpu_allocate, gpu_release,  gpu_upload,    gpu_download,
                                                     gpu_step,     gpu_rate};
