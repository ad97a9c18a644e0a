/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a PLY file contains exactly the elements that its header lists. Used only by surface_whole.c. */
#ifndef PORTAFLOW_SURFACE_PLY_H
#define PORTAFLOW_SURFACE_PLY_H
#include "common/base/must_check.h"
#include "common/surface_vtk/surface_counts.h"
#include <stddef.h>

/* As surface_check_whole, for a PLY file. Errors: ERR_INPUT. */
MUST_CHECK int surface_check_ply(const char *path, const char *bytes, size_t n, surface_counts *counts);
#endif
