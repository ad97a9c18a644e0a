/* SPDX-License-Identifier: Apache-2.0 */
/* Monotonic clock for durations, seconds since an arbitrary start. Neither time of day nor date. */
#ifndef PORTAFLOW_CLOCK_H
#define PORTAFLOW_CLOCK_H
#include <time.h>

static inline double clock_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time of all threads of this process, seconds. */
static inline double clock_cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#endif
