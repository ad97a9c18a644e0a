/* See surface_look.h. */
#include "pipeline/init/surface_look.h"
#include "common/base/status.h"
#include "common/surface/surface_close.h"
#include "common/surface/vtk_surface.h"

int surface_look(const char *path, double unit_mm) {
    surface s = {0};
    int filled;
    int rc = surface_read(path, unit_mm, 0, &s);
    if (rc == OK)
        rc = surface_close(path, &s, &filled);
    surface_free(&s);
    return rc;
}
