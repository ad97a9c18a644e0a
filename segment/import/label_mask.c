/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/import/label_mask.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/import/import_constants.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- smoothing */

/* Crop to the vessel. The margin stays inside the image, so a vessel that leaves the image is not rounded off at its
 * border. */
static int crop_mask(const volume *mask, volume *out) {
    grid_box box = {{0}, {0}};
    uint8_t *set = malloc(volume_size(mask));
    if (set == NULL)
        return fail_memory("the mask", (double)volume_size(mask));
    for (size_t i = 0; i < volume_size(mask); i++)
        set[i] = mask->value[i] > 0;
    bool any = region_bounding_box(mask, set, &box);
    free(set);
    if (!any)
        return fail(ERR_INPUT, "the mask is empty: no voxel has a value above 0; check the file and the label");
    grid_box_grow(&box, (int[3]){MASK_MARGIN, MASK_MARGIN, MASK_MARGIN}, mask);
    return grid_crop(mask, &box, 0, out);
}

static void choose_parts(const volume *v, int parts[3]) {
    double least = volume_thinnest_mm(v);
    grid_count_parts(v, least / 2, parts);
    if ((double)volume_size(v) * parts[0] * parts[1] * parts[2] > FINE_VOXELS)
        grid_count_parts(v, least, parts);
}

static double central_difference(const volume *v, int i, int j, int k, int axis) {
    int low[3] = {i, j, k}, high[3] = {i, j, k};
    low[axis] -= low[axis] > 0;
    high[axis] += high[axis] < v->dims[axis] - 1;
    int n = high[axis] - low[axis];
    return n == 0 ? 0
                  : ((double)v->value[volume_index(v, high[0], high[1], high[2])] -
                     (double)v->value[volume_index(v, low[0], low[1], low[2])]) /
                        n;
}

/* Returns the part of a voxel of u where u < 0; u is approximated by a plane through the voxel. */
static double voxel_occupancy(const volume *u, int i, int j, int k) {
    double width = 1e-9;
    for (int a = 0; a < 3; a++)
        width += fabs(central_difference(u, i, j, k, a));
    return fmin(1, fmax(0, 0.5 - (double)u->value[volume_index(u, i, j, k)] / width));
}

/* Blocks of BLOCK^3 voxels of a mask. A round of the volume correction changes only the blocks near the wall. */
typedef struct {
    int along[3]; /* number of blocks along each axis */
    size_t n;
    uint8_t *changed; /* [n] 1: the last round changed the level in this block, owned */
} block_list;

static int blocks_create(const volume *m, block_list *b) {
    b->n = 1;
    for (int a = 0; a < 3; a++) {
        b->along[a] = (m->dims[a] + BLOCK - 1) / BLOCK;
        b->n *= (size_t)b->along[a];
    }
    b->changed = malloc(b->n);
    if (b->changed == NULL)
        return fail_memory("the mask", (double)b->n);
    memset(b->changed, 1, b->n);
    return OK;
}

/* The voxels of block number n. */
static grid_box block_box(const block_list *b, const volume *m, size_t n) {
    const size_t x = (size_t)b->along[0], y = (size_t)b->along[1];
    const int at[3] = {(int)(n % x), (int)(n / x % y), (int)(n / x / y)};
    grid_box box;
    for (int a = 0; a < 3; a++) {
        box.low[a] = at[a] * BLOCK;
        box.high[a] = (at[a] + 1) * BLOCK < m->dims[a] ? (at[a] + 1) * BLOCK - 1 : m->dims[a] - 1;
    }
    return box;
}

