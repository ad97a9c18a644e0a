/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a box that hold fluid: their distance to the wall and their solid subcells. */
#ifndef PORTAFLOW_FLUID_CELLS_H
#define PORTAFLOW_FLUID_CELLS_H
#include "common/base/must_check.h"
#include "mesh/cells/cell_map.h"
#include "mesh/section/lumen_box.h"

/* What voxelize reports in addition to the lattice. */
typedef struct {
    int n_component;     /* number of connected pieces of fluid in the box */
    int64_t n_dropped;   /* number of cells in the removed pieces whose centre is in the fluid */
    int64_t n_beyond;    /* number of removed cells that are beyond an opening */
    int64_t n_border;    /* number of stored fluid cells at a face of the box that have fluid outside it */
    double border_mm[3]; /* position of one such cell, LPS */
    /* number of links through sheets thinner than a cell, with fluid on both sides (thin_walls.h) */
    int64_t n_web;
    double web_mm[3], web_thick_mm; /* position of a cell at such a link, LPS; median thickness of the sheets */
    /* volume of the fluid: sum over the cells of (1 - solid fraction) spacing^3; columns of cells end at the opening
     * planes */
    double fluid_volume_mm3;
} voxelize_report;

/* A link between two fluid centres that a wall thinner than a cell cuts. Each such link has two entries, one for either
 * end. */
typedef struct {
    int32_t cell;
    uint8_t dir;
    float q;        /* wall distance q from this cell, (0, 1] */
    float thick_mm; /* thickness of the thin wall along its normal */
} thin_wall;

typedef struct {
    cell_map map;
    int64_t n;
    float *distance_mm; /* [n] distance of each centre to the wall; negative: the centre is in the fluid */
    uint16_t *solid;    /* [n] number of solid subcells, 0..511 */
    int64_t n_web;
    thin_wall *web; /* [n_web] links cut by thin walls, sorted by cell and direction (thin_walls.h) */
} fluid_cells;

/* Find every cell with a fluid subcell or a fluid centre; a cell with a fluid centre counts as having a fluid subcell.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int fluid_cells_create(fluid_cells *c, const voxelize_input *in);
void fluid_cells_free(fluid_cells *c);

static inline void fluid_cells_centre(const voxelize_input *in, int x, int y, int z, double lps_mm[3]) {
    lps_mm[0] = in->origin_mm[0] + in->spacing_mm * x;
    lps_mm[1] = in->origin_mm[1] + in->spacing_mm * y;
    lps_mm[2] = in->origin_mm[2] + in->spacing_mm * z;
}

/* Number of solid subcells (0..512) of the cube of edge spacing_mm around `centre`. distance_mm: distance at `centre`.
 * Octants that the wall cannot reach are counted without sampling. */
int fluid_cells_solid(const voxelize_input *in, const double centre[3], double distance_mm);

/* Quick estimate, from blocks of cells, of the number of cells with fluid in the box, before the openings cut it. */
double voxelize_estimate_cells(const voxelize_input *in);
#endif
