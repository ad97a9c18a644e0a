/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/cells/fluid_cells.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8 }; /* edge of a block, in cells; far from the wall one distance decides about a whole block */

/* The cells with fluid in BLOCK planes of the box, in order. */
typedef struct {
    int64_t n, room;
    float *distance_mm;
    uint16_t *solid;
} slab;

static double get_steepness(const voxelize_input *in) {
    return in->steepness > 0 ? in->steepness : 1;
}

/* Upper bound of the change of the distance from the centre of a cube to its outermost subcell centre, mm. The factor 1
 * + 1e-9 allows for rounding. */
static double subcell_reach(const voxelize_input *in, double width, int subcells) {
    return get_steepness(in) * width * (subcells - 1) / subcells * 0.8660254037844387 * (1 + 1e-9);
}

static int solid_of_cube(const voxelize_input *in, const double centre[3], double width, int subcells,
                         double distance_mm) {
    if (subcells == 1)
        return distance_mm >= 0;
    if (fabs(distance_mm) >= subcell_reach(in, width, subcells))
        return distance_mm >= 0 ? subcells * subcells * subcells : 0;
    const int known = in->solid && subcells >= 4 ? in->solid(in->data, centre, width, subcells, distance_mm) : -1;
    if (known >= 0)
        return known;
    int solid = 0;
    for (int octant = 0; octant < 8; octant++) {
        double p[3];
        for (int a = 0; a < 3; a++)
            p[a] = centre[a] + ((octant >> a & 1) ? 0.25 : -0.25) * width;
        solid += solid_of_cube(in, p, width / 2, subcells / 2, in->distance(in->data, p));
    }
    return solid;
}

int fluid_cells_solid(const voxelize_input *in, const double centre[3], double distance_mm) {
    return solid_of_cube(in, centre, in->spacing_mm, LATTICE_SUBCELLS, distance_mm);
}

/* Returns the wall distance at the centre of the block of cells low..high (inclusive). *block_reach: upper limit of the
 * change of this distance within the block. */
static double block_distance(const voxelize_input *in, const int low[3], const int high[3], double *block_reach) {
    double middle[3], square = 0;
    for (int a = 0; a < 3; a++) {
        const double width = in->spacing_mm * (high[a] - low[a] + 1);
        middle[a] = in->origin_mm[a] + in->spacing_mm * 0.5 * (low[a] + high[a]);
        square += width * width / 4;
    }
    *block_reach = get_steepness(in) * sqrt(square) * (1 + 1e-9);
    return in->distance(in->data, middle);
}

/* The cells of one slab: [BLOCK][dims[1]][dims[0]], set in the blocks that hold fluid. */
typedef struct {
    const voxelize_input *in;
    int first; /* first plane of the slab */
    float *distance;
    uint16_t *solid;
    uint8_t *holds; /* [blocks along y][blocks along x] 1: the block may contain fluid (block_distance) */
} planes;

static size_t plane_index(const planes *p, int x, int y, int z) {
    return ((size_t)(z - p->first) * (size_t)p->in->dims[1] + (size_t)y) * (size_t)p->in->dims[0] + (size_t)x;
}

/* Compute distance and solid subcells of one cell. full: the cell is far inside the fluid, so no subcell is solid. */
static void fill_cell(const planes *p, int x, int y, int z, bool full) {
    const size_t at = plane_index(p, x, y, z);
    double centre[3];
    fluid_cells_centre(p->in, x, y, z, centre);
    const double d = p->in->distance(p->in->data, centre);
    p->distance[at] = (float)d;
    p->solid[at] = (uint16_t)(full ? 0 : fluid_cells_solid(p->in, centre, d));
    if (p->distance[at] < 0 && p->solid[at] == LATTICE_SUBCELL_COUNT)
        p->solid[at]--;
}

static void fill_cells(const planes *p, const int low[3], const int high[3], bool full) {
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++)
                fill_cell(p, x, y, z, full);
}

static void mark_solid(const planes *p, const int low[3], const int high[3]) {
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++)
                p->solid[plane_index(p, x, y, z)] = LATTICE_SUBCELL_COUNT;
}

/* Fill the cells low..high (inclusive), up to `side` cells along an axis. Far from the wall all these cells are decided
 * together, otherwise octant by octant. Returns false if they hold no fluid. */
