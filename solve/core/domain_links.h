/* The cut and the partly solid links of a domain whose cells are known. */
#ifndef PORTAFLOW_DOMAIN_LINKS_H
#define PORTAFLOW_DOMAIN_LINKS_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

/* Fills link, opening and their counts. active [l->n_cell]: index in d of the lattice's cells, -1; rows: of d's cells.
 * The rest, errors too, as of domain_create. */
MUST_CHECK int domain_links_create(const lattice *l, const domain_share *share, int wall,
                                   const domain_condition *condition, const int32_t *active, const lattice_rows *rows,
                                   domain *d);

/* Fills partial, of wall vlbm. Errors: ERR_RESOURCE. */
MUST_CHECK int domain_partials_create(const lattice_rows *rows, domain *d);
#endif
