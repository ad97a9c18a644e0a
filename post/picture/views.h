/* SPDX-License-Identifier: Apache-2.0 */
/* Viewing directions for a vessel. */
#ifndef PORTAFLOW_POST_PICTURE_VIEWS_H
#define PORTAFLOW_POST_PICTURE_VIEWS_H
#include "common/lattice/lattice.h"
#include "common/surface/surface.h"
#include "common/draw/vtk_draw.h"

/* Choose the front and the back view of a wall along the axis of view_axis_choose. */
void views_of_wall(const surface *s, const lattice *l, vtk_draw_view view[VTK_DRAW_VIEWS]);

/* Choose the view along the unit normal of a cut: from the front (or from below, or from the right), with the head
 * up. */
void views_of_cut(const double normal[3], vtk_draw_view *v);
#endif
