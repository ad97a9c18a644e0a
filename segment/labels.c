/* See labels.h. */
#include "segment/labels.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/surface/vtk_surface.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double blur_voxels = 1.3, feedback_voxels = 2, thick_ratio = 1.8;
static const double fine_voxels = 60e6; /* a refined grid may have so many */
static const double volume_close = 1e-3;
enum { MAX_ROUNDS = 10, MARGIN = 4 };

/* ---------------------------------------------------------------------------------------------- smoothing */

/* Crop to the vessel; the margin stays within the image, so a vessel that leaves it is not rounded off there. */
static int crop(const volume *mask, volume *out) {
    grid_box box = {{0}, {0}};
    uint8_t *set = malloc(volume_size(mask));
    if (set == NULL)
        return fail_memory("the mask", (double)volume_size(mask));
    for (size_t i = 0; i < volume_size(mask); i++)
        set[i] = mask->value[i] > 0;
    bool any = region_box(mask, set, &box);
    free(set);
    if (!any)
        return fail(ERR_INPUT, "the mask is empty");
    grid_box_grow(&box, (int[3]){MARGIN, MARGIN, MARGIN}, mask);
    return grid_crop(mask, &box, 0, out);
}

static void choose_parts(const volume *v, int parts[3]) {
    double least = fmin(v->spacing_mm[0], fmin(v->spacing_mm[1], v->spacing_mm[2]));
    grid_parts(v, least / 2, parts);
    if ((double)volume_size(v) * parts[0] * parts[1] * parts[2] > fine_voxels)
        grid_parts(v, least, parts);
}

static double difference(const volume *v, int i, int j, int k, int axis) {
    int low[3] = {i, j, k}, high[3] = {i, j, k};
    low[axis] -= low[axis] > 0;
    high[axis] += high[axis] < v->dims[axis] - 1;
    int n = high[axis] - low[axis];
    return n == 0 ? 0
                  : ((double)v->value[volume_index(v, high[0], high[1], high[2])] -
                     (double)v->value[volume_index(v, low[0], low[1], low[2])]) /
                        n;
}

/* Part of a fine cell on the inner side of u = 0, from a plane through the cell. */
static double occupancy(const volume *u, int i, int j, int k) {
    double width = 1e-9;
    for (int a = 0; a < 3; a++)
        width += fabs(difference(u, i, j, k, a));
    return fmin(1, fmax(0, 0.5 - (double)u->value[volume_index(u, i, j, k)] / width));
}

/* out = m - (mean occupancy of the fine cells of u in each voxel of m); returns its sum over the sum of m. */
static double residual(const volume *u, const volume *m, const int parts[3], volume *out) {
    double sum = 0, total = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, total)
    for (int k = 0; k < m->dims[2]; k++)
        for (int j = 0; j < m->dims[1]; j++)
            for (int i = 0; i < m->dims[0]; i++) {
                size_t at = volume_index(m, i, j, k);
                double part = 0;
                for (int z = k * parts[2]; z < (k + 1) * parts[2]; z++)
                    for (int y = j * parts[1]; y < (j + 1) * parts[1]; y++)
                        for (int x = i * parts[0]; x < (i + 1) * parts[0]; x++)
                            part += occupancy(u, x, y, z);
                part /= (double)parts[0] * parts[1] * parts[2];
                out->value[at] = (float)((double)m->value[at] - part);
                sum += (double)m->value[at] - part;
                total += (double)m->value[at];
            }
    return sum / total;
}

/* Feed the volume that is missing at the scale of the blur back into u. */
static int feed_back(const volume *m, const labels_report *p, volume *u) {
    volume r = {0}, fine = {0};
    const double sigma[3] = {feedback_voxels, feedback_voxels, feedback_voxels};
    double least = fmin(m->spacing_mm[0], fmin(m->spacing_mm[1], m->spacing_mm[2]));
    double gain = 0.7 * sqrt(2 * M_PI) * feedback_voxels * least;
    int rc = OK;
    TRY(volume_create_like(&r, m));
    for (int round = 0; round < MAX_ROUNDS; round++) {
        double missing = residual(u, m, p->parts, &r);
        message_debug("labels: round %d, volume off by %.3f %%", round, -100 * missing);
        if (round > 3 && fabs(missing) < volume_close)
            break;
        TRY(grid_smooth(&r, sigma));
        TRY(grid_refine(&r, p->parts, true, &fine));
        for (size_t i = 0; i < volume_size(u); i++)
            u->value[i] -= (float)gain * fine.value[i];
        volume_free(&fine);
    }
cleanup:
    volume_free(&r);
    volume_free(&fine);
    return rc;
}

