/* The signed distance over a box of cells, with opening planes: input of cross-sections, cells and wall surface.
 *
 * distance(data, p): signed distance of LPS point p to the wall, mm, negative in the fluid. Its gradient must not
 * exceed `steepness` (1 for a true distance). Called from several threads, also up to two cells outside the box; with
 * periodic axes it must be periodic. Faces of the box are walls on axes that are not periodic. */
#ifndef PORTAFLOW_LUMEN_BOX_H
#define PORTAFLOW_LUMEN_BOX_H
#include "common/base/steps.h"
#include "common/lattice/lattice.h"
#include <stdbool.h>

/* One opening plane as requested. */
typedef struct {
    char name[LATTICE_NAME_MAX];
    int role;           /* enum lattice_role */
    double point_mm[3]; /* LPS, on the plane, inside the vessel (or on the wall, for a moving wall) */
    double normal[3];   /* LPS, out of the fluid; any length above 0 */
    double radius_mm;   /* upper bound for the distance of the cross-section from the point; NaN or 0: automatic */
    double along[3];    /* LPS, unit: direction of the vessel, of either sign, if the plane is oblique; else 0 */
} mesh_opening;

typedef struct {
    double (*distance)(const void *data, const double lps_mm[3]);
    const void *data;
    double steepness; /* 0: 1 */
    /* NULL, or a fast count of subcell centres with distance >= 0 (`subcells` per side, 8 or 4) in the cube around
     * `centre`, whose distance is distance_mm; must equal the count by `distance`; -1: unknown */
    int (*solid)(const void *data, const double centre[3], double width_mm, int subcells, double distance_mm);
    /* NULL, or distance and gradient at a point near the wall; false: unknown */
    bool (*slope)(const void *data, const double lps_mm[3], double *distance_mm, double gradient[3]);
    double spacing_mm;
    double origin_mm[3]; /* LPS, centre of cell 0,0,0 */
    int dims[3];
    bool periodic[3];
    int n_opening;
    const mesh_opening *opening; /* [n_opening], borrowed */
    bool turn_openings; /* normals may have either sign: each is turned out of the piece that touches most openings */
    bool progress;      /* show a progress bar */
    steps *steps;       /* NULL, or durations of the steps */
} voxelize_input;
#endif
