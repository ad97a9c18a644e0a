/* See surface_look.h. */
#include "pipeline/init/surface_look.h"
#include "common/surface/vtk_surface.h"

int surface_look(const char *path) {
    surface s = {0};
    int rc = surface_read(path, 1, 0, &s);
    surface_free(&s);
    return rc;
}
