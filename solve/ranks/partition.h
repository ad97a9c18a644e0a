/* SPDX-License-Identifier: Apache-2.0 */
/* Partition of the cells among ranks: equal numbers of cells, few links between ranks.
 *
 * Cells are grouped into bricks of PARTITION_BRICK^3. METIS (Karypis, Kumar 1998) partitions the graph of bricks
 * (weights: cells per brick, links between bricks) if the transport module includes it. Otherwise bricks are ordered
 * along a Hilbert curve (Skilling 2004) and split into sections of equal cell numbers. Results of a run do not
 * depend on the partition. */
#ifndef PORTAFLOW_PARTITION_H
#define PORTAFLOW_PARTITION_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

enum { PARTITION_BRICK = 4 };

/* Partitions a graph of n vertices: neighbours to[first[k]] .. to[first[k + 1] - 1] of vertex k with the given numbers
 * of links; cells: vertex weights; owner [n] out, 0 .. parts - 1. Returns 0, or -1 on failure. */
typedef int (*partition_cut)(int32_t n, const int32_t *first, const int32_t *to, const int32_t *links,
                             const int32_t *cells, int parts, int32_t *owner);

/* Bricks with cells, and their owners. Memory: about 30 bytes per brick (a vessel fills about half of the cells of a
 * brick), and 4 per brick of the box; 330 more per brick during graph partitioning. */
typedef struct {
    int edge;             /* edge of a brick in cells: PARTITION_BRICK, less for small lattices */
    int dims[3];          /* number of cells along each side of the box */
    int64_t size[3], n;   /* size: number of bricks along each side of the box; n: number of bricks that have cells */
    int64_t room, n_cell; /* room: bricks for which memory is allocated; n_cell: number of cells that the solver
                           * computes */
    /* [size[0] * size[1] * size[2]] number of each brick; -1: no cell of the brick is computed */
    int32_t *at;
    int32_t *place;  /* [n][3] position of each brick in the box, in bricks */
    uint64_t *mask;  /* [n] for each brick one bit per cell, x fastest: 1 if the solver computes the cell */
    uint16_t *owner; /* [n] part of each brick, 0 to parts - 1 */
} partition;
enum { PARTITION_NOBODY = 0xffff }; /* owner of a place without a brick */

/* Calls partition_add for all cells; may be called again with smaller bricks. */
typedef int partition_source(void *data, partition *p);
/* Adds a cell of the box. counts: the solver computes this cell. Errors: ERR_RESOURCE. */
MUST_CHECK int partition_add(partition *p, const int32_t *position, bool counts);
/* Creates *p: the bricks with the cells of `source`. Errors: ERR_INPUT (fewer cells than parts), ERR_RESOURCE, and the
 * errors of source. */
MUST_CHECK int partition_bricks(const int dims[3], int parts, partition_source *source, void *data, partition *p);
/* Sets the owners by `cut`, or along a Hilbert curve if cut is NULL or leaves a part without cells. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int partition_own(partition *p, int parts, partition_cut cut);
uint16_t partition_owner(const partition *p, const int32_t *position); /* owner of the cell at a position */
void partition_free(partition *p);

typedef struct {
    int64_t least, most; /* number of cells of the smallest and of the largest part */
    int64_t cut;         /* number of links between cells of different parts, each counted once */
    int64_t values;      /* largest number of values that a part sends per step */
    int peers;           /* largest number of peers of a part */
} partition_quality;

/* partition_make partitions the cells of a whole domain: owner [d->n_cell]. partition_measure computes the quality of a
 * partition. Errors: ERR_INPUT (fewer cells than parts), ERR_RESOURCE. Test: tests/backend/test_parts.c */
MUST_CHECK int partition_make(const domain *d, int parts, partition_cut cut, uint16_t *owner);
MUST_CHECK int partition_measure(const domain *d, int parts, const uint16_t *owner, partition_quality *q);
#endif
