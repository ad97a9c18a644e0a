/* The header of a PLY file, and whether the rest of the file is what it lists. Used by surface_whole.c alone. */
#ifndef PORTAFLOW_SURFACE_PLY_H
#define PORTAFLOW_SURFACE_PLY_H
#include "common/base/must_check.h"
#include "common/surface_vtk/surface_counts.h"
#include <stddef.h>

/* As surface_whole. Errors: ERR_INPUT. */
MUST_CHECK int surface_ply(const char *path, const char *bytes, size_t n, surface_counts *counts);
#endif
