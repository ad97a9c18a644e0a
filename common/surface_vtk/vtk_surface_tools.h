/* SPDX-License-Identifier: Apache-2.0 */
/* Internal C++ functions of the vtk_surface*.cpp files. */
#ifndef PORTAFLOW_VTK_SURFACE_TOOLS_H
#define PORTAFLOW_VTK_SURFACE_TOOLS_H
#include "common/base/status.h"
#include "common/surface/surface.h"

#include <functional>
#include <string>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace vtk_surface_tools {

/* Runs `body` (which returns a status) with VTK's own messages suppressed; C++ exceptions become a status. what: the
 * work, for the message. Errors: errors of body; ERR_RESOURCE for std::bad_alloc, ERR_INTERNAL for any other
 * exception. */
MUST_CHECK int run_quietly(const char *what, const std::function<int()> &body);

/* For processes of isolate_read: VTK's threads do not exist after a fork, so a parallel loop could wait forever. */
void use_one_thread();

bool reported_error(); /* true if VTK reported an error after the guarded call began */

/* Reads a .vtp; NULL if unreadable or if an array has more values than its piece states. */
vtkSmartPointer<vtkPolyData> read_xml(const char *path);

std::string ending_of(const char *path); /* ending of a path in lower case, such as ".stl"; "" without one */

/* Keeps triangles with three different corners; points are unchanged. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int from_polydata(vtkPolyData *poly, surface *out);
vtkSmartPointer<vtkPolyData> to_polydata(const surface *s);
/* merges points that are no more than `apart` from each other */
vtkSmartPointer<vtkPolyData> merge_points(vtkPolyData *poly, double apart);

/* Merges points that are equal up to rounding to six digits. If many edges then remain open, the tolerance grows in
 * steps until most of them are joined, up to a twentieth of the median edge. */
vtkSmartPointer<vtkPolyData> join_corners(vtkPolyData *triangles);

/* Removes duplicate triangles of equal orientation. Duplicates of opposite orientation are the two sides of a wall
 * without thickness; one of them is removed only if this leaves fewer edges with an odd number of triangles. */
void remove_duplicates(vtkPolyData *poly);
void turn_outward(surface *s); /* reverses all triangles if the volume is negative */

} // namespace vtk_surface_tools
#endif
