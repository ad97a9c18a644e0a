// What the two halves of vtk_surface.h share (C++, internal).
#ifndef PORTAFLOW_VTK_SURFACE_TOOLS_H
#define PORTAFLOW_VTK_SURFACE_TOOLS_H
#include "common/base/status.h"
#include "common/surface/surface.h"

#include <functional>
#include <string>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace vtk_surface_tools {

// Run `body` (which returns a status) with VTK's own messages off; what C++ throws becomes a status.
// Errors: those of the body; ERR_RESOURCE for std::bad_alloc, ERR_INTERNAL for anything else that is thrown.
MUST_CHECK int guarded(const char *what, const std::function<int()> &body);

// For isolate_read's processes: VTK's threads were not forked, and a loop that it shares with them may wait for ever.
void use_one_thread();

bool complained(); // whether VTK reported an error since the body began

// A .vtp; NULL when it cannot be read or an array holds more than its piece announces.
vtkSmartPointer<vtkPolyData> read_xml(const char *path);

std::string ending_of(const char *path); // ".stl", lower case; "" when there is none

// Triangles with three different corners; points as they are. Errors: ERR_INPUT, ERR_RESOURCE.
MUST_CHECK int from_polydata(vtkPolyData *poly, surface *out);
vtkSmartPointer<vtkPolyData> to_polydata(const surface *s);
vtkSmartPointer<vtkPolyData> merged(vtkPolyData *poly, double apart); // points at most so far apart made one

/* Points that were one made one: those apart by the rounding of six digits, and, where that leaves many sides open, by
 * as little more as joins most of them, at most a twentieth of a usual side. */
vtkSmartPointer<vtkPolyData> joined_corners(vtkPolyData *triangles);

/* Triangles that are there more than once, the same way round: one of them. Both ways round they are two sides of a
 * wall without thickness, unless one of them leaves fewer sides with an odd number of triangles. */
void drop_copies(vtkPolyData *poly);
void turn_outward(surface *s); // a surface of negative volume is turned inside out

} // namespace vtk_surface_tools
#endif
