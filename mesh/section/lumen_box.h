/* SPDX-License-Identifier: Apache-2.0 */
/* The distance to the wall over a box of cells, and the opening planes: the input of cross-sections, cells and wall.
 *
 *   distance(data, p)  signed distance of the LPS point p to the wall in mm, negative in the fluid. It must not grow
 *                      faster than `steepness` mm per mm (1 for a true distance). Called from several threads at once,
 *                      also for points up to two cells outside the box; with periodic axes it must be periodic.
 *
 * The faces of the box are walls on the axes that are not periodic. */
#ifndef PORTAFLOW_LUMEN_BOX_H
#define PORTAFLOW_LUMEN_BOX_H
#include "common/base/steps.h"
#include "common/lattice/lattice.h"
#include <stdbool.h>

/* One requested opening plane. */
typedef struct {
    char name[LATTICE_NAME_MAX];
    int role;           /* role of the opening, enum lattice_role */
    double point_mm[3]; /* point on the plane, inside the vessel; for a moving wall on the wall. LPS */
    double normal[3];   /* normal out of the fluid, LPS; any length above 0 */
    double radius_mm;   /* distance from the point within which the cross-section must be; NaN or 0: no limit */
    /* unit vector along the vessel, with either sign, if the plane cuts the vessel obliquely; otherwise 0. LPS */
    double along[3];
} mesh_opening;

typedef struct {
    double (*distance)(const void *data, const double lps_mm[3]);
    const void *data;
    double steepness; /* limit of the gradient of `distance`; 0 means 1 */
    bool corners;     /* store cut links in directions 19..26, too (D3Q27) */
    /* NULL, or the number of subcell centres with distance >= 0 in a cube around `centre`: `subcells` centres along
     * each edge, 8 or 4. distance_mm: distance at `centre`. Gives the same result as `distance` at each centre, at
     * lower cost. Returns -1 where it is not available. */
    int (*solid)(const void *data, const double centre[3], double width_mm, int subcells, double distance_mm);
    /* NULL, or computes the distance and its gradient at a point near the wall; returns false where it is not
     * available */
    bool (*slope)(const void *data, const double lps_mm[3], double *distance_mm, double gradient[3]);
    double spacing_mm;
    double origin_mm[3]; /* centre of cell 0,0,0, LPS */
    int dims[3];
    bool periodic[3];
    int n_opening;
    const mesh_opening *opening; /* [n_opening] openings, borrowed */
    /* true: normals may have either sign, and each is turned out of the piece of fluid that touches the largest number
     * of openings */
    bool turn_openings;
    bool progress; /* true: show a progress bar */
    steps *steps;  /* receives the time of each step, if not NULL */
} voxelize_input;
#endif
