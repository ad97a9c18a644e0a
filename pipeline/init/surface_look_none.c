/* See surface_look.h: this build has no VTK. */
#include "pipeline/init/surface_look.h"
#include "common/base/file.h"
#include <math.h>

int surface_look(const char *path, double unit_mm, double *volume_mm3) {
    (void)unit_mm;
    *volume_mm3 = NAN;
    return file_check(path);
}
