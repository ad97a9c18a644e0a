/* SPDX-License-Identifier: Apache-2.0 */
/* Body axis along which a vessel is viewed. */
#ifndef PORTAFLOW_POST_PICTURE_VIEW_AXIS_H
#define PORTAFLOW_POST_PICTURE_VIEW_AXIS_H
#include "common/lattice/lattice.h"
#include "common/surface/surface.h"

/* Returns the axis of view: 1 from the front of the body, 0 from the side, 2 along the body. It is 1 unless another
 * axis shows the vessel much better. With three openings or more, a view is good if no two openings are close together
 * in the picture, because branches then do not hide each other. With fewer openings, a view is good if the vessel
 * covers a large area. */
int view_axis_choose(const surface *s, const lattice *l);
#endif
