/* SPDX-License-Identifier: Apache-2.0 */
#include "post/probe/box_fields.h"
#include "common/record/hdf5_util.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MOSTLY_SOLID = 0.6; /* A cell with a solid fraction above this value certainly has its centre in the
                                         * wall */
static const double BOX_MAX = 4e9;      /* Upper limit of the number of cells in the box */

/* Reads the box of the file into l: dims, origin_mm, spacing_mm. */
static int read_box(hid_t group, const char *path, lattice *l) {
    int extent[6], rc;
    double spacing[3];
    char frame[16];
    TRY(hdf5_read_attribute(group, "WholeExtent", H5T_NATIVE_INT, 6, extent));
    TRY(hdf5_read_attribute(group, "Origin", H5T_NATIVE_DOUBLE, 3, l->origin_mm));
    TRY(hdf5_read_attribute(group, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing));
    TRY(hdf5_read_text(group, "frame", frame, sizeof frame));
    double n = 1;
    int good = strcmp(frame, "LPS") == 0;
    for (int a = 0; a < 3; a++) {
        good = good && extent[2 * a] == 0 && extent[2 * a + 1] >= 0 && extent[2 * a + 1] < INT32_MAX &&
               isfinite(l->origin_mm[a]) && spacing[a] > 0 && fabs(spacing[a] - spacing[0]) <= 1e-9 * spacing[0];
        l->dims[a] = extent[2 * a + 1] + 1;
        n *= l->dims[a];
    }
    l->spacing_mm = spacing[0];
    if (!good || n > BOX_MAX)
        rc = fail(ERR_INPUT,
                  "'%s' is no fields file of solve or is damaged: its frame must be LPS, its cells cubes, its extent "
                  "from 0, its box %g cells or fewer; run solve again",
                  path, BOX_MAX);
cleanup:
    return rc;
}

static int read_solid(hid_t group, const char *path, lattice *box, float **solid) {
    hsize_t size[3], wanted[3] = {(hsize_t)box->dims[2], (hsize_t)box->dims[1], (hsize_t)box->dims[0]};
    int rc;
    TRY(hdf5_array_size(group, "PointData/solid_fraction", 3, size));
    if (memcmp(size, wanted, sizeof size) != 0)
        GIVE_UP(fail(ERR_INPUT, "'%s': the array 'solid_fraction' does not have the size of the box; run solve again",
                     path));
    size_t n = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    *solid = malloc(n * sizeof **solid);
    if (!*solid)
        GIVE_UP(fail_memory("the solid fraction", 4.0 * (double)n));
    TRY(hdf5_read_array(group, "PointData/solid_fraction", H5T_NATIVE_FLOAT, 3, size, *solid));
cleanup:
    return rc;
}

static int make_cells(const lattice *box, const float *solid, lattice *l) {
    size_t n = (size_t)box->dims[0] * (size_t)box->dims[1] * (size_t)box->dims[2];
    int64_t n_cell = 0;
    for (size_t k = 0; k < n; k++)
        n_cell += solid[k] >= 0 && solid[k] < 1;
    int rc = lattice_create(l, n_cell, 0, 0);
    if (rc != OK)
        return rc;
    l->spacing_mm = box->spacing_mm;
    memcpy(l->origin_mm, box->origin_mm, sizeof l->origin_mm);
    memcpy(l->dims, box->dims, sizeof l->dims);
    n_cell = 0;
    for (size_t k = 0; k < n; k++) {
        if (!(solid[k] >= 0 && solid[k] < 1))
            continue;
        size_t row = k / (size_t)box->dims[0];
        l->cell[3 * n_cell] = (int32_t)(k % (size_t)box->dims[0]);
        l->cell[3 * n_cell + 1] = (int32_t)(row % (size_t)box->dims[1]);
        l->cell[3 * n_cell + 2] = (int32_t)(row / (size_t)box->dims[1]);
        l->solid[n_cell++] = (uint16_t)(solid[k] * (LATTICE_SUBCELL_COUNT - 0.5f));
    }
    return OK;
}

static int read_cells(hid_t group, const char *path, void *l) {
    lattice box = {0};
    float *solid = NULL;
    int rc;
    TRY(read_box(group, path, &box));
    TRY(read_solid(group, path, &box, &solid));
    TRY(make_cells(&box, solid, l));
cleanup:
    free(solid);
    return rc;
}

int box_fields_read(const char *path, lattice *l, fields *f) {
    memset(l, 0, sizeof *l);
    memset(f, 0, sizeof *f);
    int rc = hdf5_read_file(path, "fields file", "VTKHDF", read_cells, l);
    if (rc == OK)
        rc = field_file_read(path, l, f);
    for (int64_t c = 0; rc == OK && c < l->n_cell; c++) {
        double p = l->solid[c] / (double)LATTICE_SUBCELL_COUNT;
        int flows = isfinite(f->pressure_pa[c]) && p < MOSTLY_SOLID;
        l->distance_mm[c] = (float)(l->spacing_mm * (flows ? fmin(p - 0.5, -0.01) : fmax(p - 0.5, 0.01)));
    }
    if (rc != OK) {
        lattice_free(l);
        fields_free(f);
    }
    return rc;
}
