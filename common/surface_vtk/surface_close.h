/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a surface supplied by the user into the closed wall of a vessel. */
#ifndef PORTAFLOW_SURFACE_CLOSE_H
#define PORTAFLOW_SURFACE_CLOSE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

/* Closes all open ends by fans of triangles (*filled: their number) and orients the surface outwards. `path` is the
 * name in messages. Errors: ERR_INPUT (still open, implausible size, no volume; a hollow wall of implausible size is
 * named as such), ERR_RESOURCE. */
MUST_CHECK int surface_close(const char *path, surface *wall, int *filled);
#endif