static int count_pieces(const volume *m, int *pieces) {
    int64_t *size = NULL;
    int32_t *label = malloc(volume_size(m) * sizeof *label);
    int rc = label == NULL ? fail_memory("the mask", (double)volume_size(m) * sizeof *label)
                           : region_label(m, 0.5, 2, label, pieces, &size);
    free(size);
    free(label);
    return rc;
}

/* Chords of triangles and the last rounds leave a percent in thin vessels: shift the level so that the surface holds
 * `mm3` (secant steps; the shift is a few hundredths of a voxel). */
static int match_volume(volume *u, double mm3) {
    double shift = 0, step = -0.01, before = 0;
    size_t n = volume_size(u);
    int rc = OK;
    for (int round = 0; round < 4 && rc == OK; round++) {
        surface wall = {0};
        rc = surface_from_phi(u, &wall);
        double now = rc == OK ? surface_volume_mm3(&wall) : 0;
        surface_free(&wall);
        message_debug("labels: shift %.4f, volume off by %.3f %%", shift, 100 * (now / mm3 - 1));
        if (rc != OK || fabs(now / mm3 - 1) < volume_close)
            break;
        if (round > 0 && fabs(now - before) > 1e-6 * mm3)
            step *= (mm3 - now) / (now - before);
        else if (now > mm3)
            step = -step;
        step = fmax(-0.1, fmin(0.1, step));
        for (size_t i = 0; i < n; i++)
            u->value[i] += (float)step;
        shift += step;
        before = now;
    }
    return rc;
}

/* Axes along which voxels are thin; a single thick axis is interpolated between slices. */
static void find_thin(const volume *v, bool thin[3]) {
    double least = fmin(v->spacing_mm[0], fmin(v->spacing_mm[1], v->spacing_mm[2]));
    int n_thick = 0;
    for (int a = 0; a < 3; a++) {
        thin[a] = v->spacing_mm[a] < thick_ratio * least;
        n_thick += !thin[a];
    }
    for (int a = 0; a < 3 && n_thick > 1; a++)
        thin[a] = true;
}

/* u: distance to the mask's border (within each slice where slices are thick), between voxels by cubics, blurred. */
static int start_level(const volume *small, const labels_report *p, volume *u) {
    int rc = OK;
    bool thin[3];
    volume d = {0};
    double sigma[3], least = fmin(small->spacing_mm[0], fmin(small->spacing_mm[1], small->spacing_mm[2]));
    double most = fmax(small->spacing_mm[0], fmax(small->spacing_mm[1], small->spacing_mm[2]));
    find_thin(small, thin);
    TRY(mask_distance(small, thin, 2 * most + 2 * least, &d));
    TRY(grid_refine(&d, p->parts, true, u));
    for (int a = 0; a < 3; a++)
        sigma[a] = blur_voxels * (thin[a] ? small->spacing_mm[a] : least) / u->spacing_mm[a];
    TRY(grid_smooth(u, sigma));
cleanup:
    volume_free(&d);
    return rc;
}

int labels_to_level(const volume *mask, volume *level, labels_report *report) {
    int rc = OK;
    volume small = {0};
    double cell = mask->spacing_mm[0] * mask->spacing_mm[1] * mask->spacing_mm[2], voxels = 0;
    for (size_t i = 0; i < volume_size(mask); i++)
        voxels += (double)mask->value[i];
    report->mask_ml = voxels * cell / 1000;
    report->blur_voxels = blur_voxels;
    TRY(crop(mask, &small));
    TRY(count_pieces(&small, &report->pieces));
    choose_parts(&small, report->parts);
    TRY(start_level(&small, report, level));
    TRY(feed_back(&small, report, level));
    TRY(match_volume(level, voxels * cell));
cleanup:
    volume_free(&small);
    if (rc != OK)
        volume_free(level);
    return rc;
}
