/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/inspect/inspect_surface.h"
#include "common/base/status.h"
#include "common/base/file.h"
#include <math.h>
#ifdef PIPELINE_HAVE_SURFACE
#include "common/surface_vtk/surface_close.h"
#include "common/surface_vtk/vtk_surface.h"

int inspect_surface(const char *path, double unit_mm) {
    surface s = {0};
    int filled;
    int rc = surface_read(path, unit_mm, 0, &s);
    if (rc == OK)
        rc = surface_close(path, &s, &filled);
    surface_free(&s);
    return rc;
}

surface_about inspect_surface_about(const char *path) {
    surface_about about = {.longest = NAN, .ras = surface_read_frame(path, 1, 0)};
    surface s = {0};
    double low[3], high[3];
    if (surface_read(path, 1, 0, &s) == OK) {
        surface_bounds(&s, low, high);
        about.longest = fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    }
    surface_free(&s);
    return about;
}

#else /* build without VTK */

int inspect_surface(const char *path, double unit_mm) {
    (void)unit_mm;
    return file_check(path);
}

surface_about inspect_surface_about(const char *path) {
    (void)path;
    return (surface_about){.longest = NAN, .ras = -1};
}
#endif
