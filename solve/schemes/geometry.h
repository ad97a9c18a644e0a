/* Lattices for benchmarks: the phantoms and simple shapes, voxelised with their openings, no image and no file. */
#ifndef PORTAFLOW_BENCH_GEOMETRY_H
#define PORTAFLOW_BENCH_GEOMETRY_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "solve/core/domain.h"

enum { GEOMETRY_CONDITIONS = 8 };

typedef struct {
    char name[64];
    lattice l;
    domain_condition
        condition[GEOMETRY_CONDITIONS]; /* inlets by flow with the developed profile, outlets by pressure */
} geometry;

/* name: a phantom ("portal", "hepatic-portal", "tube", ...: phantom_name), "pipe" (straight, along z), "cube" (closed).
 * cells: about how many cells with fluid (the spacing is chosen for it), or 0 with dims: the cells of the box along its
 * longest side. Errors: ERR_USAGE (unknown name, with the list), those of voxelize. */
MUST_CHECK int geometry_make(const char *name, double cells, int longest, geometry *g);
void geometry_free(geometry *g);
bool geometry_known(const char *name);
const char *geometry_names(void); /* "pipe, cube, tube, ..." */
#endif
