/* SPDX-License-Identifier: Apache-2.0 */
/* Walls of a tube from rays, and a closed curve through them. Only for tube.c and tube_axis.c. */
#ifndef PORTAFLOW_TUBE_WALLS_H
#define PORTAFLOW_TUBE_WALLS_H
#include "common/base/must_check.h"
#include "segment/tube/tube.h"

/* Fit intensities, walls and wall curves of the n nodes of a piece, whose frames are known, in one round. The nodes
 * move to the centre of their curves, except in the last round. first: the nodes hold only the guess. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int tube_walls_fit(const volume *image, const tube_guess *g, bool first, bool last, tube_node *node, int n);
#endif