/* True if the last round changed the level in block n or next to it. */
static bool is_near_change(const block_list *b, size_t n) {
    const int nx = b->along[0], ny = b->along[1], at[3] = {(int)n % nx, (int)n / nx % ny, (int)n / nx / ny};
    for (int k = 0; k < 27; k++) {
        const int to[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
        bool inside = true;
        for (int a = 0; a < 3; a++)
            inside = inside && to[a] >= 0 && to[a] < b->along[a];
        if (inside && b->changed[((size_t)to[2] * (size_t)ny + (size_t)to[1]) * (size_t)nx + (size_t)to[0]])
            return true;
    }
    return false;
}

/* Sets out = m - mean occupancy of the voxels of u in each voxel of a box of the mask m. */
static void box_residual(const volume *u, const volume *m, const int parts[3], const grid_box *box, volume *out) {
    for (int k = box->low[2]; k <= box->high[2]; k++)
        for (int j = box->low[1]; j <= box->high[1]; j++)
            for (int i = box->low[0]; i <= box->high[0]; i++) {
                const size_t at = volume_index(m, i, j, k);
                double part = 0;
                for (int z = k * parts[2]; z < (k + 1) * parts[2]; z++)
                    for (int y = j * parts[1]; y < (j + 1) * parts[1]; y++)
                        for (int x = i * parts[0]; x < (i + 1) * parts[0]; x++)
                            part += voxel_occupancy(u, x, y, z);
                part /= (double)parts[0] * parts[1] * parts[2];
                out->value[at] = (float)((double)m->value[at] - part);
            }
}

/* Updates out = m - mean occupancy of u near the changed blocks. Returns the sum of out over the sum of m. */
static double volume_residual(const volume *u, const volume *m, const int parts[3], const block_list *b, volume *out) {
    const size_t size = volume_size(m);
    double sum = 0, total = 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t n = 0; n < b->n; n++) {
        const grid_box box = block_box(b, m, n);
        if (is_near_change(b, n))
            box_residual(u, m, parts, &box, out);
    }
#pragma omp parallel for schedule(static) reduction(+ : sum, total)
    for (size_t i = 0; i < size; i++) {
        sum += (double)out->value[i];
        total += (double)m->value[i];
    }
    return sum / total;
}

/* Subtracts `step` times the refined r from u in one box of voxels of r. *changed: r is not 0 there. */
static int subtract_refined(const volume *r, const grid_box *box, const int parts[3], float step, volume *u,
                            uint8_t *changed) {
    const int reach[3] = {2, 2, 2}; /* of the cubic interpolation */
    volume near = {0}, fine = {0};
    grid_box wide = *box;
    int rc = OK, first[3], end[3];
    grid_box_grow(&wide, reach, r);
    TRY(grid_crop(r, &wide, 0, &near));
    *changed = 0;
    for (size_t i = 0; i < volume_size(&near); i++)
        *changed |= near.value[i] != 0;
    if (!*changed)
        goto cleanup;
    TRY(grid_refine(&near, parts, true, &fine));
    for (int a = 0; a < 3; a++) {
        first[a] = (box->low[a] - wide.low[a]) * parts[a];
        end[a] = first[a] + (box->high[a] - box->low[a] + 1) * parts[a];
    }
    for (int k = first[2]; k < end[2]; k++)
        for (int j = first[1]; j < end[1]; j++) {
            const float *from = fine.value + volume_index(&fine, 0, j, k);
            float *to = u->value + volume_index(u, box->low[0] * parts[0], j - first[1] + box->low[1] * parts[1],
                                                k - first[2] + box->low[2] * parts[2]);
            for (int i = first[0]; i < end[0]; i++)
                to[i - first[0]] -= step * from[i];
        }
cleanup:
    volume_free(&near);
    volume_free(&fine);
    return rc;
}

static int subtract_all(const volume *r, const int parts[3], float step, block_list *b, volume *u) {
    int rc = OK;
#pragma omp parallel for schedule(dynamic)
    for (size_t n = 0; n < b->n; n++) {
        const grid_box box = block_box(b, r, n);
        if (subtract_refined(r, &box, parts, step, u, &b->changed[n]) != OK) {
#pragma omp atomic write
            rc = ERR_RESOURCE;
        }
    }
    return rc;
}

