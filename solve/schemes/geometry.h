/* SPDX-License-Identifier: Apache-2.0 */
/* Lattices for benchmarks: phantoms and simple shapes, voxelized with their openings, without images or files. */
#ifndef PORTAFLOW_BENCH_GEOMETRY_H
#define PORTAFLOW_BENCH_GEOMETRY_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "solve/core/domain.h"

enum { GEOMETRY_CONDITIONS = 8 };

typedef struct {
    char name[64];
    lattice l;
    /* conditions of the openings: inlets have a flow with developed profile, outlets a pressure */
    domain_condition condition[GEOMETRY_CONDITIONS];
} geometry;

/* Builds the lattice of a geometry. name: a phantom ("portal", "hepatic-portal", "tube", ...: phantom_name), "pipe"
 * (straight, along z) or "cube" (closed). longest: cells along the longest side of the box; 0: `cells` is the
 * approximate number of fluid cells. corners: with links for D3Q27. Errors: ERR_USAGE (unknown name; the message lists
 * all names), and the errors of voxelize. */
MUST_CHECK int geometry_make(const char *name, double cells, int longest, bool corners, geometry *g);
void geometry_free(geometry *g);
bool geometry_known(const char *name);
const char *geometry_names(void); /* names of all geometries, "pipe, cube, tube, ..." */
#endif
