/* SPDX-License-Identifier: Apache-2.0 */
/* See lumen_grid.h. */
#include "common/centerline/lumen_grid.h"
#include "common/base/status.h"
#include "common/base/union_find.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run of outside voxels in one row: voxels `from` to `to`. */
typedef struct {
    int32_t from, to;
} run;

typedef struct {
    run *list;
    int32_t *parent; /* union-find of the runs */
    int32_t n, room;
    int32_t *first; /* [rows + 1] first run of each row */
} run_list;

void lumen_grid_free(lumen_grid *g) {
    free(g->inside);
    free(g->depth_mm);
    free(g->voxel);
    memset(g, 0, sizeof *g);
}

size_t lumen_grid_size(const lumen_grid *g) {
    return (size_t)g->dims[0] * (size_t)g->dims[1] * (size_t)g->dims[2];
}

void lumen_grid_index(const lumen_grid *g, size_t voxel, double index[3]) {
    const size_t nx = (size_t)g->dims[0], ny = (size_t)g->dims[1];
    index[0] = (double)(voxel % nx) + g->low[0];
    index[1] = (double)(voxel / nx % ny) + g->low[1];
    index[2] = (double)(voxel / nx / ny) + g->low[2];
}

static int add_run(run_list *r, int32_t from, int32_t to) {
    if (r->n == r->room) {
        if (r->room > INT32_MAX / 2)
            return fail(ERR_RESOURCE,
                        "the image is too large to find centerlines: its rows have more than 2^30 stretches "
                        "outside the lumen; give a coarser image");
        r->room = r->room > 0 ? 2 * r->room : 1 << 16;
        run *list = realloc(r->list, (size_t)r->room * sizeof *list);
        if (list != NULL)
            r->list = list;
        int32_t *parent = realloc(r->parent, (size_t)r->room * sizeof *parent);
        if (parent != NULL)
            r->parent = parent;
        if (list == NULL || parent == NULL)
            return fail_memory("the cavities of the lumen", r->room * (double)sizeof *list);
    }
    r->list[r->n] = (run){from, to};
    r->parent[r->n] = r->n;
    r->n++;
    return OK;
}

/* Joins the runs of two neighbouring rows that share a column. */
static void join_rows(run_list *r, size_t row, size_t other) {
    int32_t a = r->first[row], b = r->first[other];
    while (a < r->first[row + 1] && b < r->first[other + 1]) {
        if (r->list[a].from <= r->list[b].to && r->list[b].from <= r->list[a].to)
            union_find_join(r->parent, a, b);
        if (r->list[a].to < r->list[b].to)
            a++;
        else
            b++;
    }
}

/* Lists the runs of outside voxels in all rows, and joins neighbouring runs. */
static int list_runs(const lumen_grid *g, run_list *r) {
    const size_t rows = (size_t)g->dims[1] * (size_t)g->dims[2];
    int rc = OK;
    r->first = malloc((rows + 1) * sizeof *r->first);
    if (r->first == NULL)
        return fail_memory("the cavities of the lumen", (double)rows * sizeof *r->first);
    for (size_t row = 0; row < rows; row++) {
        const uint8_t *in = g->inside + row * (size_t)g->dims[0];
        r->first[row] = r->n;
        for (int32_t i = 0; i < g->dims[0];) {
            if (in[i]) {
                i++;
                continue;
            }
            const int32_t from = i;
            while (i < g->dims[0] && !in[i])
                i++;
            TRY(add_run(r, from, i - 1));
        }
        r->first[row + 1] = r->n;
        if (row % (size_t)g->dims[1] > 0)
            join_rows(r, row, row - 1);
        if (row >= (size_t)g->dims[1])
            join_rows(r, row, row - (size_t)g->dims[1]);
    }
cleanup:
    return rc;
}

/* Adds the voxels of cavities to the lumen. A cavity is a set of outside voxels that is not connected with the margin
 * of the box (run 0). */
