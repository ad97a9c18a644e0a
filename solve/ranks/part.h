/* SPDX-License-Identifier: Apache-2.0 */
/* One rank's part of a lattice: a domain whose runs refer to a halo (core/halo.h). */
#ifndef PORTAFLOW_PART_H
#define PORTAFLOW_PART_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

/* Request of part `reader` for a wall value (halo.h): population c that cell s of part `owner` sends to cell t.
 * position: of s in the box. s, t: cell numbers in the part that holds this struct. */
typedef struct {
    int32_t owner, reader, position[3], s, t, c;
} part_request;

typedef struct part_value part_value;

typedef struct part {
    /* domain of this rank. d.stored: index of each cell in the whole lattice; d.part: pointer to h, to be set again
     * after the struct is copied */
    domain d;
    halo h; /* halo of this rank; `exchange` is NULL */
    int number;
    /* Used between part_create and part_connect only. mine, theirs [n_cut]: values of links between this part and its
     * peers; request [n_request]: wall values that this part needs from them */
    int64_t n_cut, n_request;
    part_value *mine, *theirs;
    part_request *request;
} part;

/* Creates part `number` of the whole domain: its cells in the order of the whole domain, with the same links, weights
 * and openings. Call part_connect next.
 *   owner [whole->n_cell]  part of each cell
 *   local [whole->n_cell]  work space; on return the index in p->d of each cell, -1: not in this part
 * The whole domain may lack cells that are not neighbours of this part, and with D3Q27 not two cells away from a wall
 * link of this part (domain_create_part). Errors: ERR_RESOURCE, ERR_INTERNAL (no cell). Test:
 * tests/backend/test_parts.c */
MUST_CHECK int part_create(const domain *whole, const uint16_t *owner, int number, int32_t *local, part *p);
/* Creates the halo. all [n_all]: the requests of all parts; requests to other parts are ignored. Errors: ERR_RESOURCE,
 * ERR_INTERNAL (a request for a cell of another part). */
MUST_CHECK int part_connect(part *p, const part_request *all, int64_t n_all);
void part_free(part *p); /* safe on a zeroed struct */
#endif
