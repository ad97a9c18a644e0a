/* Cells of a box that hold fluid: wall distance and number of solid subcells. */
#ifndef PORTAFLOW_FLUID_CELLS_H
#define PORTAFLOW_FLUID_CELLS_H
#include "common/base/must_check.h"
#include "mesh/cells/cell_map.h"
#include "mesh/section/lumen_box.h"

/* Findings of voxelize, in addition to the lattice. */
typedef struct {
    int n_component;     /* number of connected pieces of fluid in the box */
    int64_t n_dropped;   /* fluid centres in pieces that were removed */
    int64_t n_beyond;    /* those of n_dropped beyond an opening */
    int64_t n_border;    /* stored fluid cells at a face of the box where the fluid continues outside */
    double border_mm[3]; /* LPS, position of one of them */
    int64_t n_web;       /* cut links of sheets: walls thinner than a cell with fluid on both sides (thin_walls.h) */
    double web_mm[3], web_thick_mm; /* LPS, position of one of them; median thickness */
    double fluid_volume_mm3;        /* sum of (1 - P) spacing^3, with columns of cells ended at the opening planes */
} voxelize_report;

/* A link between two fluid centres cut by a wall thinner than a cell; each link has two entries, one from either
 * end. */
typedef struct {
    int32_t cell;
    uint8_t dir;
    float q;        /* (0, 1] from this end */
    float thick_mm; /* thickness of the wall */
} thin_wall;

typedef struct {
    cell_map map;
    int64_t n;
    float *distance_mm; /* [n] wall distance of the centre; negative in the fluid */
    uint16_t *solid;    /* [n] 0..511 */
    int64_t n_web;
    thin_wall *web; /* [n_web] sorted by cell and direction (thin_walls.h) */
} fluid_cells;

/* Finds every cell with a fluid subcell or a fluid centre (which counts as one fluid subcell or more). Errors:
 * ERR_RESOURCE. */
MUST_CHECK int fluid_cells_create(fluid_cells *c, const voxelize_input *in);
void fluid_cells_free(fluid_cells *c);

static inline void fluid_cells_centre(const voxelize_input *in, int x, int y, int z, double lps_mm[3]) {
    lps_mm[0] = in->origin_mm[0] + in->spacing_mm * x;
    lps_mm[1] = in->origin_mm[1] + in->spacing_mm * y;
    lps_mm[2] = in->origin_mm[2] + in->spacing_mm * z;
}

/* Number of solid subcells (0..512) of the cube of edge spacing around `centre`; distance_mm: value of the field there.
 * Octants that the wall cannot reach are counted at once. */
int fluid_cells_solid(const voxelize_input *in, const double centre[3], double distance_mm);

/* Fast estimate of the number of cells with fluid in the box, before openings cut it. */
double voxelize_estimate_cells(const voxelize_input *in);
#endif
