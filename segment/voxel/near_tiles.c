/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/near_tiles.h"
#include "common/base/status.h"
#include "segment/voxel/smooth.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const int width[3] = {NEAR_X, NEAR_Y, NEAR_Z};
/* A Gaussian with a smaller standard deviation, in voxels, is not applied, as in grid_smooth() */
static const double least_sigma = 0.05;

static size_t tile_count(const near_tiles *t) {
    return (size_t)t->tiles[0] * (size_t)t->tiles[1] * (size_t)t->tiles[2];
}

static int tiles_create(const int tiles[3], near_tiles *out) {
    memcpy(out->tiles, tiles, sizeof out->tiles);
    out->on = calloc(tile_count(out), 1);
    return out->on != NULL ? OK : fail_memory("the tiles near a wall", (double)tile_count(out));
}

void near_tiles_free(near_tiles *t) {
    free(t->on);
    t->on = NULL;
}

/* Mark the tiles within `margin` voxels of the voxels of one row where |level| < reach. */
static void mark_row(const float *level, int n, float reach, int margin, uint8_t *on) {
    for (int i = 0; i < n; i++) {
        const int low = i > margin ? i - margin : 0, high = i + margin < n ? i + margin : n - 1;
        for (int t = low / NEAR_X; fabsf(level[i]) < reach && t <= high / NEAR_X; t++)
            on[t] = 1;
    }
}

int near_tiles_find(const volume *level, double reach, int margin, near_tiles *out) {
    int tiles[3];
    for (int a = 0; a < 3; a++)
        tiles[a] = (level->dims[a] + width[a] - 1) / width[a];
    const int rc = tiles_create(tiles, out), rows = rc == OK ? tiles[1] * tiles[2] : 0;
#pragma omp parallel for schedule(dynamic)
    for (int r = 0; r < rows; r++) {
        const int y = r % tiles[1] * NEAR_Y, z = r / tiles[1] * NEAR_Z;
        for (int k = z > margin ? z - margin : 0; k < z + NEAR_Z + margin && k < level->dims[2]; k++)
            for (int j = y > margin ? y - margin : 0; j < y + NEAR_Y + margin && j < level->dims[1]; j++)
                mark_row(level->value + volume_index(level, 0, j, k), level->dims[0], (float)reach, margin,
                         out->on + (size_t)r * (size_t)tiles[0]);
    }
    return rc;
}

/* Extend the tiles by `radius` voxels along one axis. */
static int widen_tiles(const near_tiles *t, int axis, int radius, near_tiles *out) {
    const int by = (radius + width[axis] - 1) / width[axis], n = t->tiles[axis];
    const size_t step = axis == 0 ? 1 : (size_t)t->tiles[0] * (axis == 2 ? (size_t)t->tiles[1] : 1);
    const int rc = tiles_create(t->tiles, out);
    for (size_t i = 0; rc == OK && i < tile_count(t); i++) {
        const int at = (int)(i / step % (size_t)n);
        for (int k = at > by ? -by : -at; t->on[i] && k <= by && at + k < n; k++)
            out->on[i + (size_t)((ptrdiff_t)k * (ptrdiff_t)step)] = 1;
    }
    return rc;
}

/* Finds the next run of tiles from tile *first on; tiles are `step` apart in memory and `edge` voxels wide. Merges runs
 * that are closer than the radius of the Gaussian. Out: voxels *first .. *end - 1 of n. Returns false if there is
 * none. */
static bool next_run(const uint8_t *on, size_t step, int tiles, int edge, int n, int radius, int *first, int *end) {
    int tile = *first, last = -1;
    while (tile < tiles && !on[(size_t)tile * step])
        tile++;
    if (tile >= tiles)
        return false;
    *first = tile * edge;
    for (int t = tile; t < tiles && (last < 0 || (t - last - 1) * edge < radius); t++)
        if (on[(size_t)t * step])
            last = t;
    *end = (last + 1) * edge < n ? (last + 1) * edge : n;
    return true;
}

typedef struct {
    const volume *from;
    volume *to;
    int axis, radius;
    const float *weight;
} pass;

