/* See cells.h. */
#include "mesh/cells.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "mesh/webs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8 }; /* cells a side that are decided at once where the wall is far */

/* The cells of BLOCK planes of the box, in order. */
typedef struct {
    int64_t n, room;
    float *distance_mm;
    uint16_t *solid;
} slab;

static double steepness(const voxelize_input *in) {
    return in->steepness > 0 ? in->steepness : 1;
}

/* Half the space diagonal of a cube `width` wide, as a bound for the field: 1 + 1e-9 for rounding. */
static double reach(const voxelize_input *in, double width) {
    return steepness(in) * width * 0.8660254037844387 * (1 + 1e-9);
}

static int solid_of_cube(const voxelize_input *in, const double centre[3], double width, int subcells,
                         double distance_mm) {
    if (subcells == 1)
        return distance_mm >= 0;
    if (fabs(distance_mm) >= reach(in, width))
        return distance_mm >= 0 ? subcells * subcells * subcells : 0;
    int solid = 0;
    for (int octant = 0; octant < 8; octant++) {
        double p[3];
        for (int a = 0; a < 3; a++)
            p[a] = centre[a] + ((octant >> a & 1) ? 0.25 : -0.25) * width;
        solid += solid_of_cube(in, p, width / 2, subcells / 2, in->distance(in->data, p));
    }
    return solid;
}

int cells_solid(const voxelize_input *in, const double centre[3], double distance_mm) {
    return solid_of_cube(in, centre, in->spacing_mm, LATTICE_SUBCELLS, distance_mm);
}

/* Distance at the middle of the block of cells low..high (inclusive), and the reach of the block. */
static double block_distance(const voxelize_input *in, const int low[3], const int high[3], double *block_reach) {
    double middle[3], square = 0;
    for (int a = 0; a < 3; a++) {
        const double width = in->spacing_mm * (high[a] - low[a] + 1);
        middle[a] = in->origin_mm[a] + in->spacing_mm * 0.5 * (low[a] + high[a]);
        square += width * width / 4;
    }
    *block_reach = steepness(in) * sqrt(square) * (1 + 1e-9);
    return in->distance(in->data, middle);
}

/* Distance and solid count of the cells of one block, into planes [BLOCK][dims[1]][dims[0]]. */
static void fill_block(const voxelize_input *in, const int low[3], const int high[3], float *distance,
                       uint16_t *solid) {
    double block_reach;
    const double middle = block_distance(in, low, high, &block_reach);
    const bool all_solid = middle >= block_reach, all_fluid = middle <= -block_reach;
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                const size_t at =
                    ((size_t)(z - low[2]) * (size_t)in->dims[1] + (size_t)y) * (size_t)in->dims[0] + (size_t)x;
                solid[at] = LATTICE_SUBCELL_COUNT;
                if (all_solid)
                    continue;
                double centre[3];
                cells_centre(in, x, y, z, centre);
                const double d = in->distance(in->data, centre);
                distance[at] = (float)d;
                solid[at] = (uint16_t)(all_fluid ? 0 : cells_solid(in, centre, d));
                if (distance[at] < 0 && solid[at] == LATTICE_SUBCELL_COUNT)
                    solid[at]--;
            }
}

static int slab_grow(slab *s) {
    const int64_t room = s->room ? 2 * s->room : 4096;
    float *distance = realloc(s->distance_mm, (size_t)room * sizeof *distance);
    if (distance)
        s->distance_mm = distance;
    uint16_t *solid = realloc(s->solid, (size_t)room * sizeof *solid);
    if (solid)
        s->solid = solid;
    if (!distance || !solid)
        return fail_memory("the cells", 6.0 * (double)room);
    s->room = room;
    return OK;
}

/* Keep the cells of the planes first.. that hold fluid. */
static int slab_collect(slab *s, const voxelize_input *in, int first, int count, const float *distance,
                        const uint16_t *solid, cell_map *map) {
    size_t at = 0;
    for (int z = first; z < first + count; z++)
        for (int y = 0; y < in->dims[1]; y++)
            for (int x = 0; x < in->dims[0]; x++, at++) {
                if (solid[at] == LATTICE_SUBCELL_COUNT)
                    continue;
                if (s->n == s->room && slab_grow(s) != OK)
                    return ERR_RESOURCE;
                s->distance_mm[s->n] = distance[at];
                s->solid[s->n++] = solid[at];
                cell_map_set(map, x, y, z);
            }
    return OK;
}

static int slab_create(slab *s, const voxelize_input *in, int number, float *distance, uint16_t *solid, cell_map *map) {
    int low[3], high[3];
    low[2] = number * BLOCK;
    high[2] = low[2] + BLOCK <= in->dims[2] ? low[2] + BLOCK - 1 : in->dims[2] - 1;
    for (low[1] = 0; low[1] < in->dims[1]; low[1] += BLOCK)
        for (low[0] = 0; low[0] < in->dims[0]; low[0] += BLOCK) {
            for (int a = 0; a < 2; a++)
                high[a] = low[a] + BLOCK <= in->dims[a] ? low[a] + BLOCK - 1 : in->dims[a] - 1;
            fill_block(in, low, high, distance, solid);
        }
    return slab_collect(s, in, low[2], high[2] - low[2] + 1, distance, solid, map);
}

