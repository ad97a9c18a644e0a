/* Walls of a tube from rays, and a closed curve through them. Used by tube.c alone. */
#ifndef PORTAFLOW_TUBE_WALLS_H
#define PORTAFLOW_TUBE_WALLS_H
#include "common/base/must_check.h"
#include "segment/tube/tube.h"

/* One round over the n nodes of a piece, whose frames are set: intensities, walls, curve; the nodes move to the middle
 * of their curves unless it is the last round. first: nothing is known yet but the guess. Errors: ERR_RESOURCE. */
MUST_CHECK int tube_fit(const volume *image, const tube_guess *g, bool first, bool last, tube_node *node, int n);
#endif
