/* The points and cells of a legacy VTK file (.vtk) of polydata, as far as whether they are all there. Used by
 * surface_whole.c alone. */
#ifndef PORTAFLOW_SURFACE_LEGACY_H
#define PORTAFLOW_SURFACE_LEGACY_H
#include "common/base/must_check.h"
#include "common/surface_vtk/surface_counts.h"
#include <stddef.h>

/* As surface_whole; what follows the cells (arrays of data) is left to VTK. Errors: ERR_INPUT. */
MUST_CHECK int surface_legacy(const char *path, const char *bytes, size_t n, surface_counts *counts);
#endif
