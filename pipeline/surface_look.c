/* See surface_look.h. */
#include "pipeline/surface_look.h"
#include "common/vtk_surface.h"

int surface_look(const char *path) {
    surface s = {0};
    int rc = surface_read(path, 1, 0, &s);
    surface_free(&s);
    return rc;
}
