/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a surface file is complete: every byte is used and every count is met. VTK's readers silently accept a
 * truncated file, and bytes after the stated counts. */
#ifndef PORTAFLOW_SURFACE_WHOLE_H
#define PORTAFLOW_SURFACE_WHOLE_H
#include "common/base/must_check.h"
#include "common/surface_vtk/surface_counts.h"
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* bytes[n]: the whole file, followed by a 0; `ending`: ".stl", ".ply", ".vtp" or ".vtk"; `path`: name in messages.
 *   .stl  binary: exactly 84 + 50 bytes per triangle (this size identifies binary); text: ends with "endsolid",
 *         three numbers per vertex
 *   .ply  text: one line per element; binary: the size that the header implies; no bytes after the elements
 *   .vtk  points and cells once, in the stated numbers; text ends with a newline
 *   .vtp  ends with </VTKFile>; vtk_surface_xml.cpp checks the arrays while reading
 * Formats: https://www.fabbers.com/tech/STL_Format, http://paulbourke.net/dataformats/ply, https://docs.vtk.org
 * Errors: ERR_INPUT. */
MUST_CHECK int surface_check_whole(const char *path, const char *ending, const char *bytes, size_t n,
                                   surface_counts *counts);
#ifdef __cplusplus
}
#endif
#endif
