/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/lumen_size.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/surface/surface_pieces.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A voxel is on the centerline if the slope of the distance, by central differences, is below this: opposite walls
 * nearly cancel there. Near a single wall the slope is 1; at the corner of an end face, between two walls at a right
 * angle, 0.7. Across the vessel the distance f to the wall is a cone whose tip, on the centerline, is the radius. A
 * voxel at a distance x from the tip has the slope x / h, up to about 0.6 (h: voxel spacing), so the radius is f +
 * slope h. */
static const double middle_slope = 0.65;

static double slope_at(const volume *v, int i, int j, int k) {
    const float *f = v->value;
    double gx = ((double)f[volume_index(v, i + 1, j, k)] - (double)f[volume_index(v, i - 1, j, k)]) / v->spacing_mm[0];
    double gy = ((double)f[volume_index(v, i, j + 1, k)] - (double)f[volume_index(v, i, j - 1, k)]) / v->spacing_mm[1];
    double gz = ((double)f[volume_index(v, i, j, k + 1)] - (double)f[volume_index(v, i, j, k - 1)]) / v->spacing_mm[2];
    return 0.5 * sqrt(gx * gx + gy * gy + gz * gz);
}

/* True if an outer face of the image cuts the ball around a voxel. Where a vessel leaves the image obliquely, such a
 * ball does not represent the width of the vessel. */
static bool at_border(const volume *v, const int at[3], double radius_mm, const volume *image) {
    double p[3], index[3];
    volume_to_lps(v, (const double[3]){at[0], at[1], at[2]}, p);
    volume_to_index(image, p, index);
    for (int a = 0; a < 3; a++) {
        const double inwards = fmin(index[a] + 0.5, image->dims[a] - 0.5 - index[a]);
        if (inwards * image->spacing_mm[a] < radius_mm)
            return true;
    }
    return false;
}

static int measure_radii(const volume *v, const volume *image, measure *m) {
    size_t n = 0, room = volume_size(v);
    float largest = 0, h = (float)v->spacing_mm[0];
    float *r = malloc(room * sizeof *r);
    if (r == NULL)
        return fail_memory("the radii", (double)room * sizeof *r);
    for (int k = 1; k < v->dims[2] - 1; k++)
        for (int j = 1; j < v->dims[1] - 1; j++)
            for (int i = 1; i < v->dims[0] - 1; i++) {
                float f = -v->value[volume_index(v, i, j, k)];
                if (f < 0.5F * h)
                    continue;
                double g = slope_at(v, i, j, k);
                if (g < middle_slope) {
                    f += h * (float)g;
                    if (image == NULL || !at_border(v, (const int[3]){i, j, k}, (double)f + (double)h, image))
                        r[n++] = f;
                }
                if (f > largest) {
                    largest = f;
                    const double index[3] = {i, j, k};
                    volume_to_lps(v, index, m->centre_mm);
                }
            }
    qsort(r, n, sizeof *r, order_float);
    m->radius_mm[0] = n > 0 ? (double)r[n / 20] : (double)largest;
    m->radius_mm[1] = n > 0 ? (double)r[n / 2] : (double)largest;
    m->radius_mm[2] = (double)largest;
    free(r);
    return OK;
}

static int count_components(const volume *phi, measure *m) {
    int64_t *size = NULL;
    int32_t *label = malloc(volume_size(phi) * sizeof *label);
    int rc = label == NULL ? fail_memory("connected regions", (double)volume_size(phi) * sizeof *label)
                           : region_label(phi, -INFINITY, -1e-12, label, &m->components, &size);
    int64_t all = 0;
    for (int k = 0; rc == OK && k < m->components; k++)
        all += size[k];
    m->smaller_pieces_part = all > 0 ? 1 - (double)size[0] / (double)all : 0;
    free(size);
    free(label);
    return rc;
}

static void count_sheet(const surface *wall, int32_t at, double area_mm2, double *largest, measure *m) {
    m->sheets++;
    m->sheet_mm2 += 0.5 * area_mm2;
    if (area_mm2 > *largest)
        memcpy(m->sheet_mm, wall->point_mm + 3 * (size_t)at, sizeof m->sheet_mm);
    *largest = fmax(*largest, area_mm2);
}

