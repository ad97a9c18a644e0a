/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_surface.h. */
#include "common/surface_vtk/vtk_surface.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface_tools.h"
#include <cmath>
#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkStaticCellLocator.h>

int surface_closest_points(const surface *s, size_t n, const double *point_mm, int64_t *triangle, double *weight,
                           double *distance_mm) {
    return vtk_surface_tools::run_quietly("finding the closest points of a surface", [&]() {
        vtkNew<vtkStaticCellLocator> locator;
        vtkNew<vtkGenericCell> cell;
        const auto poly = vtk_surface_tools::to_polydata(s);
        locator->SetDataSet(poly);
        locator->BuildLocator();
        for (size_t i = 0; i < n; i++) {
            double foot[3], parametric[3], square = 0;
            vtkIdType id = -1;
            int part = 0;
            locator->FindClosestPoint(point_mm + 3 * i, foot, cell, id, part, square);
            distance_mm[i] = std::sqrt(square);
            triangle[i] = id;
            poly->GetCell(id, cell); /* on return `cell` holds the last tested cell, so read the closest one */
            cell->EvaluatePosition(foot, nullptr, part, parametric, square, weight + 3 * i);
        }
        return static_cast<int>(OK);
    });
}
