/* SPDX-License-Identifier: Apache-2.0 */
/* centerlines.vtp as VTK's own reader sees it: points, lines, arrays, values. */
#include <cmath>
#include <cstdio>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>
extern "C" {
#include "common/base/status.h"
#include "common/vessel/vessel_files.h"
#include "tests/unit/temp.h"
}

static int n_wrong;

static void check(bool good, const char *what) {
    if (!good) {
        printf("wrong: %s\n", what);
        n_wrong++;
    }
}

/* A tube of radius 5 mm along z, from 0 to 40 mm, x = 3. */
static bool draw(volume *phi) {
    const int dims[3] = {21, 19, 47};
    const double spacing[3] = {1, 1, 1}, origin[3] = {-7, -9, -3};
    if (volume_create(phi, dims, spacing, origin, nullptr) != OK)
        return false;
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++)
                phi->value[volume_index(phi, i, j, k)] = static_cast<float>(
                    std::fmax(std::hypot(i + origin[0] - 3, j + origin[1]) - 5, std::fabs(k + origin[2] - 20) - 20));
    return true;
}

static void check_file(const char *path, const centerline *c) {
    vtkNew<vtkXMLPolyDataReader> reader;
    reader->SetFileName(path);
    reader->Update();
    vtkPolyData *poly = reader->GetOutput();
    vtkDataArray *radius = poly->GetPointData()->GetArray("MaximumInscribedSphereRadius"),
                 *way = poly->GetPointData()->GetArray("Abscissas"),
                 *tangent = poly->GetPointData()->GetArray("FrenetTangent"),
                 *group = poly->GetCellData()->GetArray("GroupIds");
    check(poly->GetNumberOfPoints() == c->branch[0].n && poly->GetNumberOfLines() == 1, "points and lines");
    check(radius && way && tangent && group, "arrays");
    check(poly->GetFieldData()->GetAbstractArray("SPACE") != nullptr, "the frame");
    if (n_wrong)
        return;
    for (vtkIdType k = 0; k < poly->GetNumberOfPoints(); k++) {
        double p[3];
        poly->GetPoint(k, p);
        check(std::fabs(p[0] - 3) < 0.1 && std::fabs(p[1]) < 0.1, "the axis");
        check(std::fabs(radius->GetTuple1(k) - 5) < 0.05, "the radius");
        check(std::fabs(std::fabs(tangent->GetTuple3(k)[2]) - 1) < 0.01, "the tangent");
    }
    check(std::fabs(way->GetTuple1(poly->GetNumberOfPoints() - 1) - 40) < 0.2, "the length");
    check(group->GetTuple1(0) == 0, "the group");
}

int main() {
    volume phi = {};
    centerline c = {};
    vessel_table t = {};
    if (!draw(&phi) || centerline_find(&phi, 0, nullptr, &c) != OK ||
        vessel_table_create(&c, 1, 1, 0.1, nullptr, &t) != OK ||
        vessel_files_write_vtp(&t, temp_path("centerlines.vtp")) != OK) {
        printf("wrong: %s\n", status_message());
        return 1;
    }
    check_file(temp_path("centerlines.vtp"), &c);
    vessel_table_free(&t);
    centerline_free(&c);
    volume_free(&phi);
    return n_wrong > 0;
}
