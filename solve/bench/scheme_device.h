/* What the schemes need of a device: memory, steps, a clock. */
#ifndef PORTAFLOW_BENCH_SCHEME_DEVICE_H
#define PORTAFLOW_BENCH_SCHEME_DEVICE_H
#include "solve/bench/scheme.h"
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;                            /* "cpu", "cuda" */
    void (*describe)(char *text, size_t size);   /* "NVIDIA H200, 4800 GB/s by its clocks" */
    double (*available)(void);                   /* bytes of memory that are free */
    double (*bandwidth)(int threads);            /* copy, bytes read and written a second, measured now */
    int (*allocate)(void **array, size_t bytes); /* ERR_RESOURCE */
    void (*release)(void *array);                /* NULL: nothing */
    int (*upload)(void *to, const void *from, size_t bytes);
    int (*download)(void *to, const void *from, size_t bytes);
    int (*step)(scheme_state *s, int n); /* n steps, waits for their end */
    /* Best rate of batches over `seconds`, steps a second; batches are even. */
    int (*rate)(scheme_state *s, double seconds, double *steps_per_second);
} scheme_device;

extern const scheme_device scheme_device_cpu;
#ifdef PORTAFLOW_CUDA
extern const scheme_device scheme_device_cuda;
#endif

/* One instance a precision of scheme_cpu_kernel.c. */
int scheme_cpu_step_float(scheme_state *s, int n);
int scheme_cpu_step_double(scheme_state *s, int n);
#ifdef __cplusplus
}
#endif
#endif
