/* One rank's part of a lattice: a domain of its own whose runs lead into a halo (core/halo.h). */
#ifndef PORTAFLOW_PART_H
#define PORTAFLOW_PART_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

typedef struct {
    domain d; /* stored: in the lattice of the whole; d.part is set by part_create and by whoever copies the struct */
    halo h;   /* without exchange */
} part;

/* Part `number` of the whole domain: its cells in the whole's order, links, weights and openings as they are there.
 *   owner [whole->n_cell]  part of each cell
 *   local [whole->n_cell]  room; afterwards the index in p->d of each cell that it knows, -1
 * What lies beyond the cells next to its own need not be in the whole (domain_create_part). Errors: ERR_RESOURCE,
 * ERR_INTERNAL (no cell). Test: tests/unit/solve/test_ranks.c */
MUST_CHECK int part_create(const domain *whole, const uint16_t *owner, int number, int32_t *local, part *p);
void part_free(part *p); /* safe on a zeroed struct */
#endif
