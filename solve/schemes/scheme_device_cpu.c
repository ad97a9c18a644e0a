/* SPDX-License-Identifier: Apache-2.0 */
/* Implements scheme_device.h for the CPU. */
#include "solve/schemes/bandwidth.h"
#include "common/base/clock.h"
#include "common/base/status.h"
#include "common/base/memory.h"
#include "solve/schemes/scheme_device.h"
#include "solve/core/backend.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Model name of the processor from Linux, else "processor". */
static void cpu_describe(char *text, size_t size) {
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "processor");
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (f)
        fclose(f);
}

static int cpu_allocate(void **array, size_t bytes) {
    *array = aligned_alloc(4096, (bytes / 4096 + 1) * 4096);
    return *array ? OK : fail_memory("a scheme's arrays", (double)bytes);
}

static int cpu_copy(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
    return OK;
}

static int cpu_step(scheme_state *s, int n) {
    return s->precision == BACKEND_DOUBLE ? scheme_cpu_step_double(s, n) : scheme_cpu_step_float(s, n);
}

static int cpu_rate(scheme_state *s, double seconds, double *steps_per_second) {
    enum { BATCH = 2 };
    int rc = OK;
    *steps_per_second = 0;
    TRY(cpu_step(s, BATCH));
    for (double total = 0; total < seconds;) {
        const double start = clock_s();
        TRY(cpu_step(s, BATCH));
        const double spent = fmax(clock_s() - start, 1e-9);
        *steps_per_second = fmax(*steps_per_second, BATCH / spent);
        total += spent;
    }
cleanup:
    return rc;
}

const scheme_device scheme_device_cpu = {"cpu", cpu_describe, memory_available, bandwidth_copy, cpu_allocate,
                                         free,  cpu_copy,     cpu_copy,         cpu_step,       cpu_rate};
