/* See phi_field.h. */
#include "mesh/phi_field.h"
#include "common/base/status.h"
#include "mesh/redistance.h"
#include <math.h>
#include <string.h>

enum { CROP_PAD = 6 };

static const double good_quality = 0.9;

/* Index range and LPS box of the voxels inside the vessel. */
static int find_lumen(phi_field *f, const volume *phi, int low[3], int high[3]) {
    for (int a = 0; a < 3; a++) {
        low[a] = phi->dims[a];
        high[a] = -1;
        f->low_mm[a] = INFINITY;
        f->high_mm[a] = -INFINITY;
    }
    for (int k = 0; k < phi->dims[2]; k++)
        for (int j = 0; j < phi->dims[1]; j++)
            for (int i = 0; i < phi->dims[0]; i++) {
                const float value = phi->value[volume_index(phi, i, j, k)];
                const int at[3] = {i, j, k};
                double p[3];
                if (!isfinite(value))
                    return fail(ERR_INPUT, "the level set is not a finite number at voxel %d, %d, %d", i, j, k);
                if (value >= 0)
                    continue;
                volume_to_lps(phi, (const double[3]){i, j, k}, p);
                for (int a = 0; a < 3; a++) {
                    low[a] = at[a] < low[a] ? at[a] : low[a];
                    high[a] = at[a] > high[a] ? at[a] : high[a];
                    f->low_mm[a] = fmin(f->low_mm[a], p[a]);
                    f->high_mm[a] = fmax(f->high_mm[a], p[a]);
                }
            }
    if (high[0] < 0)
        return fail(ERR_INPUT, "the level set has no voxel inside the vessel (no negative value)");
    const double margin = fmax(phi->spacing_mm[0], fmax(phi->spacing_mm[1], phi->spacing_mm[2]));
    for (int a = 0; a < 3; a++) {
        f->low_mm[a] -= margin;
        f->high_mm[a] += margin;
    }
    return OK;
}

static int crop(const volume *phi, const int low[3], const int high[3], volume *out) {
    int first[3], dims[3];
    double origin[3];
    for (int a = 0; a < 3; a++) {
        const int last = high[a] + CROP_PAD < phi->dims[a] ? high[a] + CROP_PAD : phi->dims[a] - 1;
        first[a] = low[a] > CROP_PAD ? low[a] - CROP_PAD : 0;
        dims[a] = last - first[a] + 1;
    }
    volume_to_lps(phi, (const double[3]){first[0], first[1], first[2]}, origin);
    const int rc = volume_create(out, dims, phi->spacing_mm, origin, phi->direction);
    for (int k = 0; rc == OK && k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            memcpy(out->value + volume_index(out, 0, j, k),
                   phi->value + volume_index(phi, first[0], first[1] + j, first[2] + k),
                   (size_t)dims[0] * sizeof(float));
    return rc;
}

int phi_field_create(phi_field *f, const volume *phi_mm) {
    int rc, low[3], high[3];
    volume part = {0};
    memset(f, 0, sizeof *f);
    TRY(find_lumen(f, phi_mm, low, high));
    TRY(crop(phi_mm, low, high, &part));
    f->quality = redistance_quality(&part);
    f->remade = f->quality < good_quality;
    if (f->remade)
        TRY(redistance(&part));
    TRY(spline_create(&f->s, &part));
cleanup:
    volume_free(&part);
    if (rc != OK)
        phi_field_free(f);
    return rc;
}

void phi_field_free(phi_field *f) {
    spline_free(&f->s);
    memset(f, 0, sizeof *f);
}

double phi_field_border(const phi_field *f, const double lps_mm[3]) {
    const volume *grid = &f->s.grid;
    double index[3], most = -INFINITY;
    volume_to_index(grid, lps_mm, index);
    for (int a = 0; a < 3; a++)
        most = fmax(most, grid->spacing_mm[a] * fmax(-index[a], index[a] - (grid->dims[a] - 1)));
    return most;
}

double phi_field_distance(const void *data, const double lps_mm[3]) {
    const phi_field *f = data;
    return fmax(spline_value(&f->s, lps_mm, NULL), phi_field_border(f, lps_mm));
}
