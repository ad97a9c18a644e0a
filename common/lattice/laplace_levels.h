/* SPDX-License-Identifier: Apache-2.0 */
/* Multigrid levels of a network of conductances; part of laplace.c. */
#ifndef PORTAFLOW_LAPLACE_LEVELS_H
#define PORTAFLOW_LAPLACE_LEVELS_H
#include "common/base/must_check.h"
#include "common/lattice/laplace.h"

enum { LAPLACE_LEVELS_MAX = 32 };

typedef struct {
    laplace a;      /* matrix of the level; on level 0 its arrays are borrowed */
    int64_t *start; /* [n of the next level + 1] first entry of each coarse cell in `list` */
    int32_t *list;  /* fine cells, sorted by coarse cell, without isolated cells */
    float *b, *x, *r;
} laplace_level;

typedef struct {
    int n;
    laplace_level level[LAPLACE_LEVELS_MAX];
} laplace_levels;

/* Builds levels until no two cells are connected. at [n][3] as in laplace_solve. Errors: ERR_RESOURCE. */
MUST_CHECK int laplace_levels_create(laplace_levels *m, const laplace *a, const int32_t *at);
void laplace_levels_free(laplace_levels *m);

/* One symmetric W-cycle: level[0].x = M level[0].b. */
void laplace_levels_cycle(laplace_levels *m);
#endif
