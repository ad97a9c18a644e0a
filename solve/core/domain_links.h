/* SPDX-License-Identifier: Apache-2.0 */
/* Cut links and partially solid links of a domain whose cells are known. */
#ifndef PORTAFLOW_DOMAIN_LINKS_H
#define PORTAFLOW_DOMAIN_LINKS_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

/* Sets the arrays link, opening and (wall quadratic) behind of d and their counts. active [l->n_cell]: index in d of
 * each lattice cell, -1: inactive; rows: row index of the cells of d. Other arguments and errors: as domain_create. */
MUST_CHECK int domain_links_create(const lattice *l, const domain_share *share, int wall,
                                   const domain_condition *condition, const int32_t *active, const lattice_rows *rows,
                                   domain *d);

/* Sets the array `partial` of d and n_partial, for wall vlbm. Errors: ERR_RESOURCE. */
MUST_CHECK int domain_partials_create(const lattice_rows *rows, domain *d);
#endif
