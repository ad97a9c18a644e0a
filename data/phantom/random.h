/* Random vessels as patients have them: kind "random", another one for every seed.
 *
 * A trunk with one to three side branches that leave it or join it, radii by the cube law (Murray 1926) or narrower,
 * bends, taper, eccentric stenoses of up to 90 % of the area with or without a widening behind, aneurysms to one side;
 * any direction in space. Vessels that touch themselves are drawn again. */
#ifndef PORTAFLOW_RANDOM_H
#define PORTAFLOW_RANDOM_H
#include "common/base/must_check.h"
#include "data/phantom/phantom.h"

/* Draw with p->seed into an empty phantom. Errors: ERR_INTERNAL (5000 tries all touch themselves, an array is full). */
MUST_CHECK int random_draw(phantom *p);
#endif
