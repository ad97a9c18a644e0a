/* SPDX-License-Identifier: Apache-2.0 */
/* Random vessels, kind "random", one set per seed.
 *
 * A trunk with one to three side branches that leave or join it, radii by the cube law (Murray 1926) or smaller, bends,
 * taper, eccentric stenoses of up to 90 % of the area with or without a dilatation behind, one-sided aneurysms, any
 * direction in space. Self-intersecting vessels are drawn again. */
#ifndef PORTAFLOW_RANDOM_H
#define PORTAFLOW_RANDOM_H
#include "common/base/must_check.h"
#include "data/phantom/phantom.h"

/* Add random vessels to an empty phantom; p->seed starts the random numbers. Errors: ERR_INTERNAL (5000 attempts
 * intersect themselves, or an array is full). */
MUST_CHECK int random_draw(phantom *p);
#endif