/* Smooth the rows of voxels in one row of tiles along x. */
static void smooth_rows(const pass *p, const near_tiles *t, int row, float *line) {
    const int *dims = p->to->dims, y = row % t->tiles[1] * NEAR_Y, z = row / t->tiles[1] * NEAR_Z;
    const uint8_t *on = t->on + (size_t)row * (size_t)t->tiles[0];
    int first = 0, end = 0;
    while (next_run(on, 1, t->tiles[0], NEAR_X, dims[0], p->radius, &first, &end)) {
        for (int k = z; k < z + NEAR_Z && k < dims[2]; k++)
            for (int j = y; j < y + NEAR_Y && j < dims[1]; j++) {
                const size_t i = volume_index(p->to, 0, j, k);
                smooth_row(p->from->value + i, p->to->value + i, dims[0], first, end, p->weight, p->radius, line);
            }
        first = (end + NEAR_X - 1) / NEAR_X;
    }
}

/* Smooth the lines along y or z in one column of tiles. */
static void smooth_column(const pass *p, const near_tiles *t, int column, float *line) {
    const int *dims = p->to->dims, axis = p->axis, other = axis == 1 ? 2 : 1, edge = width[axis];
    const int tx = column % t->tiles[0], beside = column / t->tiles[0], x = tx * NEAR_X;
    const size_t along[3] = {1, (size_t)t->tiles[0], (size_t)t->tiles[0] * (size_t)t->tiles[1]};
    const size_t stride = (size_t)dims[0] * (axis == 2 ? (size_t)dims[1] : 1);
    const uint8_t *on = t->on + (size_t)beside * along[other] + (size_t)tx;
    const int count = dims[0] - x < NEAR_X ? dims[0] - x : NEAR_X;
    int first = 0, end = 0;
    while (next_run(on, along[axis], t->tiles[axis], edge, dims[axis], p->radius, &first, &end)) {
        for (int b = beside * width[other]; b < (beside + 1) * width[other] && b < dims[other]; b++) {
            const size_t i = axis == 1 ? volume_index(p->to, x, 0, b) : volume_index(p->to, x, b, 0);
            smooth_lines(p->from->value + i, p->to->value + i, stride, dims[axis], first, end, count, p->weight,
                         p->radius, line);
        }
        first = (end + edge - 1) / edge;
    }
}

static int smooth_axis(const volume *from, volume *to, int axis, double sigma, const near_tiles *t) {
    const int columns = axis == 0 ? t->tiles[1] * t->tiles[2] : t->tiles[0] * t->tiles[axis == 1 ? 2 : 1];
    /* without smoothing along this axis the values are copied */
    const bool none = !(sigma > least_sigma) || from->dims[axis] <= 1;
    pass p = {from, to, axis, none ? 0 : smooth_radius(sigma), NULL};
    float *weight = smooth_weights(none ? 1 : sigma, p.radius);
    const size_t room = ((size_t)from->dims[axis] + NEAR_X + 2 * (size_t)p.radius) * (axis == 0 ? 2 : SMOOTH_BLOCK);
    int rc = OK;
    p.weight = weight;
    if (weight == NULL)
        return fail_memory("smoothing", p.radius * (double)sizeof *weight);
#pragma omp parallel
    {
        float *line = malloc(room * sizeof *line);
        if (line == NULL) {
#pragma omp critical
            rc = fail_memory("smoothing", (double)room * sizeof *line);
        }
#pragma omp for schedule(dynamic)
        for (int c = 0; c < columns; c++)
            if (line != NULL)
                (axis == 0 ? smooth_rows : smooth_column)(&p, t, c, line);
        free(line);
    }
    free(weight);
    return rc;
}

int near_tiles_smooth(const volume *from, const double sigma_voxels[3], const near_tiles *t, volume *to) {
    near_tiles part[2] = {{.on = NULL}, {.on = NULL}}; /* part[a]: tiles that the filters along later axes read */
    int radius[3], rc = OK;
    for (int a = 0; a < 3; a++)
        radius[a] = sigma_voxels[a] > least_sigma && from->dims[a] > 1 ? smooth_radius(sigma_voxels[a]) : 0;
    TRY(widen_tiles(t, 2, radius[2], &part[1]));
    TRY(widen_tiles(&part[1], 1, radius[1], &part[0]));
    if (radius[0] > 0 || from != to)
        TRY(smooth_axis(from, to, 0, sigma_voxels[0], &part[0]));
    if (radius[1] > 0)
        TRY(smooth_axis(to, to, 1, sigma_voxels[1], &part[1]));
    if (radius[2] > 0)
        TRY(smooth_axis(to, to, 2, sigma_voxels[2], t));
cleanup:
    near_tiles_free(&part[0]);
    near_tiles_free(&part[1]);
    return rc;
}
