/* Walls of a tube from rays, and a closed curve through them. Only for tube.c and tube_axis.c. */
#ifndef PORTAFLOW_TUBE_WALLS_H
#define PORTAFLOW_TUBE_WALLS_H
#include "common/base/must_check.h"
#include "segment/tube/tube.h"

/* One round over the n nodes of a piece with known frames: intensities, walls, curve. The nodes move to the center of
 * their curves, except in the last round. first: only the guess is known. Errors: ERR_RESOURCE. */
MUST_CHECK int tube_walls_fit(const volume *image, const tube_guess *g, bool first, bool last, tube_node *node, int n);
#endif
