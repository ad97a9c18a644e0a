/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/status.h"
#include "common/cli/version.h"
#include "library/handles.h"
#include "solve/setup/solve_options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { THREADS_MAX = 1024 };
_Static_assert((int)PF_ERROR_RESOURCE == ERR_RESOURCE, "the first codes of pf_status are those of status.h");
_Static_assert((int)PF_MESSAGE_SERIOUS == CONTEXT_SERIOUS, "pf_message_level is enum context_level");

const char *pf_version(void) {
    return PORTAFLOW_VERSION;
}

static int openmp_threads(void) {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* Sets the number of threads of parallel regions that this thread starts. */
static void set_openmp_threads(int threads) {
#ifdef _OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

static void forward_message(void *data, int level, const char *text) {
    const pf_context *context = data;
    if (context->on_message)
        context->on_message(context->message_data, (pf_message_level)level, text);
}

static void forward_progress(void *data, double share, double left_s, const char *note) {
    const pf_context *context = data;
    if (context->on_progress)
        context->on_progress(context->progress_data, share, left_s, note);
}

pf_context *pf_context_create(void) {
    pf_context *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    context->threads = openmp_threads();
    context->inner.total = NAN;
    context->inner.data = context;
    context->inner.on_message = forward_message;
    context->inner.on_progress = forward_progress;
    atomic_init(&context->cancel, false);
    return context;
}

void pf_context_free(pf_context *context) {
    free(context);
}

const char *pf_context_error(const pf_context *context) {
    return context ? context->inner.message : "the context is NULL; create it with pf_context_create";
}

pf_status pf_context_set_threads(pf_context *context, int threads) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    int rc = OK;
    if (threads < 1 || threads > THREADS_MAX)
        rc = fail(ERR_USAGE, "%d threads are requested; the number must be 1 to %d", threads, THREADS_MAX);
    else
        context->threads = threads;
    return call_end(context, before, rc);
}

/* Returns N of "cuda:N", up to three digits, 0 of "cuda", and -1 of another text. */
static int gpu_number(const char *device) {
    const size_t digits = strncmp(device, "cuda:", 5) == 0 ? strspn(device + 5, "0123456789") : 0;
    if (strcmp(device, "cuda") == 0)
        return 0;
    return digits > 0 && digits < 4 && device[5 + digits] == '\0' ? atoi(device + 5) : -1;
}

static int set_device(pf_context *context, const char *device) {
    const int count = device_count_gpus(), gpu = device ? gpu_number(device) : -1;
    if (gpu >= 0 && count == 0)
        return fail(ERR_RESOURCE,
                    "device %s: no usable NVIDIA GPU or driver was found, or this library was built "
                    "without CUDA; use device cpu or auto",
                    device);
    if (gpu >= count)
        return fail(ERR_RESOURCE, "device %s: there are %d usable GPUs, counted from cuda:0", device, count);
    if (gpu < 0 && !(device && (strcmp(device, "auto") == 0 || strcmp(device, "cpu") == 0)))
        return fail(ERR_USAGE, "device '%.64s' is unknown; it is one of auto, cpu, cuda, cuda:0, cuda:1, ..",
                    device ? device : "NULL");
    context->device = gpu >= 0 ? DEVICE_CUDA : strcmp(device, "cpu") == 0 ? DEVICE_CPU : DEVICE_AUTO;
    context->gpu = gpu > 0 ? gpu : 0;
    return OK;
}

pf_status pf_context_set_device(pf_context *context, const char *device) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, set_device(context, device));
}

void pf_context_on_message(pf_context *context, void (*receive)(void *data, pf_message_level level, const char *text),
                           void *data) {
    if (!context)
        return;
    context->on_message = receive;
    context->message_data = data;
}

void pf_context_on_progress(pf_context *context,
                            void (*receive)(void *data, double share, double remaining_s, const char *note),
                            void *data) {
    if (!context)
        return;
    context->on_progress = receive;
    context->progress_data = data;
}

void pf_context_cancel(pf_context *context) {
    if (context)
        atomic_store(&context->cancel, true);
}

int call_select_gpu(int device, int gpu) {
    const backend_table *table;
    const int rc = device_choose(device, &table);
    return rc == OK ? device_select_gpu(table, gpu) : rc;
}

call_state call_begin(pf_context *context) {
    const call_state before = {context_enter(&context->inner), openmp_threads()};
    status_clear();
    set_openmp_threads(context->threads);
    return before;
}

pf_status call_end(pf_context *context, call_state before, int rc) {
    if (rc != OK && context->inner.message[0] == '\0')
        fail(rc, "the call failed without a reason (error in the program)");
    if (rc == OK)
        status_clear();
    set_openmp_threads(before.threads);
    context_enter(before.outer);
    return (pf_status)rc;
}
