/* See surface_look.h: this build has no VTK. */
#include "pipeline/init/surface_look.h"
#include "common/base/file.h"
#include <math.h>

int surface_look(const char *path, double unit_mm) {
    (void)unit_mm;
    return file_check(path);
}

surface_about surface_look_about(const char *path) {
    (void)path;
    return (surface_about){.longest = NAN, .ras = -1};
}
