/* SPDX-License-Identifier: Apache-2.0 */
/* fields.vtkhdf as VTK's own reader sees it: extent, origin, spacing, arrays, and values at their place. */
#include <cmath>
#include <cstdio>
#include <string>
#include <vtkDataArray.h>
#include <vtkHDFReader.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
extern "C" {
#include "common/lattice/field_file.h"
#include "tests/unit/common/lattice_sample.h"
#include "tests/unit/temp.h"
}

static int n_wrong;

static void check(bool good, const char *what) {
    if (!good) {
        printf("wrong: %s\n", what);
        n_wrong++;
    }
}

static void check_values(vtkImageData *image, const lattice *l, const fields *f) {
    vtkDataArray *velocity = image->GetPointData()->GetArray("velocity_m_s");
    vtkDataArray *pressure = image->GetPointData()->GetArray("pressure_pa");
    vtkDataArray *solid = image->GetPointData()->GetArray("solid_fraction");
    vtkDataArray *stress = image->GetPointData()->GetArray("stress_pa");
    check(velocity && pressure && solid && stress, "four arrays");
    if (n_wrong)
        return;
    check(velocity->GetNumberOfComponents() == 3 && stress->GetNumberOfComponents() == 6, "components");
    double sum = 0;
    for (vtkIdType k = 0; k < solid->GetNumberOfTuples(); k++)
        sum += solid->GetTuple1(k) < 1;
    check(sum == (double)l->n_cell, "as many points with fluid as cells");
    for (int64_t c = 0; c < l->n_cell; c++) {
        double lps[3], at[3], v[3];
        lattice_centre_mm(l, c, lps);
        vtkIdType id = image->FindPoint(lps);
        image->GetPoint(id, at);
        velocity->GetTuple(id, v);
        check(std::fabs(at[0] - lps[0]) + std::fabs(at[1] - lps[1]) + std::fabs(at[2] - lps[2]) < 1e-9,
              "place of a cell");
        check((float)v[1] == f->velocity_m_s[3 * c + 1] && (float)pressure->GetTuple1(id) == f->pressure_pa[c] &&
                  (float)stress->GetComponent(id, 5) == f->stress_pa[6 * c + 5],
              "value of a cell");
    }
}

int main() {
    const std::string path = temp_path("fields.vtkhdf");
    lattice l;
    fields f;
    if (lattice_sample(&l, 11) != 0 || fields_create(&f, l.n_cell) != 0)
        return 1;
    for (int64_t k = 0; k < 6 * l.n_cell; k++)
        f.stress_pa[k] = (float)std::sin((double)k);
    for (int64_t k = 0; k < 3 * l.n_cell; k++)
        f.velocity_m_s[k] = (float)std::cos((double)k);
    for (int64_t k = 0; k < l.n_cell; k++)
        f.pressure_pa[k] = (float)k;
    check(field_file_write(path.c_str(), &l, &f) == 0, "written");
    vtkNew<vtkHDFReader> reader;
    check(reader->CanReadFile(path.c_str()) == 1, "VTK can read it");
    reader->SetFileName(path.c_str());
    reader->Update();
    vtkImageData *image = vtkImageData::SafeDownCast(reader->GetOutput());
    check(image != nullptr, "an image");
    if (image) {
        int *dims = image->GetDimensions();
        check(dims[0] == l.dims[0] && dims[1] == l.dims[1] && dims[2] == l.dims[2], "dimensions");
        check(image->GetOrigin()[2] == l.origin_mm[2] && image->GetSpacing()[0] == l.spacing_mm, "origin and spacing");
        check_values(image, &l, &f);
    }
    fields_free(&f);
    lattice_free(&l);
    return n_wrong ? 1 : 0;
}
