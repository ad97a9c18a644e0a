/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizes the surface of a vessel's wall material: an outer and an inner surface, with open or closed ends. */
#ifndef PORTAFLOW_SURFACE_HOLLOW_H
#define PORTAFLOW_SURFACE_HOLLOW_H
#include "common/surface/surface.h"
#include <stdbool.h>

/* True if the surface is a hollow wall, in any unit and however its ends are made: lines along the normals of 0.8 of
 * the sampled area pass two walls, each thinner than 0.6 of the space between them. */
bool surface_is_hollow(const surface *s);
#endif
