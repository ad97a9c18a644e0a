/* A surface that somebody brings, as the closed wall of a vessel. */
#ifndef PORTAFLOW_SURFACE_CLOSE_H
#define PORTAFLOW_SURFACE_CLOSE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

/* Close its open ends (*filled of them) with flat ones and turn it outwards. `path` is for the sentence.
 * Errors: ERR_INPUT (stays open, a size that no vessel has, encloses nothing), ERR_RESOURCE. */
MUST_CHECK int surface_close(const char *path, surface *wall, int *filled);
#endif