static int scan_slabs(cells *c, const voxelize_input *in, slab *slabs, int n_slab) {
    const size_t plane = (size_t)BLOCK * (size_t)in->dims[1] * (size_t)in->dims[0];
    int bad = OK, done = 0;
#pragma omp parallel
    {
        float *distance = malloc(plane * sizeof *distance);
        uint16_t *solid = malloc(plane * sizeof *solid);
        int mine = distance && solid ? OK : fail_memory("planes of cells", 6.0 * (double)plane);
#pragma omp for schedule(dynamic)
        for (int k = 0; k < n_slab; k++) {
            if (mine == OK)
                mine = slab_create(&slabs[k], in, k, distance, solid, &c->map);
#pragma omp critical(mesh_cells_progress)
            if (in->progress)
                progress_set(fmin(++done * (double)BLOCK, in->dims[2]), NULL);
        }
#pragma omp critical(mesh_cells_status)
        bad = mine != OK ? mine : bad;
        free(distance);
        free(solid);
    }
    return bad;
}

static int join_slabs(cells *c, const slab *slabs, int n_slab) {
    c->n = 0;
    for (int k = 0; k < n_slab; k++)
        c->n += slabs[k].n;
    if (c->n > INT32_MAX)
        return fail(ERR_RESOURCE, "the vessel has %lld cells, at most %d are possible; use a larger spacing",
                    (long long)c->n, INT32_MAX);
    c->distance_mm = malloc((size_t)(c->n + 1) * sizeof *c->distance_mm);
    c->solid = malloc((size_t)(c->n + 1) * sizeof *c->solid);
    if (!c->distance_mm || !c->solid)
        return fail_memory("the cells", 6.0 * (double)c->n);
    int64_t at = 0;
    for (int k = 0; k < n_slab; at += slabs[k++].n) {
        if (slabs[k].n == 0)
            continue;
        memcpy(c->distance_mm + at, slabs[k].distance_mm, (size_t)slabs[k].n * sizeof *c->distance_mm);
        memcpy(c->solid + at, slabs[k].solid, (size_t)slabs[k].n * sizeof *c->solid);
    }
    cell_map_number(&c->map);
    return OK;
}

int cells_create(cells *c, const voxelize_input *in) {
    int rc;
    const int n_slab = (in->dims[2] + BLOCK - 1) / BLOCK;
    memset(c, 0, sizeof *c);
    slab *slabs = calloc((size_t)n_slab, sizeof *slabs);
    if (!slabs)
        return fail_memory("the cells", (double)n_slab * sizeof *slabs);
    if (in->progress)
        progress_start("cells", in->dims[2], "planes");
    TRY(cell_map_create(&c->map, in->dims, in->periodic));
    TRY(scan_slabs(c, in, slabs, n_slab));
    TRY(join_slabs(c, slabs, n_slab));
    steps_end(in->steps, "cells");
    TRY(webs_find(c, in));
    steps_end(in->steps, "thin walls");
cleanup:
    if (in->progress)
        progress_end();
    for (int k = 0; k < n_slab; k++) {
        free(slabs[k].distance_mm);
        free(slabs[k].solid);
    }
    free(slabs);
    if (rc != OK)
        cells_free(c);
    return rc;
}

void cells_free(cells *c) {
    cell_map_free(&c->map);
    free(c->distance_mm);
    free(c->solid);
    free(c->web);
    memset(c, 0, sizeof *c);
}

double voxelize_estimate_cells(const voxelize_input *in) {
    double n = 0;
    const double box = (double)in->dims[0] * in->dims[1] * in->dims[2];
    const int side = (int)fmax(BLOCK, ceil(cbrt(box / 2e6)));
#pragma omp parallel for schedule(dynamic) reduction(+ : n)
    for (int z = 0; z < in->dims[2]; z += side)
        for (int y = 0; y < in->dims[1]; y += side)
            for (int x = 0; x < in->dims[0]; x += side) {
                const int low[3] = {x, y, z};
                int high[3];
                double block_reach, size = 1;
                for (int a = 0; a < 3; a++) {
                    high[a] = low[a] + side <= in->dims[a] ? low[a] + side - 1 : in->dims[a] - 1;
                    size *= high[a] - low[a] + 1;
                }
                const double d = block_distance(in, low, high, &block_reach);
                const double share = 0.5 - 0.5 * d / block_reach; /* of the block on the fluid side of a plane */
                n += size * fmin(1, fmax(0, share));
            }
    return n;
}
