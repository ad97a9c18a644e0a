/* The cells of a box that hold fluid: their distance to the wall and their solid subcells. */
#ifndef PORTAFLOW_CELLS_H
#define PORTAFLOW_CELLS_H
#include "common/base/must_check.h"
#include "mesh/cell_map.h"
#include "mesh/voxelize.h"

/* A link between two fluid centres that a wall thinner than a cell cuts; each has two, one from either end. */
typedef struct {
    int32_t cell;
    uint8_t dir;
    float q;        /* (0, 1] from this end */
    float thick_mm; /* of the wall, across it */
} cells_web;

typedef struct {
    cell_map map;
    int64_t n;
    float *distance_mm; /* [n] of the centre; negative: the centre is in the fluid */
    uint16_t *solid;    /* [n] 0..511 */
    int64_t n_web;
    cells_web *web; /* [n_web] by cell and direction (webs.h) */
} cells;

/* Every cell with a fluid subcell or a fluid centre (such a cell counts at least one fluid subcell).
 * Errors: ERR_RESOURCE. */
MUST_CHECK int cells_create(cells *c, const voxelize_input *in);
void cells_free(cells *c);

static inline void cells_centre(const voxelize_input *in, int x, int y, int z, double lps_mm[3]) {
    lps_mm[0] = in->origin_mm[0] + in->spacing_mm * x;
    lps_mm[1] = in->origin_mm[1] + in->spacing_mm * y;
    lps_mm[2] = in->origin_mm[2] + in->spacing_mm * z;
}

/* Solid subcells (0..512) of the cube of the spacing round `centre`, where the field is `distance_mm`. Whole octants
 * that the wall cannot reach are counted at once. */
int cells_solid(const voxelize_input *in, const double centre[3], double distance_mm);
#endif
