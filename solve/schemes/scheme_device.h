/* SPDX-License-Identifier: Apache-2.0 */
/* Device functions for the schemes: memory, steps, timing. */
#ifndef PORTAFLOW_BENCH_SCHEME_DEVICE_H
#define PORTAFLOW_BENCH_SCHEME_DEVICE_H
#include "common/base/must_check.h"
#include "solve/schemes/scheme.h"
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;                          /* name of the device, "cpu" or "cuda" */
    void (*describe)(char *text, size_t size); /* writes name and nominal bandwidth, such as "NVIDIA H200, 4800 GB/s" */
    double (*available)(void);                 /* free memory, bytes */
    /* copy bandwidth (bytes read plus bytes written, per second), measured by this call */
    double (*bandwidth)(int threads);
    MUST_CHECK int (*allocate)(void **array, size_t bytes); /* allocates an array on the device. Errors: ERR_RESOURCE */
    void (*release)(void *array);                           /* frees an array; NULL is allowed */
    MUST_CHECK int (*upload)(void *to, const void *from, size_t bytes);
    MUST_CHECK int (*download)(void *to, const void *from, size_t bytes);
    MUST_CHECK int (*step)(scheme_state *s, int n); /* computes n steps and waits for their end */
    /* Measures steps per second: the fastest batch of all batches, each with an even number of steps, during about
     * `seconds`. */
    MUST_CHECK int (*rate)(scheme_state *s, double seconds, double *steps_per_second);
} scheme_device;

extern const scheme_device scheme_device_cpu;
#ifdef PORTAFLOW_CUDA
extern const scheme_device scheme_device_cuda;
#endif

/* Advances the state by n steps; one instance of scheme_cpu_kernel.c for each precision. Errors: ERR_RESOURCE. */
MUST_CHECK int scheme_cpu_step_float(scheme_state *s, int n);
MUST_CHECK int scheme_cpu_step_double(scheme_state *s, int n);
#ifdef __cplusplus
}
#endif
#endif
