/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_surface.h: zero level set of a field, block by block. Does not use VTK itself.
 *
 * All threads compute the values of a layer of blocks, then VTK computes the triangles of each block. Neighbouring
 * blocks share a plane of nodes, so their points on it are bitwise equal and can be merged. */
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "common/surface_vtk/vtk_surface_contour.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = 32 }; /* cells per axis of a block */

typedef struct {
    int low[3], n[3]; /* low: index of the first node; n: number of nodes; the indices -1 and dims are in a layer around
                       * the grid */
    float *value;     /* signed distances at the nodes; NULL: there is no wall in the block */
} block;

/* Adds the layer of nodes around the grid with positive values, which closes a lumen at the border. */
static void add_layer(const volume *grid, const block *b, const int first[3], const int n[3], const float *inner) {
    for (int k = 0; k < b->n[2]; k++)
        for (int j = 0; j < b->n[1]; j++)
            for (int i = 0; i < b->n[0]; i++) {
                const int at[3] = {b->low[0] + i, b->low[1] + j, b->low[2] + k};
                size_t from = 0;
                bool beyond = false;
                for (int a = 2; a >= 0; a--) {
                    const int x = at[a] < 0 ? 0 : (at[a] < grid->dims[a] ? at[a] : grid->dims[a] - 1);
                    beyond = beyond || x != at[a];
                    from = from * (size_t)n[a] + (size_t)(x - first[a]);
                }
                const float value = inner[from];
                b->value[((size_t)k * (size_t)b->n[1] + (size_t)j) * (size_t)b->n[0] + (size_t)i] =
                    beyond ? fmaxf(fabsf(value), 1e-6F) : value;
            }
}

/* Computes the values of block b; NULL where the block has no wall. */
static int fill_block(const volume *grid, surface_fill *fill, const void *data, block *b) {
    int first[3], n[3];
    size_t inner = 1, all = 1;
    bool whole = true;
    for (int a = 0; a < 3; a++) {
        const int last = b->low[a] + b->n[a] < grid->dims[a] ? b->low[a] + b->n[a] : grid->dims[a];
        first[a] = b->low[a] > 0 ? b->low[a] : 0;
        first[a] = first[a] < grid->dims[a] ? first[a] : grid->dims[a] - 1;
        n[a] = last > first[a] ? last - first[a] : 1;
        whole = whole && n[a] == b->n[a];
        inner *= (size_t)n[a];
        all *= (size_t)b->n[a];
    }
    float *value = malloc(inner * sizeof *value);
    if (!value)
        return fail_memory("the wall", 4.0 * (double)inner);
    const bool crossed = fill(data, first, n, value);
    if (!crossed && (whole || value[0] >= 0)) {
        free(value);
        return OK;
    }
    b->value = whole ? value : malloc(all * sizeof *value);
    if (!b->value) {
        free(value);
        return fail_memory("the wall", 4.0 * (double)all);
    }
    if (!whole) {
        add_layer(grid, b, first, n, value);
        free(value);
    }
    return OK;
}

/* Processes the layer of blocks that starts at z index `low`: values, then triangles. */
static int add_blocks(const volume *grid, surface_fill *fill, const void *data, int low, block *b, int n,
                      surface_contour *contour) {
    const int along_x = grid->dims[0] / SIDE + 1;
    int bad = OK;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < n; k++) {
        const int start[3] = {k % along_x * SIDE - 1, k / along_x * SIDE - 1, low};
        b[k] = (block){.value = NULL};
        for (int a = 0; a < 3; a++) {
            const int left = grid->dims[a] - start[a]; /* number of nodes that remain along this axis, with the outer
                                                        * layer */
            b[k].low[a] = start[a];
            b[k].n[a] = (left < SIDE ? left : SIDE) + 1;
        }
        const bool none = b[k].n[0] < 2 || b[k].n[1] < 2 || b[k].n[2] < 2;
        if (!none && fill_block(grid, fill, data, &b[k]) != OK) {
#pragma omp critical(surface_blocks)
            bad = ERR_RESOURCE;
        }
    }
    for (int k = 0; k < n; k++) {
        if (bad == OK && b[k].value)
            bad = surface_contour_add(contour, b[k].low, b[k].n, b[k].value);
        free(b[k].value);
    }
    return bad;
}

int surface_from_blocks(const volume *grid, surface_fill *fill, const void *data, surface *out) {
    int rc;
    const int along_x = grid->dims[0] / SIDE + 1, n = along_x * (grid->dims[1] / SIDE + 1);
    surface_contour *contour = NULL;
    block *b = calloc((size_t)n, sizeof *b);
    *out = (surface){0};
    if (!b)
        return fail_memory("the wall", (double)n * sizeof *b);
    TRY(surface_contour_open(&contour));
    for (int low = -1; low < grid->dims[2]; low += SIDE)
        TRY(add_blocks(grid, fill, data, low, b, n, contour));
    TRY(surface_contour_close(contour, grid, out));
cleanup:
    surface_contour_free(contour);
    free(b);
    return rc;
}
