/* See vtk_surface_contour.h. */
#include "common/surface/vtk_surface_contour.h"
#include "common/surface/vtk_surface_tools.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPoints.h>

using namespace vtk_surface_tools;

struct surface_contour {
    std::vector<float> point; /* indices of the grid */
    std::vector<vtkIdType> triangle;
};

int surface_contour_open(surface_contour **c) {
    *c = nullptr;
    return guarded("the surface of a level set", [&]() {
        *c = new surface_contour;
        return 0;
    });
}

int surface_contour_add(surface_contour *c, const int low[3], const int n[3], const float *value) {
    return guarded("the surface of a level set", [&]() {
        vtkNew<vtkImageData> image;
        image->SetExtent(low[0], low[0] + n[0] - 1, low[1], low[1] + n[1] - 1, low[2], low[2] + n[2] - 1);
        image->AllocateScalars(VTK_FLOAT, 1);
        std::memcpy(image->GetScalarPointer(), value, sizeof(float) * n[0] * n[1] * n[2]);
        vtkNew<vtkFlyingEdges3D> contour;
        contour->SetInputData(image);
        contour->SetValue(0, 0.0);
        contour->ComputeNormalsOff();
        contour->ComputeGradientsOff();
        contour->ComputeScalarsOff();
        contour->Update();
        vtkPolyData *part = contour->GetOutput();
        const vtkIdType first = static_cast<vtkIdType>(c->point.size() / 3);
        for (vtkIdType i = 0; i < part->GetNumberOfPoints(); i++) {
            double p[3];
            part->GetPoint(i, p);
            for (double x : p)
                c->point.push_back(static_cast<float>(x));
        }
        auto it = vtk::TakeSmartPointer(part->GetPolys()->NewIterator());
        for (it->GoToFirstCell(); !it->IsDoneWithTraversal(); it->GoToNextCell()) {
            vtkIdType corners = 0;
            const vtkIdType *corner = nullptr;
            it->GetCurrentCell(corners, corner);
            for (int k = 0; corners == 3 && k < 3; k++)
                c->triangle.push_back(first + corner[k]);
        }
        return 0;
    });
}

int surface_contour_close(surface_contour *c, const volume *grid, surface *out) {
    const int rc = guarded("the surface of a level set", [&]() {
        vtkNew<vtkPolyData> poly;
        vtkNew<vtkPoints> points;
        vtkNew<vtkCellArray> cells;
        points->SetNumberOfPoints(static_cast<vtkIdType>(c->point.size() / 3));
        for (size_t i = 0; i < c->point.size() / 3; i++)
            points->SetPoint(static_cast<vtkIdType>(i), &c->point[3 * i]);
        cells->AllocateExact(static_cast<vtkIdType>(c->triangle.size() / 3),
                             static_cast<vtkIdType>(c->triangle.size()));
        for (size_t t = 0; t < c->triangle.size(); t += 3)
            cells->InsertNextCell(3, &c->triangle[t]);
        std::vector<float>().swap(c->point);
        std::vector<vtkIdType>().swap(c->triangle);
        poly->SetPoints(points);
        poly->SetPolys(cells);
        return from_polydata(merged(poly, 0), out);
    });
    for (int64_t i = 0; rc == 0 && i < out->n_point; i++) {
        const double index[3] = {out->point_mm[3 * i], out->point_mm[3 * i + 1], out->point_mm[3 * i + 2]};
        volume_to_lps(grid, index, out->point_mm + 3 * i);
    }
    if (rc == 0)
        turn_outward(out);
    return rc;
}

void surface_contour_free(surface_contour *c) {
    delete c;
}
