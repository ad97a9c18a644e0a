/* SPDX-License-Identifier: Apache-2.0 */
/* Implements vtk_draw.h for a build without EGL. */
#include "common/base/status.h"
#include "common/draw/vtk_draw.h"

int vtk_plot_write(const char *path, const vtk_plot_settings *s, int n_curve, const vtk_plot_curve *curve) {
    (void)s;
    (void)n_curve;
    (void)curve;
    return fail(ERR_RESOURCE, "cannot draw '%s': this program was built without EGL; install EGL and build it again",
                path);
}
