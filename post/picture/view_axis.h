/* SPDX-License-Identifier: Apache-2.0 */
/* Body axis along which a vessel is viewed. */
#ifndef PORTAFLOW_POST_PICTURE_VIEW_AXIS_H
#define PORTAFLOW_POST_PICTURE_VIEW_AXIS_H
#include "common/lattice/lattice.h"
#include "common/surface/surface.h"

/* Returns 1, from the front of the body, unless another axis shows the vessel much better: 0 from the side, 2 along the
 * body. A vessel with three openings or more is shown well if no two openings are close in the picture, since its
 * branches then do not hide each other. Another vessel is shown well if it covers a large area. */
int view_axis_choose(const surface *s, const lattice *l);
#endif