static int fill_cavities(lumen_grid *g) {
    const size_t rows = (size_t)g->dims[1] * (size_t)g->dims[2];
    run_list r = {0};
    int rc = OK;
    TRY(list_runs(g, &r));
    for (size_t row = 0; row < rows; row++)
        for (int32_t k = r.first[row]; k < r.first[row + 1]; k++) {
            if (union_find_root(r.parent, k) == 0)
                continue;
            for (int32_t i = r.list[k].from; i <= r.list[k].to; i++) {
                g->inside[row * (size_t)g->dims[0] + (size_t)i] = 1;
                g->cavity_voxels++;
            }
        }
cleanup:
    free(r.list);
    free(r.parent);
    free(r.first);
    return rc;
}

/* Finds the box of the voxels with phi < 0. Returns false if there are none. */
static bool find_box(const volume *phi, int low[3], int high[3]) {
    for (int a = 0; a < 3; a++) {
        low[a] = phi->dims[a];
        high[a] = -1;
    }
    const float *p = phi->value;
    for (int k = 0; k < phi->dims[2]; k++)
        for (int j = 0; j < phi->dims[1]; j++, p += phi->dims[0]) {
            int from = 0, to = phi->dims[0] - 1;
            while (from <= to && !(p[from] < 0))
                from++;
            while (to >= from && !(p[to] < 0))
                to--;
            if (from > to)
                continue;
            low[0] = from < low[0] ? from : low[0];
            high[0] = to > high[0] ? to : high[0];
            low[1] = j < low[1] ? j : low[1];
            high[1] = j > high[1] ? j : high[1];
            low[2] = k < low[2] ? k : low[2];
            high[2] = k;
        }
    return high[0] >= 0;
}

static void set_neighbours(lumen_grid *g) {
    const ptrdiff_t nx = g->dims[0], ny = g->dims[1];
    int n = 0;
    for (int cell = 0; cell < 27; cell++) {
        const int d[3] = {cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
        if (cell == 13)
            continue;
        const double x = d[0] * g->spacing_mm[0], y = d[1] * g->spacing_mm[1], z = d[2] * g->spacing_mm[2];
        g->step[n] = d[0] + nx * (d[1] + ny * d[2]);
        g->step_mm[n++] = sqrt(x * x + y * y + z * z);
    }
}

static int list_voxels(lumen_grid *g) {
    const size_t size = lumen_grid_size(g);
    for (size_t i = 0; i < size; i++)
        g->n += g->inside[i];
    g->voxel = malloc(g->n * sizeof *g->voxel);
    if (g->voxel == NULL)
        return fail_memory("the voxels of the lumen", (double)g->n * sizeof *g->voxel);
    g->n = 0;
    for (size_t i = 0; i < size; i++)
        if (g->inside[i])
            g->voxel[g->n++] = i;
    return OK;
}

int lumen_grid_create(const volume *phi, lumen_grid *g) {
    int high[3], rc = OK;
    memset(g, 0, sizeof *g);
    if (!find_box(phi, g->low, high))
        return fail(ERR_INPUT, "the lumen is empty, so it has no centerlines; check the segmentation");
    g->thinnest_mm = INFINITY;
    for (int a = 0; a < 3; a++) {
        g->dims[a] = high[a] - g->low[a] + 3;
        g->low[a]--;
        g->spacing_mm[a] = phi->spacing_mm[a];
        g->thinnest_mm = fmin(g->thinnest_mm, phi->spacing_mm[a]);
    }
    const size_t size = lumen_grid_size(g);
    g->inside = calloc(size, 1);
    g->depth_mm = calloc(size, sizeof *g->depth_mm);
    if (g->inside == NULL || g->depth_mm == NULL)
        GIVE_UP(fail_memory("the grid of the lumen", (double)size * 5));
    for (int k = 1; k < g->dims[2] - 1; k++)
        for (int j = 1; j < g->dims[1] - 1; j++) {
            const size_t row = ((size_t)k * (size_t)g->dims[1] + (size_t)j) * (size_t)g->dims[0];
            const float *p = phi->value + volume_index(phi, g->low[0] + 1, g->low[1] + j, g->low[2] + k) - 1;
            for (int i = 1; i < g->dims[0] - 1; i++)
                if (p[i] < 0) {
                    g->inside[row + (size_t)i] = 1;
                    g->depth_mm[row + (size_t)i] = -p[i];
                }
        }
    set_neighbours(g);
    TRY(fill_cavities(g));
    TRY(list_voxels(g));
cleanup:
    if (rc != OK)
        lumen_grid_free(g);
    return rc;
}