static bool fill_part(const planes *p, const int low[3], const int high[3], int side) {
    double part_reach;
    const double middle = block_distance(p->in, low, high, &part_reach);
    if (middle >= part_reach)
        return false;
    if (side == BLOCK)
        mark_solid(p, low, high);
    if (middle <= -part_reach || side == 2) {
        fill_cells(p, low, high, middle <= -part_reach);
        return true;
    }
    for (int n = 0; n < 8; n++) {
        int from[3], to[3];
        bool empty = false;
        for (int a = 0; a < 3; a++) {
            const int upper = low[a] + side / 2;
            from[a] = n >> a & 1 ? upper : low[a];
            to[a] = n >> a & 1 || high[a] < upper ? high[a] : upper - 1;
            empty = empty || from[a] > to[a];
        }
        if (!empty)
            fill_part(p, from, to, side / 2);
    }
    return true;
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

/* Append the cells of the planes that hold fluid to the slab, and add them to the map. */
static int slab_collect(slab *s, const planes *p, int count, cell_map *map) {
    const int n_x = p->in->dims[0], along_x = (n_x + BLOCK - 1) / BLOCK;
    for (int z = p->first; z < p->first + count; z++)
        for (int y = 0; y < p->in->dims[1]; y++)
            for (int x = 0; x < n_x; x++) {
                if (!p->holds[(y / BLOCK) * along_x + x / BLOCK]) {
                    x |= BLOCK - 1;
                    continue;
                }
                const size_t at = plane_index(p, x, y, z);
                if (p->solid[at] == LATTICE_SUBCELL_COUNT)
                    continue;
                if (s->n == s->room && slab_grow(s) != OK)
                    return ERR_RESOURCE;
                s->distance_mm[s->n] = p->distance[at];
                s->solid[s->n++] = p->solid[at];
                cell_map_set(map, x, y, z);
            }
    return OK;
}

static int slab_create(slab *s, planes *p, int number, cell_map *map) {
    const int *dims = p->in->dims;
    int low[3], high[3], block = 0;
    p->first = low[2] = number * BLOCK;
    high[2] = low[2] + BLOCK <= dims[2] ? low[2] + BLOCK - 1 : dims[2] - 1;
    for (low[1] = 0; low[1] < dims[1]; low[1] += BLOCK)
        for (low[0] = 0; low[0] < dims[0]; low[0] += BLOCK, block++) {
            for (int a = 0; a < 2; a++)
                high[a] = low[a] + BLOCK <= dims[a] ? low[a] + BLOCK - 1 : dims[a] - 1;
            p->holds[block] = fill_part(p, low, high, BLOCK);
        }
    return slab_collect(s, p, high[2] - low[2] + 1, map);
}

static int planes_create(planes *p, const voxelize_input *in) {
    const size_t n = (size_t)BLOCK * (size_t)in->dims[1] * (size_t)in->dims[0];
    const size_t blocks = (size_t)(in->dims[1] / BLOCK + 1) * (size_t)(in->dims[0] / BLOCK + 1);
    *p = (planes){.in = in};
    p->distance = malloc(n * sizeof *p->distance);
    p->solid = malloc(n * sizeof *p->solid);
    p->holds = malloc(blocks);
    return p->distance && p->solid && p->holds ? OK : fail_memory("planes of cells", 6.0 * (double)n);
}

static void planes_free(planes *p) {
    free(p->distance);
    free(p->solid);
    free(p->holds);
}

static int scan_slabs(fluid_cells *c, const voxelize_input *in, slab *slabs, int n_slab) {
    int bad = OK, done = 0;
#pragma omp parallel
    {
        planes p;
        int mine = planes_create(&p, in);
#pragma omp for schedule(dynamic)
        for (int k = 0; k < n_slab; k++) {
            if (mine == OK)
                mine = slab_create(&slabs[k], &p, k, &c->map);
#pragma omp critical(mesh_cells_progress)
            if (in->progress)
                progress_set(fmin(++done * (double)BLOCK, in->dims[2]), NULL);
        }
#pragma omp critical(mesh_cells_status)
        bad = mine != OK ? mine : bad;
        planes_free(&p);
    }
    return bad;
}

static int join_slabs(fluid_cells *c, const slab *slabs, int n_slab) {
    c->n = 0;
    for (int k = 0; k < n_slab; k++)
        c->n += slabs[k].n;
    if (c->n > INT32_MAX)
        return fail(ERR_RESOURCE, "the vessel has %lld cells, more than the limit of %d; use a larger mesh.spacing",
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

int fluid_cells_create(fluid_cells *c, const voxelize_input *in) {
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
cleanup:
    if (in->progress)
        progress_end();
    for (int k = 0; k < n_slab; k++) {
        free(slabs[k].distance_mm);
        free(slabs[k].solid);
    }
    free(slabs);
    if (rc != OK)
        fluid_cells_free(c);
    return rc;
}

void fluid_cells_free(fluid_cells *c) {
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
                /* fluid fraction of the block if the wall is a plane */
                const double share = 0.5 - 0.5 * d / block_reach;
                n += size * fmin(1, fmax(0, share));
            }
    return n;
}
