/* The order of the cells on the GPU.
 *
 * A cell at an opening or a moving wall makes all 32 cells of its group take longer, and an opening that cuts x-rows
 * leaves one such cell in every row. So, chunk by chunk, these cells come first and the others
 * after them, both in the domain's order: they fill groups of their own, and nobody's neighbours move far away.
 *
 * An order is a list of pieces, stretches of cells that stay together. Pure host code. */
#ifndef PORTAFLOW_CUDA_ORDER_H
#define PORTAFLOW_CUDA_ORDER_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

enum { ORDER_CHUNK = 1 << 15 };

/* Cells from .. from + count - 1 of the domain are to .. to + count - 1 on the GPU. */
typedef struct {
    int32_t from, to, count;
} order_piece;

/* Ascending `to`, without gaps but the one before a halo. */
typedef struct {
    int64_t n;
    order_piece *piece;
} cell_order;

/* chunk: cells, at most ORDER_CHUNK; 0: the domain's own order. Errors: ERR_RESOURCE. */
MUST_CHECK int order_create(const domain *d, int64_t chunk, cell_order *o);
/* Of a part of a lattice: first the cells that other parts read, then those at openings, then the rest, each in the
 * domain's order, and the halo behind whole groups. *n_border: of the first. Errors: ERR_RESOURCE. */
MUST_CHECK int order_part(const domain *d, cell_order *o, int64_t *n_border);
void order_free(cell_order *o); /* safe on a zeroed struct */

/* From the GPU back to the domain: an order with both sides exchanged. Errors: ERR_RESOURCE. */
MUST_CHECK int order_inverse(const cell_order *o, cell_order *inverse);

/* The domain in that order, without position, stored and what a run says of its links; `opening` is d's own.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int order_domain(const domain *d, const cell_order *o, domain *out);
void order_domain_free(domain *d); /* safe on a zeroed struct */

/* The piece of a cell on the GPU, and which cell of the domain that is. */
const order_piece *order_find(const cell_order *o, int64_t to);
int64_t order_from(const cell_order *o, int64_t to);

/* First partial link of the domain's cell or of one after it. */
int64_t order_partial(const domain *d, int64_t cell);
#endif
