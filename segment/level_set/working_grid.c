/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/level_set/working_grid.h"
#include "common/base/status.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/vessel/vessel_region.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void working_grid_free(front_grid *g) {
    volume_free(&g->denoised);
    volume_free(&g->evened);
    volume_free(&g->seen);
    free(g->seed);
    g->seed = NULL;
}

void working_grid_place_points(const volume *v, int n, const double (*at_mm)[3], int (*out)[3]) {
    for (int k = 0; k < n; k++) {
        double index[3];
        volume_to_index(v, at_mm[k], index);
        for (int a = 0; a < 3; a++)
            out[k][a] = (int)fmin(v->dims[a] - 1, fmax(0, floor(index[a] + 0.5)));
    }
}

int working_grid_place_seeds(const volume *v, const front_seeds *s, int (**out)[3]) {
    *out = malloc((size_t)s->n * sizeof **out);
    if (*out == NULL)
        return fail_memory("the seeds", s->n * (double)sizeof **out);
    working_grid_place_points(v, s->n, s->at_mm, *out);
    return OK;
}

static double count_refined(const volume *v, const int parts[3]) {
    return (double)volume_size(v) * parts[0] * parts[1] * parts[2];
}

/* Box of the extent and the seeds, with a margin. It reaches GRID_PAD voxels beyond the image where the vessel reaches
 * the border. */
static int find_box(const volume *image, const front_seeds *s, const front_extent *e, front_grid *g) {
    int rc = OK;
    int(*start)[3] = NULL;
    grid_box *box = &g->box;
    TRY(working_grid_place_seeds(image, s, &start));
    if (e->tube.n > 0)
        vessel_region_box(&e->tube, image, box);
    else
        region_bounding_box(image, e->region.mask, box);
    for (int k = 0; k < s->n; k++)
        for (int a = 0; a < 3; a++) {
            box->low[a] = start[k][a] < box->low[a] ? start[k][a] : box->low[a];
            box->high[a] = start[k][a] > box->high[a] ? start[k][a] : box->high[a];
        }
    grid_box_grow(
        box,
        (int[3]){GRID_MARGIN + g->extra_margin[0], GRID_MARGIN + g->extra_margin[1], GRID_MARGIN + g->extra_margin[2]},
        image);
    grid_box_grow(box, (int[3]){GRID_PAD, GRID_PAD, GRID_PAD}, NULL);
    for (int a = 0; a < 3; a++) {
        g->ends[a][0] = box->low[a] <= -GRID_PAD;
        g->ends[a][1] = box->high[a] >= image->dims[a] - 1 + GRID_PAD;
    }
cleanup:
    free(start);
    return rc;
}

/* Choose g->parts, the number of voxels of the grid in an image voxel along each axis. They are cubes as wide as the
 * thinnest side of an image voxel, or half as wide where a vessel is narrow and the box is small. */
static int choose_parts(const front_seeds *s, const volume *small, front_grid *g) {
    int *parts = g->parts;
    const double least = g->thin_mm, slices = g->thick_mm / least;
    bool narrow = s->bright.narrow_mm < NARROW_VOXELS * fmin(1, USUAL_SLICES / slices) * least;
    grid_count_parts(small, least / 2, parts);
    g->can_halve = narrow && count_refined(small, parts) > SMALL_VOXELS;
    if (!narrow || g->can_halve)
        grid_count_parts(small, least, parts);
    if (count_refined(small, parts) > MOST_VOXELS)
        parts[0] = parts[1] = parts[2] = 1;
    if (count_refined(small, parts) > MOST_VOXELS)
        return fail(ERR_RESOURCE,
                    "the region of the seeds has %.0f million voxels, the limit is %.0f million; crop the image",
                    count_refined(small, parts) * 1e-6, MOST_VOXELS * 1e-6);
    return OK;
}

int working_grid_make(const volume *image, const front_seeds *s, const front_extent *e, front_grid *g) {
    int rc = OK;
    volume small = {0};
    working_grid_free(g);
    memcpy(g->voxel_mm, image->spacing_mm, sizeof g->voxel_mm);
    g->thin_mm = volume_thinnest_mm(image);
    g->thick_mm = volume_thickest_mm(image);
    TRY(find_box(image, s, e, g));
    TRY(grid_crop(image, &g->box, NAN, &small));
    TRY(choose_parts(s, &small, g));
    TRY(grid_refine(&small, g->parts, true, &g->denoised));
    g->spacing_mm = cbrt(g->denoised.spacing_mm[0] * g->denoised.spacing_mm[1] * g->denoised.spacing_mm[2]);
    TRY(working_grid_place_seeds(&g->denoised, s, &g->seed));
    for (size_t i = 0; i < volume_size(&g->denoised) && s->sign != 1; i++)
        g->denoised.value[i] *= (float)s->sign;
    region_growing_even(&e->region, &s->bright, &g->denoised);
    TRY(volume_copy(&g->evened, &g->denoised));
cleanup:
    volume_free(&small);
    return rc;
}

