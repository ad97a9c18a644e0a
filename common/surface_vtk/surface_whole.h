/* Whether a file of triangles is whole: every byte is used and every count is met. VTK's readers take a file that was
 * cut short, or that goes on behind its counts, without a word. */
#ifndef PORTAFLOW_SURFACE_WHOLE_H
#define PORTAFLOW_SURFACE_WHOLE_H
#include "common/base/must_check.h"
#include "common/surface_vtk/surface_counts.h"
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* bytes[n], a 0 behind them: the whole file; `ending` ".stl", ".ply", ".vtp" or ".vtk"; `path` for the sentence.
 *   .stl  binary: 84 + 50 a triangle, exactly (the size decides that it is binary); text: ends with "endsolid",
 *         three numbers a vertex
 *   .ply  text: one line an element; binary: the sum of what the header lists. Nothing behind it
 *   .vtk  points and cells once, as many as announced; text ends with a whole line
 *   .vtp  ends with </VTKFile>; its arrays are compared while they are read (vtk_surface_xml.cpp)
 * Formats: https://www.fabbers.com/tech/STL_Format, http://paulbourke.net/dataformats/ply, https://docs.vtk.org
 * Errors: ERR_INPUT. */
MUST_CHECK int surface_whole(const char *path, const char *ending, const char *bytes, size_t n, surface_counts *counts);
#ifdef __cplusplus
}
#endif
#endif
