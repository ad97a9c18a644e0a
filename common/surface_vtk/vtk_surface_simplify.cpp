/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_surface.h. */
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "common/surface_vtk/vtk_surface_tools.h"
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkQuadricDecimation.h>

int surface_simplify(const surface *s, int64_t most, surface *out) {
    return vtk_surface_tools::run_quietly("reducing the triangles of a surface", [&]() {
        vtkNew<vtkQuadricDecimation> decimate;
        const auto poly = vtk_surface_tools::to_polydata(s);
        decimate->SetInputData(poly);
        decimate->SetTargetReduction(1 - static_cast<double>(most) / static_cast<double>(s->n_triangle));
        decimate->Update();
        /* merging also removes unused points */
        const auto compact = vtk_surface_tools::merge_points(decimate->GetOutput(), 0);
        return vtk_surface_tools::from_polydata(compact, out);
    });
}
