/* Seconds since some moment before the program began: for how long things take. No time of day, no date. */
#ifndef PORTAFLOW_CLOCK_H
#define PORTAFLOW_CLOCK_H
#include <time.h>

static inline double clock_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of processors that all threads of this process took so far. */
static inline double clock_cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#endif
