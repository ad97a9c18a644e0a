/* The distance to the wall over a box of cells, and the opening planes in it: what cross-sections, cells
 * and the wall are made from.
 *
 *   distance(data, p)  signed distance of the LPS point p to the wall in mm, negative in the fluid. It may not grow
 *                      faster than `steepness` mm per mm (1 for a true distance). Called from several threads at once,
 *                      also for points up to two cells outside the box; with periodic axes it must be periodic itself.
 * The faces of the box are walls on the axes that are not periodic. */
#ifndef PORTAFLOW_LUMEN_BOX_H
#define PORTAFLOW_LUMEN_BOX_H
#include "common/base/steps.h"
#include "common/lattice/lattice.h"
#include <stdbool.h>

/* One opening plane as it is asked for. */
typedef struct {
    char name[LATTICE_NAME_MAX];
    int role;           /* enum lattice_role */
    double point_mm[3]; /* LPS, on the plane, inside the vessel (or on the wall, for a moving wall) */
    double normal[3];   /* LPS, out of the fluid; any length above 0 */
    double radius_mm;   /* the cross-section must lie within this distance of the point; NaN or 0: found */
    double along[3];    /* LPS, unit: the vessel's direction, either way, where the plane cuts it obliquely; else 0 */
} mesh_opening;

typedef struct {
    double (*distance)(const void *data, const double lps_mm[3]);
    const void *data;
    double steepness; /* 0: 1 */
    /* NULL, or how many of the middles of the subcells (subcells a side, 8 or 4) of a cube round `centre`, at
     * distance_mm, have a distance >= 0, as `distance` says of each, at less cost; -1 where it cannot say */
    int (*solid)(const void *data, const double centre[3], double width_mm, int subcells, double distance_mm);
    /* NULL, or the distance at a point near the wall and its gradient; false where it cannot say */
    bool (*slope)(const void *data, const double lps_mm[3], double *distance_mm, double gradient[3]);
    double spacing_mm;
    double origin_mm[3]; /* LPS, centre of cell 0,0,0 */
    int dims[3];
    bool periodic[3];
    int n_opening;
    const mesh_opening *opening; /* [n_opening], borrowed */
    bool turn_openings; /* normals may point either way: each is turned out of the piece that touches most openings */
    bool progress;      /* show a progress bar */
    steps *steps;       /* NULL, or where the time of each step goes */
} voxelize_input;
#endif