/* Correct the level set u in rounds, until the volume that it encloses matches the mask at the scale of the blur. */
static int correct_volume(const volume *m, const label_mask_report *p, volume *u) {
    volume r = {0}, smooth = {0};
    block_list blocks = {.changed = NULL};
    const double sigma[3] = {CORRECTION_SIGMA, CORRECTION_SIGMA, CORRECTION_SIGMA};
    double least = volume_thinnest_mm(m);
    double step_mm = 0.7 * sqrt(2 * M_PI) * CORRECTION_SIGMA * least;
    int rc = OK;
    TRY(volume_create_like(&r, m));
    TRY(blocks_create(m, &blocks));
    for (int round = 0; round < CORRECTION_ROUNDS; round++) {
        double missing = volume_residual(u, m, p->parts, &blocks, &r);
        message_debug("labels: correction round %d: the volume within the wall differs from the mask by %.3f %%", round,
                      -100 * missing);
        if (round > 3 && fabs(missing) < VOLUME_TOLERANCE)
            break;
        TRY(volume_copy(&smooth, &r));
        TRY(grid_smooth(&smooth, sigma));
        TRY(subtract_all(&smooth, p->parts, (float)step_mm, &blocks, u));
        volume_free(&smooth);
    }
cleanup:
    free(blocks.changed);
    volume_free(&r);
    volume_free(&smooth);
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

/* Shifts the level, by a few hundredths of a voxel, until its surface encloses the volume `mm3` (secant method).
 * Without the shift the surface of a thin vessel would lose about 1 % of the volume, because its triangles are flat. */
static int match_volume(volume *u, double mm3) {
    double shift = 0, step = -0.01, before = 0;
    size_t n = volume_size(u);
    int rc = OK;
    for (int round = 0; round < 4 && rc == OK; round++) {
        surface wall = {0};
        rc = surface_from_phi(u, &wall);
        double now = rc == OK ? surface_volume_mm3(&wall) : 0;
        surface_free(&wall);
        if (rc != OK)
            break;
        message_debug("labels: level shifted by %.4f mm: the volume within the wall differs from the mask by %.3f %%",
                      shift, 100 * (now / mm3 - 1));
        if (fabs(now / mm3 - 1) < VOLUME_TOLERANCE)
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

/* Axis across thick slices, along which distances are interpolated; -1: no axis or several axes are thick. */
static int thick_axis(const volume *v) {
    double least = volume_thinnest_mm(v);
    int n_thick = 0, thick = -1;
    for (int a = 0; a < 3; a++)
        if (v->spacing_mm[a] >= THICK_RATIO * least)
            thick = a, n_thick++;
    return n_thick == 1 ? thick : -1;
}

/* True if no neighbour's inscribed disc contains the voxel's inscribed disc: the voxel is then on the medial line. */
static bool is_medial(const volume *d, const int at[3], int x, int y) {
    const double here = (double)d->value[volume_index(d, at[0], at[1], at[2])];
    for (int n = 0; n < 4; n++) {
        const int axis = n < 2 ? x : y;
        int to[3] = {at[0], at[1], at[2]};
        to[axis] += n % 2 ? 1 : -1;
        if (to[axis] < 0 || to[axis] >= d->dims[axis])
            continue;
        if ((double)d->value[volume_index(d, to[0], to[1], to[2])] < here - 0.7 * d->spacing_mm[axis])
            return false;
    }
    return true;
}

/* Radius of the vessel's section in its slice (largest inscribed disc, mm), for voxels up to one radius beyond the rim;
 * 0 elsewhere. d: distances within slices. */
static int section_radii(const volume *d, int thick, volume *wide) {
    const int x = (thick + 1) % 3, y = (thick + 2) % 3;
    const double hx = d->spacing_mm[x], hy = d->spacing_mm[y];
    const int rc = volume_create_like(wide, d);
    if (rc != OK)
        return rc;
#pragma omp parallel for schedule(dynamic)
    for (int slice = 0; slice < d->dims[thick]; slice++)
        for (int n = 0; n < d->dims[x] * d->dims[y]; n++) {
            int at[3];
            at[thick] = slice, at[x] = n % d->dims[x], at[y] = n / d->dims[x];
            const int cx = at[x], cy = at[y];
            const double r = -(double)d->value[volume_index(d, at[0], at[1], at[2])], reach = BEYOND_RADII * r;
            const int rx = (int)(reach / hx), ry = (int)(reach / hy);
            if (r <= 0 || !is_medial(d, at, x, y))
                continue;
            for (at[y] = cy > ry ? cy - ry : 0; at[y] <= cy + ry && at[y] < d->dims[y]; at[y]++)
                for (at[x] = cx > rx ? cx - rx : 0; at[x] <= cx + rx && at[x] < d->dims[x]; at[x]++) {
                    float *w = &wide->value[volume_index(d, at[0], at[1], at[2])];
                    const double ax = (at[x] - cx) * hx, ay = (at[y] - cy) * hy;
                    if (ax * ax + ay * ay <= reach * reach)
                        *w = fmaxf(*w, (float)r);
                }
        }
    return OK;
}

/* Distance s slices beyond the last slice of a vessel (s: 1 or 2). It is the distance in the last slice, mirrored, so
 * the wall is half-way to the next slice; at least RIM_PART of the radius. */
static double mirrored_distance(double distance, double radius, int s) {
    return fmax(RIM_PART * radius, distance < 0 ? (1 - 2 * s) * distance : distance);
}

/* Mirrors distances beyond the last slice of a vessel, and above and below a vessel that runs along the slices. The
 * distance within the slices there belongs to another structure. It would put the wall just above the last slice, and
 * the volume correction would thicken the vessel instead. The weight of the mirrored distance grows from 0, where the
 * distance within the slice is one radius, to 1 at two radii. */
static int mirror_ends(int thick, double limit_mm, volume *d) {
    size_t stride = 1;
    volume wide = {0}, from = {0};
    int rc = OK;
    for (int a = 0; a < thick; a++)
        stride *= (size_t)d->dims[a];
    TRY(section_radii(d, thick, &wide));
    TRY(volume_copy(&from, d));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < volume_size(d); i++) {
        const int slice = (int)(i / stride % (size_t)d->dims[thick]);
        const double here = (double)from.value[i];
        double least = fmin(here, limit_mm);
        for (int n = 0; n < 4 && here > 0; n++) { /* one slice below, one above, two below, two above */
            const int s = 1 + n / 2, to = slice + (n % 2 ? s : -s);
            if (to < 0 || to >= d->dims[thick])
                continue;
            const size_t there = n % 2 ? i + (size_t)s * stride : i - (size_t)s * stride;
            const double radius = (double)wide.value[there];
            if (radius <= 0)
                continue;
            const double part = fmin(1, fmax(0, here / radius - 1));
            least = fmin(least, part * mirrored_distance((double)from.value[there], radius, s) + (1 - part) * here);
        }
        d->value[i] = (float)least;
    }
cleanup:
    volume_free(&wide);
    volume_free(&from);
    return rc;
}

/* Computes the distance to the mask's border (within slices if they are thick), with cubic interpolation to the fine
 * grid and a blur of sigma_voxels. near_only: the distance is limited to a few voxels, which a level set needs only. */
static int initial_level(const volume *small, const int parts[3], double sigma_voxels, bool near_only, volume *u) {
    int rc = OK;
    const int thick = thick_axis(small);
    volume d = {0};
    double sigma[3], least = volume_thinnest_mm(small);
    double most = volume_thickest_mm(small);
    const double limit_mm = 2 * most + 2 * least;
    TRY(mask_distance(small, (const bool[3]){thick != 0, thick != 1, thick != 2},
                      thick < 0 && near_only ? limit_mm : FAR_MM, &d));
    if (thick >= 0)
        TRY(mirror_ends(thick, limit_mm, &d));
    TRY(grid_refine(&d, parts, true, u));
    for (int a = 0; a < 3; a++)
        sigma[a] = sigma_voxels * (a == thick ? least : small->spacing_mm[a]) / u->spacing_mm[a];
    TRY(grid_smooth(u, sigma));
cleanup:
    volume_free(&d);
    return rc;
}

int label_mask_to_level_set(const volume *mask, volume *level, label_mask_report *report) {
    int rc = OK;
    volume small = {0};
    double voxel_mm3 = mask->spacing_mm[0] * mask->spacing_mm[1] * mask->spacing_mm[2], voxels = 0;
    for (size_t i = 0; i < volume_size(mask); i++)
        voxels += (double)mask->value[i];
    report->mask_ml = voxels * voxel_mm3 / 1000;
    report->blur_voxels = MASK_SIGMA;
    TRY(crop_mask(mask, &small));
    TRY(count_pieces(&small, &report->pieces));
    choose_parts(&small, report->parts);
    TRY(initial_level(&small, report->parts, MASK_SIGMA, true, level));
    TRY(correct_volume(&small, report, level));
    TRY(match_volume(level, voxels * voxel_mm3));
cleanup:
    volume_free(&small);
    if (rc != OK)
        volume_free(level);
    return rc;
}

int label_mask_to_distance(const volume *mask, volume *phi) {
    label_mask_report report = {0};
    int rc = OK;
    volume small = {0};
    TRY(crop_mask(mask, &small));
    grid_count_parts(&small, volume_thinnest_mm(&small), report.parts);
    const bool cubes = report.parts[0] * report.parts[1] * report.parts[2] == 1;
    TRY(initial_level(&small, report.parts, cubes ? 0 : MASK_SIGMA, false, phi));
    if (!cubes)
        TRY(correct_volume(&small, &report, phi));
cleanup:
    volume_free(&small);
    if (rc != OK)
        volume_free(phi);
    return rc;
}
