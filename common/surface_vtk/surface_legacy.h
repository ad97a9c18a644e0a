/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the points and cells of a legacy VTK file (.vtk) of polydata are complete. Used only by
 * surface_whole.c. */
#ifndef PORTAFLOW_SURFACE_LEGACY_H
#define PORTAFLOW_SURFACE_LEGACY_H
#include "common/base/must_check.h"
#include "common/surface_vtk/surface_counts.h"
#include <stddef.h>

/* As surface_check_whole, for a legacy VTK file. The data arrays behind the cells are not checked. Errors:
 * ERR_INPUT. */
MUST_CHECK int surface_check_legacy(const char *path, const char *bytes, size_t n, surface_counts *counts);
#endif
