/* Which rank computes which cell: as many cells each as can be, and few links cut.
 *
 * Cells are taken in bricks of PARTITION_BRICK^3. The graph of bricks (weights: cells in a brick, links between two) is
 * cut by METIS (Karypis, Kumar 1998) where the module of the transport has it; else the bricks are put on Hilbert's
 * curve (Skilling 2004) and cut into stretches of as many cells. Which it is changes no bit of a result. */
#ifndef PORTAFLOW_PARTITION_H
#define PORTAFLOW_PARTITION_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

enum { PARTITION_BRICK = 4 };

/* Cuts a graph of n vertices: neighbours to[first[k]] .. to[first[k + 1] - 1] of vertex k by so many links, cells of
 * it; owner [n] 0 .. parts - 1. Returns 0, or -1 where it cannot. */
typedef int (*partition_cut)(int32_t n, const int32_t *first, const int32_t *to, const int32_t *links,
                             const int32_t *cells, int parts, int32_t *owner);

/* The bricks with cells, and whose they are: about 30 bytes a brick, of which a vessel fills half, and 4 a brick of the
 * box; while they are cut as a graph 330 more. */
typedef struct {
    int edge;    /* cells along a brick: PARTITION_BRICK, fewer where there are few cells */
    int dims[3]; /* cells of the box */
    int64_t size[3], n, room, n_cell;
    int32_t *at;     /* [size] number of a brick, -1 */
    int32_t *place;  /* [n][3] */
    uint64_t *mask;  /* [n] its cells that count, x fastest */
    uint16_t *owner; /* [n] 0 .. parts - 1 */
} partition;
enum { PARTITION_NOBODY = 0xffff }; /* owner where there is no brick */

/* Adds all cells (partition_add) to *p; called again where there are few. */
typedef int partition_source(void *data, partition *p);
/* A cell of the box; counts: it is computed. Errors: ERR_RESOURCE. */
MUST_CHECK int partition_add(partition *p, const int32_t *position, bool counts);
/* Errors: ERR_INPUT (fewer cells than parts), ERR_RESOURCE, those of source. */
MUST_CHECK int partition_bricks(const int dims[3], int parts, partition_source *source, void *data, partition *p);
/* Sets the owners. cut NULL: along the curve. Errors: ERR_RESOURCE. */
MUST_CHECK int partition_own(partition *p, int parts, partition_cut cut);
uint16_t partition_owner(const partition *p, const int32_t *position); /* of a cell */
void partition_free(partition *p);

typedef struct {
    int64_t least, most; /* cells of a part */
    int64_t cut;         /* links between cells of different parts, each counted once */
    int64_t values;      /* of the part that sends most, in one sub-step */
    int peers;           /* most that a part has */
} partition_quality;

/* Of the cells of a whole domain: owner [d->n_cell]. Errors: as above. Test: tests/backend/test_parts.c */
MUST_CHECK int partition_make(const domain *d, int parts, partition_cut cut, uint16_t *owner);
MUST_CHECK int partition_measure(const domain *d, int parts, const uint16_t *owner, partition_quality *q);
#endif
