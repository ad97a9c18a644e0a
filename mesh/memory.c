/* See memory.h. */
#include "mesh/memory.h"
#include "common/status.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

int memory_check(const voxelize_input *in) {
    const double box = (double)in->dims[0] * in->dims[1] * in->dims[2];
    const double cells = voxelize_estimate_cells(in);
    /* cells, pieces, links and the lattice; the map of the box; the level set the wall is taken from, twice */
    const double need = 75 * cells + 0.4 * box + 10 * fmin(box, 1.2e8), available = memory_available();
    if (need <= 0.9 * available && cells < 2e9)
        return OK;
    const double factor = fmax(cbrt(need / (0.9 * available)), cbrt(cells / 2e9));
    return fail(ERR_RESOURCE,
                "the lattice would have about %.3g million cells of %.3g mm and need %.3g GB, %.3g GB are free; use a "
                "spacing of %.3g mm or more",
                cells / 1e6, in->spacing_mm, need / 1e9, available / 1e9, 1.05 * factor * in->spacing_mm);
}
