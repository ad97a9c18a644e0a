/* SPDX-License-Identifier: Apache-2.0 */
/* Order of the cells on the GPU. A cell at an opening or moving wall slows down all 32 cells of its group. In the
 * domain's order, an opening across x-rows puts one such cell into every row. Therefore each chunk of up to ORDER_CHUNK
 * cells is reordered: cells at openings come first, in groups of their own, and all other cells follow. Both keep the
 * domain's order, and neighbours stay close. An order is a list of pieces. A piece is a sequence of cells that are
 * consecutive in both orders. Host code only. */
#ifndef PORTAFLOW_CUDA_ORDER_H
#define PORTAFLOW_CUDA_ORDER_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

enum { ORDER_CHUNK = 1 << 15 };

/* A piece: cells `from .. from + count - 1` of the domain are cells `to .. to + count - 1` on the GPU. */
typedef struct {
    int32_t from, to, count;
} order_piece;

/* Pieces by ascending `to`, without gaps except before a halo. */
typedef struct {
    int64_t n;
    order_piece *piece;
} cell_order;

/* Creates an order in chunks of `chunk` cells, up to ORDER_CHUNK; cells at openings come first in each chunk. chunk 0:
 * the domain's own order. Errors: ERR_RESOURCE. */
MUST_CHECK int order_create(const domain *d, int64_t chunk, cell_order *o);
/* Creates an order for a part of a lattice: first border cells, then cells at openings, then all others; each of these
 * keeps the domain's order. Border cells are read by other parts, or have a wall link that reads the halo. The halo
 * begins at the group after the last own group. *n_border: number of border cells. Errors: ERR_RESOURCE. */
MUST_CHECK int order_part(const domain *d, cell_order *o, int64_t *n_border);
void order_free(cell_order *o); /* safe on a zeroed struct */

/* Inverse of an order: order_from(inverse, c) is the index on the GPU of cell c of the domain. Errors: ERR_RESOURCE. */
MUST_CHECK int order_inverse(const cell_order *o, cell_order *inverse);

/* Creates *out, the domain in the order o. The arrays `position` and `stored` and the first links of the runs are not
 * set. `opening` is the array of d, not a copy. Errors: ERR_RESOURCE. */
MUST_CHECK int order_domain(const domain *d, const cell_order *o, domain *out);
void order_domain_free(domain *d); /* safe on a zeroed struct */

/* order_find: the piece that holds GPU cell `to`. order_from: the cell of the domain that is GPU cell `to`. */
const order_piece *order_find(const cell_order *o, int64_t to);
int64_t order_from(const cell_order *o, int64_t to);

/* Returns the index of the first partially solid link of a cell of the domain. If the cell has none: of the next cell
 * that has one. */
int64_t order_partial(const domain *d, int64_t cell);
#endif
