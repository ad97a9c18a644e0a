/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/lumen/phi_field.h"
#include "common/base/status.h"
#include "mesh/lumen/redistance.h"
#include <math.h>
#include <string.h>

enum { CROP_PAD = 6 };

/* A level set with a smaller redistance_quality is redistanced */
static const double good_quality = 0.9;
/* A cube of more than 4 subcells along an edge is divided if the wall deviates from a plane by more than this fraction
 * of the cube's width */
static const double largest_bend = 0.1;

/* Find the voxels inside the vessel: their index range low..high, and their LPS box with a margin of a voxel
 * (f->low_mm, f->high_mm). */
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
                    return fail(
                        ERR_INPUT,
                        "phi.nii.gz: the level set is not a finite number at voxel %d, %d, %d; run segment again", i, j,
                        k);
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
        return fail(ERR_INPUT,
                    "the level set has no voxel inside the vessel (no negative value); check the segmentation");
    const double margin = volume_thickest_mm(phi);
    for (int a = 0; a < 3; a++) {
        f->low_mm[a] -= margin;
        f->high_mm[a] += margin;
    }
    return OK;
}

static int crop_volume(const volume *phi, const int low[3], const int high[3], volume *out) {
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

int phi_field_create(phi_field *f, volume *phi_mm) {
    int rc, low[3], high[3];
    volume part = {0};
    memset(f, 0, sizeof *f);
    TRY(find_lumen(f, phi_mm, low, high));
    TRY(crop_volume(phi_mm, low, high, &part));
    volume_free(phi_mm); /* free the volume now, because the spline needs the same amount of memory */
    f->quality = redistance_quality(&part);
    f->redistanced = f->quality < good_quality;
    if (f->redistanced)
        TRY(redistance_compute(&part));
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

/* True if the spline gives the distance everywhere in the cube; if so, low and high become the index box around the
 * cube. */
static bool cube_box(const phi_field *f, const double centre[3], double width_mm, double low[3], double high[3]) {
    double index[3];
    if (phi_field_border(f, centre) > -4 * width_mm)
        return false;
    volume_to_index(&f->s.grid, centre, index);
    for (int a = 0; a < 3; a++) {
        const double reach = 0.87 * width_mm / f->s.grid.spacing_mm[a];
        low[a] = index[a] - reach;
        high[a] = index[a] + reach;
    }
    return true;
}

/* Counts the solid subcells of a cube. The field deviates from the plane of its gradient by no more than half the
 * second derivative times the squared distance from the centre. This bound decides the subcells away from the wall; at
 * the others the field is evaluated. */
int phi_field_solid(const phi_field *f, const double centre[3], double width_mm, int subcells, double distance_mm,
                    double shift_mm) {
    double low[3], high[3], slope[3];
    const double step = width_mm / subcells, far = 0.87 * width_mm * (subcells - 1) / subcells;
    int solid = 0;
    if (fabs(distance_mm) > 2 * width_mm || !cube_box(f, centre, width_mm, low, high))
        return -1;
    const double bend = 0.5 * spline_bend(&f->s, low, high);
    /* the field bends too much; the caller divides the cube into eighths, in which it is closer to a plane */
    if (subcells > 4 && bend * far * far > largest_bend * width_mm)
        return -1;
    spline_value(&f->s, centre, slope);
    for (int k = 0; k < subcells; k++)
        for (int j = 0; j < subcells; j++)
            for (int i = 0; i < subcells; i++) {
                const double half = 0.5 * (subcells - 1);
                const double way[3] = {step * (i - half), step * (j - half), step * (k - half)};
                const double d = distance_mm + shift_mm + slope[0] * way[0] + slope[1] * way[1] + slope[2] * way[2];
                const double off =
                    bend * (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) * (1 + 1e-9) + 1e-9 * width_mm;
                double p[3];
                for (int a = 0; a < 3; a++)
                    p[a] = centre[a] + way[a];
                solid += fabs(d) > off ? d > 0 : phi_field_distance(f, p) + shift_mm >= 0;
            }
    return solid;
}