/* Count cavities (pieces of the wall with negative volume) and sheets (pieces without volume). */
static int count_cavities(const surface *wall, measure *m) {
    /* A piece of the wall is a sheet if its volume is below `flat` times its area^(3/2) and its area above the fraction
     * least_part of the wall's area. Other pieces of negative volume are cavities. */
    const double flat = 1e-6, least_part = 1e-3;
    surface_pieces all;
    double largest = 0, largest_sheet = 0, normal[3];
    double *area_mm2 = calloc((size_t)wall->n_point + 1, sizeof *area_mm2);
    int rc;
    TRY(surface_pieces_find(wall, &all));
    if (!area_mm2)
        GIVE_UP(fail_memory("the pieces of a surface", 8.0 * (double)wall->n_point));
    for (int64_t t = 0; t < wall->n_triangle; t++)
        area_mm2[all.of[wall->triangle[3 * t]]] += surface_triangle_mm2(wall, t, normal);
    for (int32_t k = 0; k < all.n; k++) {
        const int32_t p = all.name[k];
        const double mm3 = all.volume_mm3[p], mm2 = area_mm2[p];
        if (mm2 > least_part * m->area_mm2 && fabs(mm3) < flat * mm2 * sqrt(mm2)) {
            count_sheet(wall, p, mm2, &largest_sheet, m);
            continue;
        }
        if (!(mm3 < 0))
            continue;
        m->cavities++;
        m->cavity_ml -= mm3 / 1000;
        if (mm3 < largest)
            memcpy(m->cavity_mm, wall->point_mm + 3 * (size_t)p, sizeof m->cavity_mm);
        largest = fmin(largest, mm3);
    }
cleanup:
    free(area_mm2);
    surface_pieces_free(&all);
    return rc;
}

/* Sides of the image to which the wall comes closer than 3/4 voxel. */
static unsigned touched_sides(const surface *wall, const volume *image) {
    unsigned touched = 0;
    for (int64_t p = 0; p < wall->n_point; p++) {
        double index[3];
        volume_to_index(image, wall->point_mm + 3 * p, index);
        for (int a = 0; a < 3; a++) {
            touched |= index[a] < 0.25 ? 1U << (2 * a) : 0;
            touched |= index[a] > image->dims[a] - 1.25 ? 2U << (2 * a) : 0;
        }
    }
    return touched;
}

int measure_lumen(const volume *phi, const surface *wall, const volume *image, measure *m) {
    int rc = OK;
    *m = (measure){0};
    m->volume_ml = surface_volume_mm3(wall) / 1000;
    m->area_mm2 = surface_area_mm2(wall);
    m->touched = image != NULL ? touched_sides(wall, image) : 0;
    TRY(measure_radii(phi, image, m));
    TRY(count_components(phi, m));
    TRY(count_cavities(wall, m));
cleanup:
    return rc;
}

int measure_narrow_radius(const centerline *lines, measure *m) {
    size_t n = 0, room = 1;
    for (int k = 0; k < lines->n_branch; k++)
        room += (size_t)lines->branch[k].n;
    float *r = malloc(room * sizeof *r);
    if (r == NULL)
        return fail_memory("the radii", (double)room * sizeof *r);
    for (int k = 0; k < lines->n_branch; k++)
        for (int i = 0; i < lines->branch[k].n; i++)
            if (lines->branch[k].point[i].own)
                r[n++] = (float)lines->branch[k].point[i].radius_mm;
    qsort(r, n, sizeof *r, order_float);
    if (n > 0)
        m->radius_mm[0] = fmin((double)r[n / 20], m->radius_mm[1]);
    free(r);
    return OK;
}

const char *measure_side_name(const volume *image, int bit) {
    static const char *const names[3][2] = {{"right", "left"}, {"anterior", "posterior"}, {"inferior", "superior"}};
    int axis = bit / 2, toward = 0;
    for (int a = 1; a < 3; a++)
        if (fabs(image->direction[3 * a + axis]) > fabs(image->direction[3 * toward + axis]))
            toward = a;
    bool up = image->direction[3 * toward + axis] > 0;
    return names[toward][(bit % 2 == 1) == up];
}
