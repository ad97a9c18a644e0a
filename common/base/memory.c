/* See memory.h. */
#include "common/base/memory.h"
#include <math.h>
#include <stdio.h>

/* MemAvailable of /proc/meminfo, bytes. */
static double machine_free(void) {
    FILE *f = fopen("/proc/meminfo", "r");
    char line[256];
    double kilobytes = INFINITY;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1)
            break;
    if (f)
        fclose(f);
    return kilobytes * 1024;
}

/* A number in a file of the control group; INFINITY when there is none ("max"). */
static double group_number(const char *path) {
    FILE *f = fopen(path, "r");
    double value = INFINITY;
    if (f && fscanf(f, "%lf", &value) != 1)
        value = INFINITY;
    if (f)
        fclose(f);
    return value;
}

double memory_available(void) {
    const double limit = group_number("/sys/fs/cgroup/memory.max");
    const double used = group_number("/sys/fs/cgroup/memory.current");
    const double granted = isfinite(limit) && isfinite(used) ? fmax(0, limit - used) : INFINITY;
    return fmin(machine_free(), granted);
}