/* Locates voxel i of the grid along an axis. `at`: the two image voxels around it. Returns the position between them, 0
 * to 1. */
static double locate_between_voxels(const volume *image, const front_grid *g, int axis, int i, int at[2]) {
    const double x = g->box.low[axis] + (i + 0.5) / g->parts[axis] - 0.5, low = floor(x);
    const int last = image->dims[axis] - 1;
    at[0] = (int)fmin(last, fmax(0, low));
    at[1] = (int)fmin(last, fmax(0, low + 1));
    return x - low;
}

/* Computes one row of voxels of the grid into `out`, by linear interpolation between the four surrounding rows of image
 * voxels with the given weights. */
static void reached_row(const volume *image, const front_grid *g, const uint8_t *const row[4], const double weight[4],
                        int n, float *out) {
    for (int i = 0; i < n; i++) {
        int at[2];
        double sum = 0;
        const double x = locate_between_voxels(image, g, 0, i, at);
        for (int r = 0; r < 4; r++)
            sum += weight[r] * ((1 - x) * row[r][at[0]] + x * row[r][at[1]]);
        out[i] = (float)sum;
    }
}

int working_grid_region(const volume *image, const front_extent *e, const front_grid *g, volume *out) {
    const int rc = volume_create_like(out, &g->denoised), rows = rc == OK ? out->dims[1] * out->dims[2] : 0;
    const size_t length = (size_t)image->dims[0];
#pragma omp parallel for schedule(static)
    for (int r = 0; r < rows; r++) {
        int y[2], z[2];
        const int j = r % out->dims[1], k = r / out->dims[1];
        const double v = locate_between_voxels(image, g, 1, j, y), u = locate_between_voxels(image, g, 2, k, z);
        const uint8_t *row[4];
        for (int n = 0; n < 4; n++)
            row[n] = e->region.mask + volume_index(image, 0, y[n % 2], z[n / 2]);
        bool any = false;
        for (int n = 0; n < 4 && !any; n++)
            any = memchr(row[n], 1, length) != NULL;
        if (any)
            reached_row(image, g, row, (const double[4]){(1 - u) * (1 - v), (1 - u) * v, u * (1 - v), u * v},
                        out->dims[0], out->value + volume_index(out, 0, j, k));
    }
    return rc;
}

int working_grid_halve_level(volume *level) {
    static const int two[3] = {2, 2, 2};
    volume halved = {0};
    const int rc = grid_refine(level, two, true, &halved);
    if (rc != OK)
        return rc;
    volume_free(level);
    *level = halved;
    for (size_t i = 0; i < volume_size(level); i++)
        level->value[i] *= 2;
    return OK;
}

int working_grid_halve(const front_seeds *s, front_grid *g, volume *level) {
    static const int two[3] = {2, 2, 2};
    volume image = {0};
    int rc = OK;
    if (!g->can_halve || count_refined(level, two) > HALVED_VOXELS)
        return OK;
    TRY(grid_refine(&g->evened, two, true, &image));
    TRY(working_grid_halve_level(level));
    volume_free(&g->evened);
    g->evened = image;
    memset(&image, 0, sizeof image);
    g->spacing_mm /= 2;
    for (int a = 0; a < 3; a++)
        g->parts[a] *= 2;
    free(g->seed);
    g->seed = NULL;
    TRY(working_grid_place_seeds(&g->evened, s, &g->seed));
cleanup:
    volume_free(&image);
    return rc;
}

int working_grid_crop(const front_grid *g, volume *level) {
    volume whole = *level;
    grid_box box;
    for (int a = 0; a < 3; a++) {
        box.low[a] = GRID_PAD * g->parts[a];
        box.high[a] = whole.dims[a] - 1 - GRID_PAD * g->parts[a];
    }
    memset(level, 0, sizeof *level);
    int rc = grid_crop(&whole, &box, 0, level);
    volume_free(&whole);
    return rc;
}

bool working_grid_reaches_side(const front_grid *g, const volume *level, int axes[3], double place_mm[3]) {
    bool reaches = false;
    memset(axes, 0, 3 * sizeof *axes);
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                const int at[3] = {i, j, k};
                if (level->value[volume_index(level, i, j, k)] > 0)
                    continue;
                for (int a = 0; a < 3; a++) {
                    const bool low = at[a] <= g->parts[a] && !g->ends[a][0];
                    const bool high = at[a] >= level->dims[a] - 1 - g->parts[a] && !g->ends[a][1];
                    if (!low && !high)
                        continue;
                    if (!reaches)
                        volume_to_lps(level, (const double[3]){i, j, k}, place_mm);
                    reaches = true;
                    axes[a] = 1;
                }
            }
    return reaches;
}

bool working_grid_needs_room(front_grid *g, const volume *level) {
    int axes[3];
    double place_mm[3];
    const bool needs = working_grid_reaches_side(g, level, axes, place_mm);
    for (int a = 0; a < 3; a++)
        g->extra_margin[a] += axes[a] * GRID_ROOM;
    return needs;
}
