/* SPDX-License-Identifier: Apache-2.0 */
/* One rank's part of a lattice: a domain whose runs refer to a halo (core/halo.h). */
#ifndef PORTAFLOW_PART_H
#define PORTAFLOW_PART_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

typedef struct {
    /* domain of this rank. d.stored: index of each cell in the whole lattice; d.part: pointer to h, to be set again
     * after the struct is copied */
    domain d;
    halo h; /* halo of this rank; `exchange` is NULL */
} part;

/* Creates part `number` of the whole domain: its cells in the order of the whole domain, with the same links, weights
 * and openings.
 *   owner [whole->n_cell]  part of each cell
 *   local [whole->n_cell]  work space; on return the index in p->d of each cell, -1: not in this part
 * The whole domain may lack cells that are not neighbours of this part (domain_create_part). Errors: ERR_RESOURCE,
 * ERR_INTERNAL (no cell). Test: tests/backend/test_parts.c */
MUST_CHECK int part_create(const domain *whole, const uint16_t *owner, int number, int32_t *local, part *p);
void part_free(part *p); /* safe on a zeroed struct */
#endif
