/* SPDX-License-Identifier: Apache-2.0 */
/* Porous regions of the solver (kernels/porous_drag.h). Cells name their region in domain.region. */
#ifndef PORTAFLOW_POROUS_MEDIA_H
#define PORTAFLOW_POROUS_MEDIA_H
#include "solve/core/domain.h"

enum { POROUS_REGIONS = 16 }; /* largest number of porous regions */

typedef struct {
    double drag[POROUS_REGIONS + 1]; /* nu / K of each region in lattice units; drag[0] is 0: free blood */
} porous_media;

/* Below this permeability (spacing^2) the wall layer of thickness sqrt(K) is thinner than a cell. */
#define POROUS_LAYER 0.5

/* Volumes of each region. With several ranks: of the own cells of a rank, to be summed over all ranks. */
typedef struct {
    int64_t cells[POROUS_REGIONS + 1];    /* number of cells with their centre in the lumen */
    int64_t subcells[POROUS_REGIONS + 1]; /* volume of the lumen, in fluid subcells */
} porous_volumes;
porous_volumes porous_volumes_of(const lattice *l);

/* Prepares the walls of porous regions; v: of all ranks; permeability [n]: K of region k + 1 in units of spacing^2.
 * Where K < POROUS_LAYER, wall links become half-way links: interpolation would add the force of the cell to the wall
 * (solve/BOUNDARY_LINKS.md, eq. 3), and that force is larger than the friction of the wall. With half-way walls the
 * cross-section consists of the cells with their centre in the lumen. factor [n]: out, factor on the drag, which
 * corrects for this: volume of these cells over the volume of the lumen in the region. 1 for other regions, and for
 * wall vlbm: there a cell counts with its fluid part. D3Q27: half-way links also in the neighbours of these regions,
 * because quadratic walls lose mass there (2 % of the pressure drop at K = 0.001). Other links that use populations of
 * porous cells become linear: quadratic ones diverge for K <= 1e-4. */
void porous_walls(porous_volumes v, int n, const double *permeability, domain *d, double *factor);
#endif
