/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/engine/lbm.h"
#include "common/base/status.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef PORTAFLOW_SEGMENT_CUDA
#include <pthread.h>
#endif

/* orders of magnitude: seconds that a GPU needs to start, and cell updates per second of one CPU core */
static const double start_s = 0.3, cells_per_s = 15e6;
static int where = LBM_AUTO;
static const lbm_backend *last = &lbm_cpu;

#ifdef PORTAFLOW_SEGMENT_CUDA
/* Thread that starts the GPU while the image is read, because the first call of a GPU takes some tenths of a second. */
static pthread_t starter;
static bool starting;
static int found;

static void *start_gpu(void *unused) {
    (void)unused;
    found = lbm_cuda_start();
    return NULL;
}
#endif

int lbm_choose_device(int device) {
    where = device;
    if (device != LBM_CUDA)
        return OK;
#ifdef PORTAFLOW_SEGMENT_CUDA
    starting = pthread_create(&starter, NULL, start_gpu, NULL) == 0;
    if (!starting)
        start_gpu(NULL);
    return OK;
#else
    return fail(ERR_RESOURCE, "--device cuda: this segment was built without CUDA; use --device cpu");
#endif
}

int lbm_wait_ready(void) {
#ifdef PORTAFLOW_SEGMENT_CUDA
    if (starting)
        pthread_join(starter, NULL);
    starting = false;
    if (where == LBM_CUDA && found == 0)
        return fail(ERR_RESOURCE, "--device cuda: no usable NVIDIA GPU or driver was found; use --device cpu");
#endif
    return OK;
}

/* Device for this work: the CPU if it finishes before a GPU has started. */
static const lbm_backend *device_for(double work) {
#ifdef PORTAFLOW_SEGMENT_CUDA
    double cores = 1;
#ifdef _OPENMP
    cores = omp_get_max_threads();
#endif
    if (where == LBM_CUDA || (where == LBM_AUTO && work > start_s * cells_per_s * cores && lbm_cuda_count() > 0))
        return &lbm_cuda;
#endif
    (void)work, (void)start_s, (void)cells_per_s;
    return &lbm_cpu;
}

int lbm_run(const lbm_problem *problem, double work) {
    const int rc = lbm_wait_ready();
    if (rc != OK)
        return rc;
    last = device_for(work);
    return last->run(problem);
}

const char *lbm_device_used(void) {
    return last->name;
}
