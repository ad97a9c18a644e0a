/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface_vtk/vtk_surface_contour.h"
#include "common/surface_vtk/vtk_surface_tools.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>

using namespace vtk_surface_tools;

struct surface_contour {
    std::vector<float> point; /* points as grid indices */
    std::vector<vtkIdType> triangle;
};

int surface_contour_open(surface_contour **c) {
    *c = nullptr;
    return run_quietly("computing the surface of a level set", [&]() {
        *c = new surface_contour;
        return 0;
    });
}

int surface_contour_add(surface_contour *c, const int low[3], const int n[3], const float *value) {
    return run_quietly("computing the surface of a level set", [&]() {
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

namespace {

/* Merges points whose coordinates are bitwise equal. number[i]: index of point i in `kept`, which has the order of
 * first use by a triangle */
class merged_points {
  public:
    explicit merged_points(const std::vector<float> &from) : point(from), number(from.size() / 3, -1) {
        size_t size = 16;
        while (size < 2 * number.size())
            size *= 2;
        table.assign(size, -1);
    }
    int32_t index_of(vtkIdType i) {
        int32_t &found = number[static_cast<size_t>(i)];
        if (found >= 0)
            return found;
        const float *p = &point[3 * static_cast<size_t>(i)];
        size_t at = hash_point(p) & (table.size() - 1);
        while (table[at] >= 0 && !equal_points(p, kept[static_cast<size_t>(table[at])]))
            at = (at + 1) & (table.size() - 1);
        if (table[at] < 0) {
            table[at] = static_cast<int32_t>(kept.size());
            kept.push_back(p);
        }
        return found = table[at];
    }
    std::vector<const float *> kept;

  private:
    static bool equal_points(const float *a, const float *b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }
    static size_t hash_point(const float *p) {
        uint64_t sum = 0;
        for (int k = 0; k < 3; k++) {
            const float x = p[k] + 0.0F; /* + 0.0 turns -0 into 0 */
            uint32_t bits;
            std::memcpy(&bits, &x, sizeof bits);
            sum = (sum ^ bits) * 0x9e3779b97f4a7c15U; /* multiplication by the golden ratio, as in Fibonacci hashing */
        }
        return static_cast<size_t>(sum ^ sum >> 32);
    }
    const std::vector<float> &point;
    std::vector<int32_t> number, table;
};

} // namespace

int surface_contour_close(surface_contour *c, const volume *grid, surface *out) {
    const int rc = run_quietly("computing the surface of a level set", [&]() {
        merged_points points(c->point);
        std::vector<int32_t> corner;
        corner.reserve(c->triangle.size());
        for (size_t t = 0; t < c->triangle.size(); t += 3) {
            const int32_t n[3] = {points.index_of(c->triangle[t]), points.index_of(c->triangle[t + 1]),
                                  points.index_of(c->triangle[t + 2])};
            if (n[0] != n[1] && n[1] != n[2] && n[0] != n[2])
                corner.insert(corner.end(), n, n + 3);
        }
        const int made =
            surface_create(out, static_cast<int64_t>(points.kept.size()), static_cast<int64_t>(corner.size() / 3));
        if (made != 0)
            return made;
        std::copy(corner.begin(), corner.end(), out->triangle);
        for (size_t i = 0; i < points.kept.size(); i++)
            for (size_t k = 0; k < 3; k++)
                out->point_mm[3 * i + k] = static_cast<double>(points.kept[i][k]);
        return 0;
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
