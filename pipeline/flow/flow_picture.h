/* SPDX-License-Identifier: Apache-2.0 */
/* Picture of the region of `pipeline flow` on its slice. */
#ifndef PORTAFLOW_FLOW_PICTURE_H
#define PORTAFLOW_FLOW_PICTURE_H
#include "common/base/must_check.h"
#include "pipeline/flow/phase_contrast.h"
#include <stdbool.h>

/* Writes a PNG: mean magnitude over the cycle, or mean speed without magnitude, with the outline of the region. The
 * picture shows the region with a margin as wide as the region and at least 12 pixels, within the slice. Pixels are
 * drawn as squares. *drawn: false in a build without libpng. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int flow_picture_write(const char *path, const phase_contrast *p, bool *drawn);
#endif
